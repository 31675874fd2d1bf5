import { said } from './said';
import { openOutbox, type Outbox } from 'holdfast/page';
import { cases } from './cases';
import { config } from './config';
import { libraries } from './libraries';

export interface Heard {
  readonly status: number;
  readonly body: string;
  readonly entry: string | null;
  /** How the fetch was rejected, when it was. */
  readonly error?: { readonly name: string; readonly code?: string };
}

export interface CaptureApp {
  readonly outbox: Outbox;
  readonly cases: readonly string[];
  /** Sends one of the cases by the page's own fetch or by the outbox's. */
  send(name: string, by: 'fetch' | 'outbox', url: string): Promise<Heard>;
  /** The same for any request. */
  hear(answer: Promise<Response>): Promise<Heard>;
  /** Sends until the entry has ended. */
  finish(id: string): Promise<string>;
  readonly libraries: typeof libraries;
  /** What this page and its worker have said to their consoles. */
  said(): Promise<readonly string[]>;
}

const outbox = openOutbox(config);

async function hear(answer: Promise<Response>): Promise<Heard> {
  try {
    const response = await answer;
    const body = await response.text();
    return { status: response.status, body, entry: response.headers.get('Holdfast-Entry') };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { status: 0, body: String(error), entry: null, error: { name, ...(cause?.code && { code: cause.code }) } };
  }
}

const app: CaptureApp = {
  outbox,
  cases: Object.keys(cases),
  hear,
  send: (name, by, url) => hear(by === 'fetch' ? fetch(url, cases[name]?.()) : outbox.fetch(url, cases[name]?.())),
  async finish(id) {
    for (;;) {
      const entry = await outbox.get(id);
      if (!entry || entry.state === 'delivered' || entry.state === 'dead') return entry?.state ?? 'gone';
      await outbox.flush({ force: true });
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  },
  libraries,
  async said() {
    const { controller } = navigator.serviceWorker;
    if (!controller) return said;
    const { port1, port2 } = new MessageChannel();
    const heard = new Promise<readonly string[]>(
      (resolve) => (port1.onmessage = ({ data }) => resolve(data as string[])),
    );
    controller.postMessage('said', [port2]);
    return [...said, ...(await heard)];
  },
};
Object.assign(window, { app });

document.cookie = 'round=7; path=/; SameSite=Lax';
if (!location.search.includes('alone')) void navigator.serviceWorker.register(`/worker.js${location.search}`);
