import { expose } from '../notes/expose';
import { hydrate, unmount } from 'svelte';
import App from './app.svelte';

const app = hydrate(App, { target: document.querySelector('#app')! });
expose(() => void unmount(app));
