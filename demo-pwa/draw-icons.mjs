// Draws the PNG icons from `public/icons/icon.svg` in a headless Chromium: node draw-icons.mjs
// CHROMIUM names the browser; without it Playwright's own is used.
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright';

const icons = new URL('./public/icons/', import.meta.url);
const svg = await readFile(new URL('icon.svg', icons), 'utf8');
// A mask may cut everything outside the inner 80 %: the ground reaches the edge, the drawing stays inside.
const maskable = svg.replace(' rx="112"', '').replace('<g ', '<g transform="translate(77 77) scale(0.7)" ');

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
try {
  for (const [name, source, size] of [
    ['icon-192', svg, 192],
    ['icon-512', svg, 512],
    ['maskable-512', maskable, 512],
  ]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${source}`);
    await page.screenshot({ path: new URL(`${name}.png`, icons).pathname, omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
