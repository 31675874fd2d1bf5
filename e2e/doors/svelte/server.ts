import { render as renderOnServer } from 'svelte/server';
import App from './app.svelte';

export const render = () => renderOnServer(App).body;
