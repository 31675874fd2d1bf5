/** What an app may hand to `fetch`, by name. Each is made anew, so that two requests share nothing. */

const bytes = (length: number, seed = 7): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 256);

function form(): FormData {
  const data = new FormData();
  data.append('title', 'Gate “north”, ünïcode');
  data.append('tag', 'one');
  data.append('tag', 'two\r\nlines');
  data.append('photo', new File([bytes(200_000)], 'gåte "1".png', { type: 'image/png' }));
  data.append('empty', new File([], ''));
  return data;
}

const json = { 'content-type': 'application/json' };

export const cases: Readonly<Record<string, () => RequestInit>> = {
  JSON: () => ({ method: 'POST', headers: json, body: '{"a":[1,2,{"b":"ü"}]}' }),
  text: () => ({ method: 'POST', body: 'naïve ☂ \u0000 line\r\nline' }),
  URLSearchParams: () => ({
    method: 'PUT',
    body: new URLSearchParams([
      ['a', '1 2'],
      ['a', 'ü&='],
    ]),
  }),
  'a form with files': () => ({ method: 'POST', body: form() }),
  'a typed Blob': () => ({ method: 'PUT', body: new Blob([bytes(150_000)], { type: 'image/PNG; q="A"' }) }),
  'a Blob without a type': () => ({ method: 'PATCH', body: new Blob([bytes(3_000)]) }),
  'an ArrayBuffer': () => ({ method: 'POST', body: bytes(70_000).buffer }),
  'a part of a buffer': () => ({ method: 'POST', body: bytes(9_000).subarray(10, 5_000) }),
  'an empty text': () => ({ method: 'POST', body: '' }),
  'no body': () => ({ method: 'POST' }),
  'DELETE without a body': () => ({ method: 'DELETE' }),
  'DELETE with a body': () => ({ method: 'DELETE', headers: json, body: '{"why":"gone"}' }),
  HEAD: () => ({ method: 'HEAD' }),
  'its own headers': () => ({
    method: 'PUT',
    headers: [
      ['X-B', '2'],
      ['x-a', '1'],
      ['X-B', '3'],
      ['X-Empty', ''],
      ['If-Match', '"v1"'],
      ['Accept', 'application/json'],
      ['Accept-Language', 'de'],
      ['Authorization', 'Bearer t'],
      ['Content-Type', 'application/vnd.own+json;v=1'],
    ],
    body: '{}',
  }),
  'cookies left out': () => ({ method: 'POST', credentials: 'omit', body: 'x' }),
  'no referrer': () => ({ method: 'POST', referrerPolicy: 'no-referrer', body: 'x' }),
  'a referrer of its own': () => ({ method: 'POST', referrer: '/rounds/7', body: 'x' }),
  'past every cache': () => ({ method: 'POST', cache: 'no-store', body: 'x' }),
};
