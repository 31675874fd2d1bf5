import type { EntryView } from '../core/snapshot';
import type { Outbox } from '../page/client';

export interface DeadNotificationOptions {
  /** Texts of the notification. @default the entry's title, and the reason's message */
  readonly text?: (entry: EntryView) => { readonly title: string; readonly body: string };
  /** `hidden`: only while nobody looks at the page, since the panel tells it otherwise. @default 'hidden' */
  readonly when?: 'hidden' | 'always';
  /** Address of a picture. */
  readonly icon?: string;
}

/**
 * Tells by a notification that a request could not be delivered. It shows nothing until the person has allowed
 * notifications; ask with `Notification.requestPermission()` from a button of the app, never unasked. Several tabs tell
 * it once: the entry's id is the notification's tag. Where only a worker may show one (Android), its `notificationclick`
 * finds the id in `notification.data`.
 *
 * @returns stops telling
 */
export function deadNotification(outbox: Outbox, options: DeadNotificationOptions = {}): () => void {
  const { text = defaultText, when = 'hidden', icon } = options;
  return outbox.on((event) => {
    if (event.type !== 'dead' || event.entry.dead?.triage === 'closed') return;
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    if (when === 'hidden' && !document.hidden) return;
    const { title, body } = text(event.entry);
    show(title, { body, tag: `outbox ${event.entry.id}`, data: { id: event.entry.id }, ...(icon && { icon }) });
  });
}

function defaultText({ title, dead }: EntryView): { title: string; body: string } {
  return { title, body: dead?.message ?? '' };
}

function show(title: string, options: NotificationOptions): void {
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Chromium on Android: "Illegal constructor", only a worker may.
    navigator.serviceWorker?.getRegistration().then(
      (worker) => worker?.showNotification(title, options),
      () => undefined,
    );
  }
}
