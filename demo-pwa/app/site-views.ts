import type { Site } from '../wire';
import { worse, type NoteView, type Stage } from './round';

/** A site with what its records add up to. */
export interface SiteView extends Site {
  readonly records: number;
  /** Of the newest record; null: not inspected yet. */
  readonly rating: number | null;
  readonly lastAt: number | null;
  /** The stage a person has to know of, over all its records. */
  readonly stage: Stage;
  /** How many of its records are not confirmed. */
  readonly unconfirmed: number;
}

/** @param notes newest first */
export function siteViews(sites: readonly Site[], notes: readonly NoteView[]): SiteView[] {
  return sites.map((site) => {
    const all = notes.filter(({ siteId }) => siteId === site.id);
    const there = all.filter(({ leaving }) => !leaving);
    return {
      ...site,
      records: there.length,
      rating: there[0]?.rating ?? null,
      lastAt: there[0]?.createdAt ?? null,
      stage: all.map(({ stage }) => stage).reduce(worse, 'confirmed'),
      unconfirmed: all.filter(({ stage }) => stage !== 'confirmed').length,
    };
  });
}
