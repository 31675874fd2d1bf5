import { english } from './english';
import type { Words } from './words';

/** Languages the panel speaks, by primary subtag. Each is its own module: a page fetches only the one it shows. */
const speakers: Readonly<Record<string, () => Promise<Words>>> = {};

/**
 * The words for a language tag such as `de-CH`, with its own way to write numbers and times; English where the panel
 * does not speak the language. Rejects when the module cannot be fetched: an app that is used offline has to precache it.
 */
export async function loadWords(language: string): Promise<Words> {
  const primary = language.toLowerCase().split('-')[0] ?? '';
  const words = await (Object.hasOwn(speakers, primary) ? speakers[primary]?.() : undefined);
  if (words) return { ...words, language };
  return primary === 'en' ? { ...english, language } : english;
}
