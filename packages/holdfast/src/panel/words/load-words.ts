import { englishFirst } from './english-first';
import type { FirstWords, Words } from './words';

/** Languages the panel speaks, by primary subtag. Each is its own module: a page fetches only the one it shows. */
const speakers: Readonly<Record<string, () => Promise<Words>>> = {
  ar: async () => (await import('./arabic')).arabic,
  de: async () => (await import('./german')).german,
  es: async () => (await import('./spanish')).spanish,
  fr: async () => (await import('./french')).french,
  ja: async () => (await import('./japanese')).japanese,
  zh: async () => (await import('./chinese')).chinese,
};

/**
 * The words for a language tag such as `de-CH`, with its own way to write numbers and times; English where the panel
 * does not speak the language, and for Chinese in traditional characters. Rejects when the module cannot be fetched: an
 * app that is used offline has to precache it.
 */
export async function loadWords(language: string): Promise<FirstWords> {
  const primary = language.toLowerCase().split('-')[0] ?? '';
  if (primary === 'en') return { ...englishFirst, language };
  if (/^zh\b.*-(hant|tw|hk|mo)\b/i.test(language) || !Object.hasOwn(speakers, primary)) return englishFirst;
  const words = await speakers[primary]?.();
  return words ? { ...words, language } : englishFirst;
}
