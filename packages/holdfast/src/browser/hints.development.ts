import type { ResolvedRoute } from '../core/config';
import type { Hints } from './hints';

/** How long a page or worker may take to come up before it is said to be wrong, ms. */
const settledMs = 5_000;

const secret = ['authorization', 'x-api-key', 'x-csrf-token', 'x-xsrf-token'];
const writes = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** @param say told each mistake once */
export function createHints(say: (message: string) => void): Hints {
  const said = new Set<string>();
  const hint = (message: string): void => {
    if (said.has(message)) return;
    said.add(message);
    say(`[holdfast] ${message}`);
  };
  const open = new Set<string>();

  function once(kind: string, name: string): void {
    if (open.has(`${kind} ${name}`))
      hint(`${kind} ran twice for the outbox "${name}" here: keep the first one and share it.`);
    open.add(`${kind} ${name}`);
  }

  function routes(all: readonly ResolvedRoute[]): void {
    for (const { name, methods } of all)
      if (methods.includes('GET')) hint(`Route "${name}" takes GET: a read has no effect that is worth keeping.`);
  }

  return {
    page({ name, routes: all }, system) {
      once('openOutbox', name);
      routes(all);
      if (!globalThis.isSecureContext)
        hint('This page is no secure context (HTTPS or localhost): no worker, no locks, and weaker storage.');
      system.timer(settledMs, () => {
        const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
        void serviceWorker?.getRegistration().then((registration) => {
          if (registration?.active && !serviceWorker.controller)
            hint(
              'A service worker is active but not in control of this page (a hard reload, or no clients.claim()): plain fetch calls are not kept.',
            );
        });
      });
    },
    worker({ name, routes: all }, system, uncontrolled) {
      once('installOutbox', name);
      routes(all);
      system.timer(settledMs, () => {
        void uncontrolled().then((count) => {
          if (count > 0)
            hint('Open pages are not controlled by this worker: call clients.claim() in its "activate" listener.');
        });
      });
    },
    request(request, route, { config, key }, ownOrigin) {
      const { method, origin, path, mode } = request;
      const what = `${method} ${origin === ownOrigin ? '' : origin}${path}`;
      if (!route) {
        if (writes.includes(method) && origin === ownOrigin)
          hint(`No route takes ${what}: it is not kept when it fails.`);
        return;
      }
      if (origin !== ownOrigin && !key.crossOrigin.includes(origin))
        hint(
          `${origin} gets no ${key.header}, so it cannot tell a repeated request: allow the header there and name the origin in key.crossOrigin.`,
        );
      if (
        (method === 'PUT' || method === 'PATCH') &&
        !['if-match', 'if-unmodified-since'].some((name) => request.header(name))
      )
        hint(`${what} has no precondition (If-Match): sent hours later it may overwrite somebody's newer change.`);
      if (!(route.beforeSend ?? config.beforeSend) && secret.some((name) => request.header(name)))
        hint(
          `${what} carries a credential, which is stored and may be stale when it is sent: supply it with beforeSend.`,
        );
      if (mode === 'navigate' && (route.reply === 'queued' || route.reply === 'error'))
        hint(
          `${what} is a form post, and a person will see the bare answer: set reply: { redirect } on route "${route.name}".`,
        );
    },
    strangeWorker(name) {
      hint(
        `The service worker in control does not know the outbox "${name}": call installOutbox there with the same config. Until then this page sends.`,
      );
    },
  };
}

export const hints: Hints | undefined = createHints((message) => console.warn(message));
