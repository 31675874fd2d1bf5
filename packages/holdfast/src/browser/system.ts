import { nanoid } from 'nanoid';
import type { System } from '../ports';
import { networkInformation } from './supports';

/** Longest delay a timer takes, milliseconds; beyond it engines run the timer at once (HTML, timer initialization). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The real clock, dice and timers. Nothing else in the package may use them. */
export const system: System = {
  now: () => Date.now(),
  random: () => Math.random(),
  id: () => nanoid(),
  uuid: uuidV4,
  saysOffline: () => navigator.onLine === false,
  saysMetered: () => {
    const network = networkInformation();
    return network?.saveData === true || network?.type === 'cellular';
  },
  timer(delayMs, work) {
    let left = delayMs;
    let handle: ReturnType<typeof setTimeout>;
    const wait = () => {
      const step = Math.min(left, LONGEST_TIMER_MS);
      left -= step;
      handle = setTimeout(left > 0 ? wait : work, step);
    };
    wait();
    return () => clearTimeout(handle);
  },
};

/** RFC 9562 section 5.4. `crypto.randomUUID` exists in secure contexts only, random bytes everywhere. */
function uuidV4(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
