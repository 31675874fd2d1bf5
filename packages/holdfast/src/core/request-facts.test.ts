import { describe, expect, it } from 'vitest';
import { urlParts } from './request-facts';

describe('urlParts', () => {
  it.each([
    ['https://api.example:8443/a/b?x=1&y=/z?', 'https://api.example:8443', '/a/b', '?x=1&y=/z?'],
    ['https://api.example', 'https://api.example', '/', ''],
    ['https://api.example?x', 'https://api.example', '/', '?x'],
    ['HTTPS://api.example/a?x#y', 'HTTPS://api.example', '/a', '?x'],
    ['https://api.example/a#y?x', 'https://api.example', '/a', ''],
    ['web+x.y-1://host/a', 'web+x.y-1://host', '/a', ''],
    ['/a?x', '', '/', ''],
    ['see https://api.example/a', '', '/', ''],
  ])('takes %s apart', (url, origin, path, search) => {
    expect(urlParts(url)).toEqual({ origin, path, search });
  });
});
