import { expose } from '../notes/expose';
import { hydrate } from 'solid-js/web';
import { App } from './app';

expose(hydrate(() => <App />, document.querySelector('#app')!));
