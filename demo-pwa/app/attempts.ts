import type { AnswerClass, Attempt, EntryView } from 'holdfast';

/** One thing that happened to a request, or will. */
export interface Beat {
  readonly kind: 'failed' | 'sending' | 'next' | 'confirmed' | 'dead';
  /** "503", "no answer", "in 4 s". */
  readonly label: string;
  /** More, for a tooltip. */
  readonly detail: string;
  /** Epoch ms. */
  readonly at: number;
  /** Between the end of the one before and this one, ms; null for the first. */
  readonly gapMs: number | null;
  /** How long the attempt took, ms; null where there was none. */
  readonly tookMs: number | null;
  /** Whether it used up budget. */
  readonly counted: boolean;
}

export interface Train {
  readonly entry: EntryView;
  readonly beats: readonly Beat[];
  /** Epoch ms of the latest thing that really happened. */
  readonly at: number;
}

const words: Record<AnswerClass, string> = {
  delivered: 'delivered',
  unverified: 'unverified',
  offline: 'offline',
  captive: 'portal',
  network: 'no answer',
  timeout: 'timeout',
  server: 'server error',
  overload: 'busy',
  'in-progress': 'in progress',
  conflict: 'conflict',
  auth: 'signed out',
  redirected: 'redirected',
  rejected: 'refused',
};

/** The life of each request as a row of beats, the one with the latest news first. */
export function trainsOf(entries: readonly EntryView[]): Train[] {
  return entries.map(trainOf).sort((a, b) => b.at - a.at);
}

function trainOf(entry: EntryView): Train {
  const beats: Beat[] = [];
  let previousEnd: number | null = null;
  const add = (beat: Omit<Beat, 'gapMs'>): void => {
    const start = beat.at - (beat.tookMs ?? 0);
    beats.push({ ...beat, gapMs: previousEnd === null ? null : Math.max(0, start - previousEnd) });
    previousEnd = beat.at;
  };
  for (const attempt of entry.history) {
    const { at, tookMs, counted, message } = attempt;
    const answered = attempt.status > 0 && attempt.class !== 'captive';
    const label = answered ? String(attempt.status) : words[attempt.class];
    if (isDelivery(attempt)) add({ ...endOf(entry), at, tookMs });
    else add({ kind: 'failed', label, detail: `${words[attempt.class]}: ${message}`, at, tookMs, counted });
  }
  const last = entry.history.at(-1);
  if (!last || !isDelivery(last)) add(endOf(entry));
  return { entry, beats, at: Math.max(entry.createdAt, entry.finishedAt ?? 0, entry.history.at(-1)?.at ?? 0) };
}

function isDelivery(attempt: Attempt): boolean {
  return attempt.class === 'delivered' || attempt.class === 'unverified';
}

function endOf(entry: EntryView): Omit<Beat, 'gapMs'> {
  const base = { tookMs: null, counted: false };
  switch (entry.state) {
    case 'delivered': {
      const label = entry.status > 0 ? String(entry.status) : 'sent';
      const detail = entry.replayed ? 'Confirmed: the server had done it before' : 'Confirmed by the server';
      return {
        ...base,
        kind: 'confirmed',
        label: entry.replayed ? `${label} again` : label,
        detail,
        at: entry.finishedAt ?? 0,
      };
    }
    case 'dead':
      return {
        ...base,
        kind: 'dead',
        label: entry.dead?.reason ?? 'dead',
        detail: entry.dead?.message ?? '',
        at: entry.finishedAt ?? 0,
      };
    case 'sending':
      return {
        ...base,
        kind: 'sending',
        label: 'sending',
        detail: 'On its way',
        at: entry.history.at(-1)?.at ?? entry.createdAt,
      };
    case 'pending': {
      const until = entry.why?.until ?? null;
      return {
        ...base,
        kind: 'next',
        label: entry.why?.kind ?? 'waiting',
        detail: entry.why?.detail ?? '',
        at: until ?? 0,
      };
    }
  }
}
