/**
 * The `holdfast/panel` door. Importing it touches no global, also on a server; the elements come with
 * `defineOutboxElements()`, or with `import 'holdfast/panel/define'` where a browser is all there is.
 */
export type { OutboxPanel } from './element';
export type { OutboxBadge } from './badge';
export type { PanelClock } from './clock';
export { appBadge } from './app-badge';
export { deadNotification, type DeadNotificationOptions } from './dead-notification';
export { tabMark, type Mark, type TabMarkOptions } from './tab-mark';
export { unsentGuard, type UnsentGuardOptions } from './unsent-guard';
export { loadWords } from './words/load-words';
export type { FirstWords, DetailWords, Plural, Words, WordsReplacement } from './words/words';

/**
 * Defines `<outbox-panel>` and `<outbox-badge>`, and resolves when they are there. Calling it again does nothing.
 * Rejects when the module cannot be fetched.
 */
export async function defineOutboxElements(): Promise<void> {
  await import('./define');
}
