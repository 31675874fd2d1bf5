import type { Json } from '../core/entry';

/** Hands a JSON file to the browser's downloads. */
export function saveFile(name: string, content: Json): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the blob once the click has been handled.
  queueMicrotask(() => URL.revokeObjectURL(url));
}
