import { readdirSync, readFileSync } from 'node:fs';
import type { Engine, Tab } from '../browsers/engine.ts';
import type { PlaywrightEngine, PlaywrightTab } from '../browsers/playwright-engine.ts';

/**
 * Freezes a tab until the returned function is called. Chromium has a command for it. Elsewhere the processes that run pages
 * (and in WebKit and Firefox their workers) are stopped, all at once; that needs Linux.
 */
export async function freeze(engine: Engine, tab: Tab): Promise<() => Promise<void>> {
  if (engine.name === 'chromium') {
    const devtools = await (engine as PlaywrightEngine).context.newCDPSession((tab as PlaywrightTab).page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    return async () => {
      await devtools.send('Page.setWebLifecycleState', { state: 'active' });
      await devtools.detach();
    };
  }
  const pids = contentProcesses();
  signal(pids, 'SIGSTOP');
  return async () => signal(pids, 'SIGCONT');
}

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // Killed meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Linux cuts these names after 15 letters. */
const runsPages = /^(WebKitWebProces|Isolated Web Co|Web Content)/;

/** Those that this process has started, by whatever way. */
function contentProcesses(): number[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, { readonly parent: number; readonly name: string }>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? [];
      parents.set(Number(entry), { parent: Number(rest.split(' ')[1]), name });
    } catch {
      // It ended while we looked.
    }
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid)?.parent ?? 0));
  return [...parents].filter(([pid, { name }]) => runsPages.test(name) && isOurs(pid)).map(([pid]) => pid);
}
