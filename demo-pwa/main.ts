import '@fontsource-variable/atkinson-hyperlegible-next';
import 'holdfast/panel/define';
import { openOutbox, type Outbox } from 'holdfast/page';
import './app/round-app';
import { createRound } from './app/round-store';
import { markUnsent } from './app/unsent-mark';
import './app/styles/base.css';
import './app/styles/shell.css';
import './app/styles/sites.css';
import './app/styles/records.css';
import './app/styles/sheet.css';
import './app/styles/sign-in.css';
import './app/styles/dock.css';
import './app/styles/breaking.css';
import './app/styles/simulator.css';
import { config } from './outbox';

declare global {
  interface Window {
    /** For people at the console, and for tests. */
    outbox: Outbox;
  }
}

const outbox = openOutbox(config);
window.outbox = outbox;

const app = document.createElement('round-app');
app.outbox = outbox;
app.round = createRound(outbox);
document.body.append(app);
markUnsent(outbox);

if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch((error: unknown) => {
    // The app works without it: the page is the sender then, and the panel says what is not protected.
    console.warn('No service worker:', error);
  });
}
