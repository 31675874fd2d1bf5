import { expect, it } from 'vitest';

const policy = [
  "default-src 'none'",
  // Firefox takes 'self' of a srcdoc page for nothing at all.
  `script-src ${location.origin}`,
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

it('draws, previews, edits and exports under a strict content security policy', async () => {
  const frame = document.createElement('iframe');
  const page = new URL('./fixtures/strict-page.ts', import.meta.url).pathname;
  frame.srcdoc = `<!doctype html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="${policy}"></head><body><script type="module" src="${page}"></script></body></html>`;
  const told = new Promise<unknown>((resolve) => {
    addEventListener('message', (event) => {
      if (event.source === frame.contentWindow) resolve(event.data);
    });
  });
  document.body.append(frame);
  // The radius is a style of the panel's own: it was allowed, too.
  expect(JSON.parse(String(await told))).toEqual({ violations: [], radius: '12px' });
  frame.remove();
});
