import { html, type TemplateResult } from 'lit';
import { icon } from './icon';
import type { RoundState } from './round-store';
import type { SiteView } from './site-views';
import { counted, moment, ratingWord, stageChip, today } from './words';

/** The round: its sites, and how far it has come. */
export function siteList({ sites, server }: RoundState, openSite: string | null): TemplateResult {
  const inspected = sites.filter(({ records }) => records > 0).length;
  return html`<section class="sites" aria-labelledby="round-title">
    <header>
      <p class="eyebrow">${today()}</p>
      <h1 id="round-title">Harbour round</h1>
      ${
        sites.length > 0
          ? html`<div class="progress">
              <progress max=${sites.length} value=${inspected} aria-label="Sites inspected"></progress>
              <span>${inspected} of ${sites.length} inspected</span>
            </div>`
          : ''
      }
    </header>
    ${
      sites.length === 0
        ? html`<p class="nothing">
            ${
              server.source === 'none'
                ? 'The list of sites is not on this device yet. It comes as soon as the server can be reached.'
                : 'There are no sites on this round.'
            }
          </p>`
        : html`<ul>
            ${sites.map((site) => row(site, site.id === openSite))}
          </ul>`
    }
  </section>`;
}

function row(site: SiteView, open: boolean): TemplateResult {
  const { rating, records, lastAt, stage } = site;
  return html`<li>
    <a href="#/sites/${site.id}" aria-current=${open ? 'page' : 'false'} data-site=${site.id}>
      <span
        class="grade ${rating === null ? 'none' : `r${rating}`}"
        title=${rating === null ? 'Not inspected' : ratingWord(rating)}
        >${rating ?? '–'}</span
      >
      <span class="what">
        <b>${site.name}</b>
        <span>${site.place}</span>
      </span>
      <span class="state">
        ${
          stage === 'confirmed'
            ? html`<span class="seen"
                >${lastAt === null ? 'Not inspected' : `${counted(records, 'record')} · ${moment(lastAt)}`}</span
              >`
            : stageChip(stage)
        }
      </span>
      ${icon('forward')}
    </a>
  </li>`;
}
