import { openOutbox, type Outbox } from 'holdfast/page';
import 'holdfast/panel/define';
import { config } from './config';

export interface SmallApp {
  readonly outbox: Outbox;
  /** What the content security policy would not have, in this page. */
  readonly violations: readonly string[];
}

const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  violations.push(`${violatedDirective} ${blockedURI} ${sample}`);
});

const outbox = openOutbox(config);
const panel = document.createElement('outbox-panel');
Object.assign(panel, { outbox });
document.body.append(panel);
Object.assign(window, { app: { outbox, violations } satisfies SmallApp });

// Where Trusted Types are required, the address of a worker needs a policy: this app's own, for this one address.
const { trustedTypes } = window as unknown as { readonly trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('app', { createScriptURL: () => `/worker.js${location.search}` });
void navigator.serviceWorker.register((policy?.createScriptURL('') ?? `/worker.js${location.search}`) as string);

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(url: string): unknown };
}
