import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../browsers/engine.ts';
import { launch } from '../browsers/launch.ts';
import { buildScript } from '../identity/build-app.ts';
import { startSoakApi, type SoakApi } from './api.ts';
import type { SoakPage } from './app/page.ts';
import { memoryOf } from './memory.ts';

export interface Soak {
  readonly entries: number;
  readonly tabs: number;
  /** How many of them are seen, as by a person with several windows. @default 1 */
  readonly shown?: number;
  /** Hears what happens, line by line. */
  readonly say?: (line: string) => void;
}

/** One tenth of the way. */
export interface Step {
  /** Entries stored, or delivered, at its end. */
  readonly at: number;
  /** Ms for each entry of this step. */
  readonly msEach: number;
  /** Megabytes of the first page's heap at its end, garbage included. */
  readonly heapMB: number;
  /** Megabytes of the whole browser at its end. */
  readonly browserMB: number;
}

export interface SoakReport {
  readonly entries: number;
  readonly tabs: number;
  readonly shown: number;
  readonly stored: readonly Step[];
  readonly drained: readonly Step[];
  /** How many came again under their keys, and were not done again. */
  readonly repeated: number;
  /** What arrived wrongly, line by line. */
  readonly faults: readonly string[];
}

type Page = Window & { readonly soak: SoakPage };

const root = fileURLToPath(new URL('./app/', import.meta.url));
const html =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Soak</title><link rel="icon" href="data:,"></head>' +
  '<body><script type="module" src="/page.js"></script></body></html>';

/** Stores very many writes in one Chromium with many tabs open, lets them all go, and measures each tenth of both ways. */
export async function soak({ entries, tabs, shown = 1, say = () => undefined }: Soak): Promise<SoakReport> {
  const scripts = [...(await buildScript(root, 'page', 'es')), ...(await buildScript(root, 'worker', 'iife'))];
  const api = await startSoakApi({ '/': html, ...Object.fromEntries(scripts) });
  const engine = await launch('chromium', { args: ['--enable-precise-memory-info'] });
  try {
    await engine.open(api.url);
    await engine.waitFor('window.soak?.controlled()');
    for (let tab = 1; tab < tabs; tab += 1) {
      const behind = tab >= shown;
      await (await engine.newTab()).open(behind ? `${api.url}/?behind` : api.url);
    }
    const measure = measuring(engine, Math.ceil(entries / 10), say);
    const stored = await fill(engine, entries, measure);
    const drained = await drain(engine, api, entries, measure);
    const missing = entries - api.arrived();
    const faults = [...api.faults(), ...(missing > 0 ? [`${missing} did not arrive`] : [])];
    return { entries, tabs, shown, stored, drained, repeated: api.repeated(), faults };
  } finally {
    await engine.close();
    api.close();
  }
}

interface Measure {
  readonly size: number;
  /** @param from when it began, epoch ms */
  readonly step: (way: string, at: number, count: number, from: number) => Promise<Step>;
}

function measuring(engine: Engine, size: number, say: (line: string) => void): Measure {
  return {
    size,
    async step(way, at, count, from) {
      const msEach = (Date.now() - from) / count;
      const heap = await engine.evaluate(() => (window as unknown as Page).soak.heap());
      const step = {
        at,
        msEach: round(msEach),
        heapMB: round(heap / 1e6),
        browserMB: round(memoryOf(engine.profile) / 1e6),
      };
      say(`${way} ${at}: ${step.msEach} ms each, heap ${step.heapMB} MB, browser ${step.browserMB} MB`);
      return step;
    },
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

async function fill(engine: Engine, entries: number, { size, step }: Measure): Promise<Step[]> {
  await engine.evaluate(() => (window as unknown as Page).soak.pause());
  const steps: Step[] = [];
  for (let from = 0; from < entries; from += size) {
    const order = { from, count: Math.min(size, entries - from) };
    const begunAt = Date.now();
    await engine.evaluate(async (given: typeof order) => (window as unknown as Page).soak.fill(given), order);
    steps.push(await step('stored', from + order.count, order.count, begunAt));
  }
  return steps;
}

/** Nothing at all arriving for so long ends it, ms. */
const patienceMs = 120_000;

async function drain(engine: Engine, api: SoakApi, entries: number, { size, step }: Measure): Promise<Step[]> {
  const steps: Step[] = [];
  let begunAt = Date.now();
  let before = 0;
  await engine.evaluate(() => (window as unknown as Page).soak.resume());
  for (let movedAt = Date.now(), seen = 0; before < entries && Date.now() - movedAt < patienceMs; await pause(20)) {
    const arrived = api.arrived();
    if (arrived !== seen) movedAt = Date.now();
    seen = arrived;
    if (arrived < Math.min(before + size, entries)) continue;
    steps.push(await step('drained', arrived, arrived - before, begunAt));
    begunAt = Date.now();
    before = arrived;
  }
  return steps;
}
