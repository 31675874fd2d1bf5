import { join } from 'node:path';
import { bundle } from './build-scripts.ts';
import { plainChromium } from './plain-chromium.ts';
import { table } from './results.ts';
import { openSite } from './site.ts';
import { spreadOf } from './spread.ts';

/** `npx tsx bench/client/encrypt.ts`: what `encrypt: true` costs, as docs/security.md quotes it. */

const rounds = 5;
const sizes = [
  { name: '200 bytes', bytes: 200, count: 40 },
  { name: '100 kB', bytes: 100_000, count: 20 },
  { name: '5 MB', bytes: 5_000_000, count: 3 },
];

interface Figures {
  readonly plainKeep: number;
  readonly sealedKeep: number;
  readonly plainRead: number;
  readonly sealedRead: number;
}

const path = '/encrypt.page.js';
const scripts = new Map<string, string>();
for (const name of ['encrypt', 'idle']) {
  scripts.set(`/${name}.page.js`, await bundle(join(import.meta.dirname, `page/${name}.page.ts`)));
}
const browser = plainChromium();
const site = await openSite(scripts, { pageCpuNs: () => browser.pageCpuNs() });
const found = new Map<string, Figures[]>();
try {
  browser.open(site.start);
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, bytes, count } of sizes) {
      const options = { task: 'both', bytes: String(bytes), count: String(count), round: String(round) };
      const report = (await site.run(`encrypt-${round}-${bytes}`, path, options, 60_000)) as {
        readonly figures?: Figures;
        readonly error?: string;
      };
      if (!report.figures) throw new Error(report.error ?? 'the page gave no figures');
      found.set(name, [...(found.get(name) ?? []), report.figures]);
      console.log(`round ${round}: ${name} ${JSON.stringify(report.figures)}`);
    }
  }
} finally {
  await browser.close();
  await site.close();
}

const ms = (values: readonly number[]): string => `${spreadOf(values).median.toFixed(2)} ms`;
/** Each round's own ratio: what disturbs the machine for a while disturbs both. */
function ratio(of: readonly number[], to: readonly number[]): string {
  const { median, min, max } = spreadOf(of.map((value, round) => value / (to[round] ?? NaN)));
  return `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
}
const rows = [...found].map(([name, all]) => {
  const [plainKeep, sealedKeep, plainRead, sealedRead] = (
    ['plainKeep', 'sealedKeep', 'plainRead', 'sealedRead'] as const
  ).map((key) => all.map((figures) => figures[key])) as [number[], number[], number[], number[]];
  return [
    name,
    ms(plainKeep),
    ms(sealedKeep),
    ratio(sealedKeep, plainKeep),
    ms(plainRead),
    ms(sealedRead),
    ratio(sealedRead, plainRead),
  ];
});
console.log(table([['body', 'kept plain', 'kept sealed', 'ratio', 'read plain', 'read sealed', 'ratio'], ...rows]));
