import { englishDetails } from './english-details';
import { englishFirst } from './english-first';
import { replaceWords, type Words } from './words';

/** All of English, to start a replacement or another language from. */
export const english: Words = replaceWords(englishFirst as Words, englishDetails);
