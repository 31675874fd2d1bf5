/** A device whose clock jumps: `Date.now` is off by as much as the last word on this channel said. */
const channel = 'chaos-clock';
const real = Date.now.bind(Date);
let offMs = 0;
Date.now = () => real() + offMs;

/** Epoch ms by the clock that no fault touches, the same for all pages. */
export const trueTime = (): number => performance.timeOrigin + performance.now();

export function setClock(ms: number): void {
  offMs = ms;
}

/** Follows what is said, and remembers it where a worker that is started again finds it. */
export function followClock(): void {
  new BroadcastChannel(channel).onmessage = ({ data }: MessageEvent<number>) => setClock(data);
}

/** Every page and worker of this origin gets this clock, also one that starts later. */
export async function jump(ms: number): Promise<void> {
  setClock(ms);
  const wire = new BroadcastChannel(channel);
  wire.postMessage(ms);
  wire.close();
  await (await caches.open(channel)).put('/clock', new Response(String(ms)));
}

/** A new worker begins with the right time and only then learns how wrong this device's is. */
export async function recallClock(): Promise<void> {
  const known = await (await caches.open(channel)).match('/clock');
  if (known) setClock(Number(await known.text()));
}
