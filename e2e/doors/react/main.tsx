import { expose } from '../notes/expose';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app';

const root = hydrateRoot(
  document.querySelector('#app')!,
  <StrictMode>
    <App />
  </StrictMode>,
);
expose(() => root.unmount());
