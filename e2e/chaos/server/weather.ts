/** What happens to one request. `after`: the work is done and the caller never learns it. */
export type Fate =
  | 'ok'
  | 'slow'
  | 'reset-before'
  | 'reset-after'
  | 'cut-answer'
  | 'hang-before'
  | 'hang-after'
  | '500'
  | '502-after'
  | '503'
  | '429'
  | 'captive'
  | 'portal';

/** How often each fate comes, by weight. */
export type Weather = Readonly<Partial<Record<Fate, number>>>;

export const fair: Weather = { ok: 1 };

/** What a run goes through; between them the server may also be gone altogether. */
export const weathers: Readonly<Record<string, Weather>> = {
  fair: { ok: 20, slow: 1 },
  mixed: {
    ok: 30,
    slow: 5,
    'reset-before': 3,
    'reset-after': 3,
    'cut-answer': 1,
    'hang-before': 1,
    'hang-after': 1,
    '500': 3,
    '502-after': 2,
    '503': 1,
    '429': 1,
    captive: 2,
    portal: 1,
  },
  deaf: { ok: 3, 'hang-before': 2, 'hang-after': 3, slow: 2 },
  torn: { ok: 3, 'reset-before': 2, 'reset-after': 4, 'cut-answer': 2 },
  broken: { ok: 1, '500': 4, '502-after': 3, '503': 1 },
  busy: { ok: 4, '429': 2, '503': 2, slow: 2 },
  hotel: { captive: 3, portal: 2 },
};
