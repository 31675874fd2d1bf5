import { readdirSync, readFileSync } from 'node:fs';
import { chromiumArgs } from '../../e2e/browsers/chromium.ts';
import { needBrowser } from '../../e2e/browsers/find-browsers.ts';
import { startGroup } from '../../e2e/browsers/process-group.ts';
import { profileFolder } from '../../e2e/browsers/profile-folder.ts';

/** Chromium as a person starts it, without a debugging protocol: with one attached `fetch` runs nearly twice as slow. */
export interface PlainChromium {
  open(url: string): void;
  pageCpuNs(): number;
  close(): Promise<void>;
}

export function plainChromium(): PlainChromium {
  const { path } = needBrowser('chromium');
  const profile = profileFolder('bench', undefined);
  const args = [
    ...chromiumArgs,
    '--headless=new',
    '--no-default-browser-check',
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--enable-precise-memory-info',
    '--js-flags=--expose-gc',
    `--user-data-dir=${profile.path}`,
  ];
  let group: ReturnType<typeof startGroup> | undefined;
  return {
    open: (url) => void (group = startGroup(path, [...args, url])),
    pageCpuNs: () => pageCpuNs(profile.path),
    async close() {
      await group?.kill();
      profile.remove();
    },
  };
}

/**
 * What the main threads of this browser's renderers have been computing, in nanoseconds: service workers run on threads of
 * their own there. Linux only; elsewhere NaN.
 */
function pageCpuNs(profile: string): number {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isRenderer(name, profile))
      .reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]), 0);
  } catch {
    return NaN;
  }
}

function isRenderer(pid: string, profile: string): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('--type=renderer') && (command.includes(profile) || isOurs(pid, profile));
  } catch {
    return false;
  }
}

/** A renderer's own command line may not name the profile; one of its ancestors does. */
function isOurs(pid: string, profile: string): boolean {
  for (let at = pid; Number(at) > 1;) {
    const stat = readFileSync(`/proc/${at}/stat`, 'utf8');
    at = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '0';
    if (Number(at) > 1 && readFileSync(`/proc/${at}/cmdline`, 'utf8').includes(profile)) return true;
  }
  return false;
}
