import { hasStaticRoutes } from '../browser/supports';

declare const self: ServiceWorkerGlobalScope;

/** The part of `InstallEvent.addRoutes` that is used (Service Worker Static Routing API). */
export interface StaticRule {
  readonly condition: { readonly requestMethod: string };
  readonly source: 'network';
}

interface WithStaticRoutes extends ExtendableEvent {
  addRoutes(rules: readonly StaticRule[]): Promise<void>;
}

/** Reads make up nearly all of a page's requests; other methods may be writes that a route takes. */
const reads = ['GET', 'HEAD'];

/** Sends what no route can take past the worker: reads whose method is in no route. */
export function rulesFor(routes: readonly { readonly methods: readonly string[] }[]): StaticRule[] {
  return reads
    .filter((method) => !routes.some(({ methods }) => methods.includes(method)))
    .map((requestMethod) => ({ condition: { requestMethod }, source: 'network' }));
}

/** Tells the engine, where it can be told; elsewhere the worker sees those requests and leaves them alone. */
export function bypassReads(routes: readonly { readonly methods: readonly string[] }[]): void {
  self.addEventListener('install', (event) => {
    const rules = rulesFor(routes);
    if (rules.length === 0 || !hasStaticRoutes(event)) return;
    // An engine that takes no such rules serves as before; that must not keep the worker from being installed.
    event.waitUntil((event as WithStaticRoutes).addRoutes(rules).catch(() => undefined));
  });
}
