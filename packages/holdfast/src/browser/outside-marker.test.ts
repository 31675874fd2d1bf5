import { afterEach, describe, expect, it, vi } from 'vitest';
import { outsideMarker } from './outside-marker';

afterEach(() => void vi.unstubAllGlobals());

function webStorage(write: (name: string, value: string) => void = () => undefined) {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, value: string) {
      write(name, value);
      items.set(name, value);
    },
  };
}

describe('the note outside', () => {
  it('is read as it was written, one for each outbox', () => {
    vi.stubGlobal('localStorage', webStorage());
    outsideMarker('a').write({ createdAt: 5, waiting: 3 });
    expect(outsideMarker('a').read()).toEqual({ createdAt: 5, waiting: 3 });
    expect(outsideMarker('b').read()).toBeUndefined();
  });

  it('is none where there is no web storage, or touching it throws', () => {
    outsideMarker('a').write({ createdAt: 5, waiting: 3 });
    expect(outsideMarker('a').read()).toBeUndefined();
    const denied = {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
      configurable: true,
    };
    Object.defineProperty(globalThis, 'localStorage', denied);
    outsideMarker('a').write({ createdAt: 5, waiting: 3 });
    expect(outsideMarker('a').read()).toBeUndefined();
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  it('is given up where web storage is full', () => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', webStorage(full));
    expect(() => outsideMarker('a').write({ createdAt: 5, waiting: 3 })).not.toThrow();
  });

  it('that is nonsense is none', () => {
    const storage = webStorage();
    vi.stubGlobal('localStorage', storage);
    for (const value of ['', 'x', '5', '5 x', '-1 2', 'NaN 1', '5 -2']) {
      storage.items.set('holdfast:a', value);
      expect([value, outsideMarker('a').read()]).toEqual([value, undefined]);
    }
  });
});
