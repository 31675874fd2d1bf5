import { installOutbox } from 'holdfast/sw';
import { config } from './config';

/** What this worker uses of its global scope; page and worker are checked together, with the types of a page. */
declare const self: EventTarget & {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
};

const violations: string[] = [];
self.addEventListener('securitypolicyviolation', (event) => {
  const { violatedDirective, blockedURI } = event as SecurityPolicyViolationEvent;
  violations.push(`${violatedDirective} ${blockedURI}`);
});
// A page asks what the policy would not have here.
self.addEventListener('message', (event) => {
  const { data, ports } = event as MessageEvent<unknown>;
  if (data === 'violations') ports[0]?.postMessage(violations);
});

installOutbox(config);
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', () => void self.clients.claim());
