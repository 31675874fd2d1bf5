import { defineConfig } from 'vitepress';
import { sidebar } from '../site/sidebar';

/**
 * The site of `docs/`. Nothing is fetched while it is built or read: fonts and the search index are in it. A link to a page
 * that is not there fails the build.
 */
export default defineConfig({
  title: 'Holdfast',
  description: 'An offline-first request outbox for web apps.',
  lang: 'en',
  cleanUrls: false,
  lastUpdated: false,
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Recipes', link: '/recipes/auth' },
      { text: 'Guarantees', link: '/guarantees' },
      { text: 'API', link: '/reference/' },
    ],
    sidebar: sidebar(),
    search: { provider: 'local' },
    outline: [2, 3],
    footer: { message: 'MIT licence' },
  },
});
