import type { OutboxSnapshot } from '../core/snapshot';

/**
 * How far the sending has come since it began. A drain begins when something is sent and ends when nothing is being sent
 * and nothing is due; what is added meanwhile makes the total grow.
 */
export interface Progress {
  readonly startedAt: number;
  readonly total: number;
  readonly done: number;
  readonly totalBytes: number;
  readonly doneBytes: number;
  /** Over the last few seconds; 0 until there is something to measure. */
  readonly bytesPerSecond: number;
  readonly open: number;
  readonly bytes: number;
  readonly samples: readonly { readonly at: number; readonly doneBytes: number }[];
}

/** Speed is taken over this long, so that one large body does not make it jump about. */
const windowMs = 5_000;

/** The progress after another look; null while nothing is being sent. */
export function follow(
  before: Progress | null,
  { counts, at }: Pick<OutboxSnapshot, 'counts' | 'at'>,
): Progress | null {
  const open = counts.pending + counts.sending;
  if (counts.sending === 0 && (open === 0 || before === null || at - lastAt(before) > windowMs)) return null;
  if (before === null) {
    return {
      startedAt: at,
      total: open,
      done: 0,
      totalBytes: counts.bytes,
      doneBytes: 0,
      bytesPerSecond: 0,
      open,
      bytes: counts.bytes,
      samples: [{ at, doneBytes: 0 }],
    };
  }
  const doneBytes = before.doneBytes + Math.max(0, before.bytes - counts.bytes);
  const samples = [...before.samples.filter((sample) => at - sample.at <= windowMs), { at, doneBytes }];
  const first = samples[0] ?? { at, doneBytes };
  return {
    startedAt: before.startedAt,
    total: before.total + Math.max(0, open - before.open),
    done: before.done + Math.max(0, before.open - open),
    totalBytes: before.totalBytes + Math.max(0, counts.bytes - before.bytes),
    doneBytes,
    bytesPerSecond:
      at - first.at >= 500 ? ((doneBytes - first.doneBytes) * 1000) / (at - first.at) : before.bytesPerSecond,
    open,
    bytes: counts.bytes,
    samples,
  };
}

function lastAt(progress: Progress): number {
  return progress.samples.at(-1)?.at ?? progress.startedAt;
}
