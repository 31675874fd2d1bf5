import type { LitElement } from 'lit';
import { englishFirst } from './words/english-first';
import { loadWords } from './words/load-words';
import { replaceWords, type FirstWords, type WordsReplacement } from './words/words';

/** The words an element speaks: those of its page's language, with the app's own texts in place. */
export interface Tongue {
  readonly words: FirstWords;
  /** Sets the language (`''`: the page's) and the texts to replace. */
  speak(language: string, replacement: WordsReplacement): void;
}

/**
 * Follows the nearest `lang` in the page. Other languages than English are modules of their own, fetched when first
 * needed; until one is here, or when it cannot be fetched, the panel speaks English rather than nothing.
 */
export function tongue(host: LitElement): Tongue {
  let base = englishFirst;
  let words = englishFirst;
  let wanted = '';
  let language = '';
  let replacement: WordsReplacement = {};
  let watcher: MutationObserver | undefined;
  const adopt = (next: FirstWords): void => {
    base = next;
    words = replaceWords(base, replacement);
    host.requestUpdate();
  };
  const settle = (): void => {
    const next = language || host.closest('[lang]')?.getAttribute('lang') || navigator.language;
    if (next === wanted) return;
    wanted = next;
    loadWords(next).then(
      (loaded) => {
        if (wanted === next) adopt(loaded);
      },
      () => {
        // Forgotten, so that the next change or reconnection asks for it again.
        if (wanted === next) wanted = '';
      },
    );
  };
  host.addController({
    hostConnected() {
      watcher = new MutationObserver(settle);
      watcher.observe(host.ownerDocument.documentElement, { attributes: true, attributeFilter: ['lang'] });
      settle();
    },
    hostDisconnected: () => watcher?.disconnect(),
  });
  return {
    get words() {
      return words;
    },
    speak(nextLanguage, nextReplacement) {
      if (nextReplacement !== replacement) {
        replacement = nextReplacement;
        adopt(base);
      }
      language = nextLanguage;
      if (host.isConnected) settle();
    },
  };
}
