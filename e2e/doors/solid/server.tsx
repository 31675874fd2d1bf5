import { generateHydrationScript, renderToString } from 'solid-js/web';
import { App } from './app';

export const render = () => renderToString(() => <App />);

/** For the page's head. */
export const head = generateHydrationScript;
