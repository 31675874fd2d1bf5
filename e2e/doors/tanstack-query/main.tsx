import { expose } from '../notes/expose';
import { createRoot } from 'react-dom/client';
import { App } from './app';

const root = createRoot(document.querySelector('#app')!);
root.render(<App />);
expose(() => root.unmount());
