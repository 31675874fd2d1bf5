import { describe, expect, it } from 'vitest';
import type { Session } from '../wire';
import { sessionLine } from './session-line';

const nobody: Session = { user: null, users: [], ended: false };
const ines: Session = { ...nobody, user: { id: 'ines', name: 'Ines' } };

/** An answer that comes when the test lets it. */
function later<T>(): { readonly promise: Promise<T>; readonly come: (value: T) => void } {
  let come: (value: T) => void = () => undefined;
  return { promise: new Promise<T>((resolve) => (come = resolve)), come: (value) => come(value) };
}

describe('who is signed in', () => {
  it('stays who has just signed in when an older question is answered later', async () => {
    const taken: Session[] = [];
    const line = sessionLine(async (session) => void taken.push(session));
    const answer = later<Session>();

    const learning = line.learn(() => answer.promise);
    await line.say(ines);
    answer.come(nobody);
    await learning;

    expect(taken).toEqual([ines]);
  });

  it('is written down one after another, also after one that could not be', async () => {
    const log: string[] = [];
    const first = later<undefined>();
    const line = sessionLine(async ({ user }) => {
      log.push(user?.id ?? 'nobody');
      if (user) return;
      await first.promise;
      log.push('failed');
      throw new Error('the disk is full');
    });

    const failing = line.say(nobody);
    const saying = line.say(ines).then(() => log.push('done'));
    first.come(undefined);

    await expect(failing).rejects.toThrow('the disk is full');
    await saying;
    expect(log).toEqual(['nobody', 'failed', 'ines', 'done']);
  });
});
