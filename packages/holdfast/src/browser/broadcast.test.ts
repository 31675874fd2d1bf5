import { afterEach, describe, expect, it } from 'vitest';
import { type BroadcastLine, broadcast } from './broadcast';

const open: BroadcastLine[] = [];
let made = 0;
function lines(count: number): BroadcastLine[] {
  const name = `line-${(made += 1)}`;
  const made_ = Array.from({ length: count }, () => broadcast(name));
  open.push(...made_);
  return made_;
}
afterEach(() => open.splice(0).forEach((line) => line.close()));

const heardBy = (line: BroadcastLine) => new Promise((resolve) => line.subscribe(resolve));

describe('a line', () => {
  it('carries a message to every other context', async () => {
    const [a, b, c] = lines(3) as [BroadcastLine, BroadcastLine, BroadcastLine];
    const heard = Promise.all([heardBy(b), heardBy(c)]);
    a.post({ revision: 7 });
    expect(await heard).toEqual([{ revision: 7 }, { revision: 7 }]);
  });

  it('is silent to a listener that left', async () => {
    const [a, b] = lines(2) as [BroadcastLine, BroadcastLine];
    b.subscribe(() => expect.unreachable())();
    const heard = heardBy(b);
    a.post('one');
    await heard;
  });

  it('lets go of the wire while its page is away, and listens again afterwards', async () => {
    const [a, b, witness] = lines(3) as [BroadcastLine, BroadcastLine, BroadcastLine];
    const heard: unknown[] = [];
    let came: () => void = () => undefined;
    const again = new Promise<void>((resolve) => (came = resolve));
    b.subscribe((message) => {
      heard.push(message);
      came();
    });
    b.pause();
    const passed = heardBy(witness);
    a.post('missed');
    b.post('not said');
    await passed;
    b.resume();
    a.post('heard');
    await again;
    expect(heard).toEqual(['heard']);
  });

  it('says nothing any more once it is closed', () => {
    const [a] = lines(1) as [BroadcastLine];
    a.close();
    a.resume();
    expect(() => a.post('into the void')).not.toThrow();
  });

  it('is a silent one where the engine has no BroadcastChannel', () => {
    const { BroadcastChannel } = globalThis;
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    try {
      const [a] = lines(1) as [BroadcastLine];
      const leave = a.subscribe(() => expect.unreachable());
      a.post('nobody');
      leave();
    } finally {
      globalThis.BroadcastChannel = BroadcastChannel;
    }
  });
});
