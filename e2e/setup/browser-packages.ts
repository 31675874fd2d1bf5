import type { EngineName } from '../browsers/engine.ts';

/** What each engine needs on Debian. Fonts are named, since a page without any is blank in a screenshot. */
export const browserPackages: Readonly<Record<EngineName, readonly string[]>> = {
  chromium: ['chromium', 'fonts-dejavu-core'],
  firefox: ['firefox-esr', 'fonts-dejavu-core'],
  webkit: ['webkit2gtk-driver', 'xvfb', 'python3-gi', 'gir1.2-webkit2-4.1', 'fonts-dejavu-core'],
};
