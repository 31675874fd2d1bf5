/** Where the focus was, said so that it can be found again after the list was drawn anew. */
export interface Focused {
  readonly row: string | undefined;
  readonly act: string | undefined;
  /** The row's place among those drawn. */
  readonly at: number;
}

export function focusedIn(root: ShadowRoot): Focused | null {
  const row = root.activeElement?.closest<HTMLElement>('[data-row]');
  if (!row) return null;
  const { act, field } = (root.activeElement as HTMLElement).dataset;
  return { row: row.dataset['row'], act: act ?? field, at: rowsIn(root).indexOf(row) };
}

/**
 * A row that was settled or moved to another group takes the focus with it into nothing. It is put on the same control of
 * the same row where that went, on the row that took its place otherwise, and on a heading when the list is empty: never
 * on the top of the page, which is where a browser would leave it.
 */
export function restoreFocus(root: ShadowRoot, before: Focused): void {
  if (root.activeElement) return;
  const rows = rowsIn(root);
  const same = rows.find((row) => row.dataset['row'] === before.row);
  const target =
    same?.querySelector<HTMLElement>(`[data-act="${before.act}"], [data-field="${before.act}"]`) ??
    (same ?? rows[Math.min(before.at, rows.length - 1)])?.querySelector<HTMLElement>('.fold') ??
    root.querySelector<HTMLElement>('h3, h2');
  target?.focus();
}

/** Up and down, first and last row: a list of fifty is not walked through by the tab key alone. */
export function moveInList(root: ShadowRoot, event: KeyboardEvent): void {
  const from = (event.target as Element).closest<HTMLElement>('.fold');
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
  if (!from || step === undefined) return;
  const folds = [...root.querySelectorAll<HTMLElement>('.fold')].sort(byPlace);
  const at = Math.min(folds.length - 1, Math.max(0, folds.indexOf(from) + step));
  event.preventDefault();
  folds[at]?.focus();
}

function rowsIn(root: ShadowRoot): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-row]')];
}

/** A virtualised list's rows are in the document in any order. */
function byPlace(a: HTMLElement, b: HTMLElement): number {
  return a.getBoundingClientRect().top - b.getBoundingClientRect().top;
}
