import { englishDetails } from './words/english-details';
import { replaceWords, type FirstWords, type Words } from './words/words';

const filled = new WeakMap<FirstWords, Words>();

/** The words with those for what is behind a click: the language's own where they came with it, English otherwise. */
export function fullWords(words: FirstWords): Words {
  const known = filled.get(words);
  if (known) return known;
  const full = replaceWords(replaceWords({} as Words, englishDetails), words);
  filled.set(words, full);
  filled.set(full, full);
  return full;
}
