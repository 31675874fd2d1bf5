import { answersTo } from './answers';
import type { Question } from './question';

/** A run takes seconds on a phone, so it is done here and not where people scroll. */
addEventListener('message', ({ data }: MessageEvent<Question>) => {
  for (const answer of answersTo(data)) postMessage(answer);
});
