// Where Workbox's own tools look: `generateSW` and `workbox-google-analytics` import this file of the package that they
// take for `workbox-background-sync`. See docs/moving-from-workbox.md.
export { BackgroundSyncPlugin } from './dist/workbox.js';
