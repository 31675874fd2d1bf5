import type { Told } from '../intent.ts';

/** Says outside of the browser what a page was told, at once. Off line it tries again until somebody hears. */
export async function tell(url: string, told: Told): Promise<void> {
  for (;;) {
    try {
      await fetch(url, { method: 'POST', body: JSON.stringify([told]), keepalive: true });
      return;
    } catch {
      await new Promise((soon) => setTimeout(soon, 100));
    }
  }
}
