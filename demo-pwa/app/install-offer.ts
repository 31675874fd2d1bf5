/** Chromium's event; other engines offer installing in their own menus only. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

/** Holds the browser's offer to install the app, so that the app can make it in its own place. */
export function installOffer(changed: () => void): { install(): (() => void) | null } {
  let offer: InstallPromptEvent | null = null;
  const put = (next: InstallPromptEvent | null): void => {
    offer = next;
    changed();
  };
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    put(event as InstallPromptEvent);
  });
  addEventListener('appinstalled', () => put(null));
  return {
    install() {
      const held = offer;
      if (!held) return null;
      return () => {
        put(null);
        void held.prompt();
      };
    },
  };
}
