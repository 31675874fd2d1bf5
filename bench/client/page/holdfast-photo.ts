import type { Outbox } from 'holdfast/page';
import { bench } from './bench';

interface MeasuredPerformance extends Performance {
  readonly memory?: { readonly usedJSHeapSize: number };
}

/** What photos of 5 MB leave on the heap while they are caught, stored, loaded and sent, at the most, without a collection. */
export async function photoHeapMB(outbox: Outbox): Promise<number> {
  const heap = (): number => (performance as MeasuredPerformance).memory?.usedJSHeapSize ?? NaN;
  const photo = new Blob([new Uint8Array(5_000_000).fill(7)], { type: 'image/jpeg' });
  (globalThis as { gc?: () => void }).gc?.();
  const before = heap();
  let highest = before;
  for (let round = 1; round <= 3; round += 1) {
    await bench.serverDown();
    await outbox.fetch('/api/photos', { method: 'POST', body: photo });
    highest = Math.max(highest, heap());
    await bench.serverUp();
    await Promise.all([bench.answered(round), outbox.flush({ ignoreBackoff: true, force: true })]);
    highest = Math.max(highest, heap());
  }
  return (highest - before) / 1e6;
}
