import { describe, expect, it } from 'vitest';
import { arabic } from './arabic';
import { chinese } from './chinese';
import { english } from './english';
import { french } from './french';
import { german } from './german';
import { japanese } from './japanese';
import { loadWords } from './load-words';
import { spanish } from './spanish';
import { replaceWords, type Plural, type Words } from './words';

const languages: readonly Words[] = [english, german, french, spanish, japanese, chinese, arabic];

/** Every text of a language by its path; plural forms count as one, in their `other` form. */
function texts(words: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(words)) {
    const here = path ? `${path}.${key}` : key;
    if (typeof value === 'string') found.set(here, value);
    else if ('other' in value && here !== 'error') found.set(here, (value as Plural).other);
    else for (const [inner, text] of texts(value as object, here)) found.set(inner, text);
  }
  return found;
}

const places = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe.each(languages.map((words) => [words.language, words] as const))('the words in %s', (_language, words) => {
  it('have every text English has, none of them empty', () => {
    expect([...texts(words).keys()].sort()).toEqual([...texts(english).keys()].sort());
    for (const text of texts(words).values()) expect(text.trim()).not.toBe('');
  });

  it('fill in the same values as English', () => {
    for (const [path, text] of texts(words))
      expect([path, places(text)]).toEqual([path, places(texts(english).get(path) ?? '')]);
  });

  it('say saved, sending and confirmed with three different words', () => {
    const { waiting, sending, confirmed, attention } = words.state;
    expect(new Set([waiting, sending, confirmed, attention]).size).toBe(4);
  });

  it('have a text for every plural form the language has where the texts differ by form', () => {
    const forms = new Intl.PluralRules(words.language).resolvedOptions().pluralCategories;
    const plurals = [
      words.count.attempts,
      words.said.attention,
      words.said.replayed,
      words.badge.waiting,
      words.badge.attention,
    ];
    for (const plural of plurals) {
      if (Object.keys(plural).length === 1) continue;
      // "zero" and "many" of romance languages are for nothing and for millions, where "other" is right.
      const needed = words.language === 'ar' ? forms.filter((form) => form !== 'zero') : ['one', 'other'];
      expect(Object.keys(plural)).toEqual(expect.arrayContaining(needed));
    }
  });

  it('are a language tag Intl knows, and say which way they run', () => {
    expect(Intl.NumberFormat.supportedLocalesOf(words.language)).toEqual([words.language]);
    expect(words.direction).toBe(words.language === 'ar' ? 'rtl' : 'ltr');
  });
});

describe('loadWords', () => {
  it('finds the language by its primary subtag and keeps the region for numbers and times', async () => {
    const words = await loadWords('de-CH');
    expect(words).toMatchObject({ language: 'de-CH', heading: german.heading });
  });

  it('speaks English for a language it does not have', async () => {
    expect(await loadWords('nl')).toMatchObject({ language: 'en', heading: 'Outbox' });
    expect(await loadWords('constructor')).toMatchObject({ language: 'en' });
    expect(await loadWords('')).toMatchObject({ language: 'en' });
  });

  it('does not show simplified characters to readers of traditional ones', async () => {
    expect(await loadWords('zh-TW')).toMatchObject({ language: 'en' });
    expect(await loadWords('zh-Hant-HK')).toMatchObject({ language: 'en' });
    expect(await loadWords('zh-CN')).toMatchObject({ language: 'zh-CN', heading: chinese.heading });
  });
});

describe('replaceWords', () => {
  it('replaces single texts and leaves their neighbours', () => {
    const words = replaceWords(english, { heading: 'Pending orders', act: { sendNow: 'Go' } });
    expect(words.heading).toBe('Pending orders');
    expect(words.act).toEqual({ ...english.act, sendNow: 'Go' });
    expect(english.act.sendNow).toBe('Send now');
  });
});
