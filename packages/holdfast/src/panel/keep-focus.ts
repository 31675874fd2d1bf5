/** Where the focus was, said so that it can be found again after everything was drawn anew. */
export interface Focused {
  /** The row it was in. */
  readonly row: string | undefined;
  readonly act: string | undefined;
  /** The row's place among those drawn. */
  readonly at: number;
  /** The part of the panel it was in; still in the document when only the control is gone. */
  readonly part: Element | null | undefined;
}

export function focusedIn(root: ShadowRoot): Focused | null {
  const element = root.activeElement as HTMLElement | null;
  if (!element) return null;
  const row = element.closest<HTMLElement>('[data-row]');
  const { act, field } = element.dataset;
  return {
    row: row?.dataset['row'],
    act: act ?? field,
    at: row ? rowsIn(root).indexOf(row) : -1,
    part: row ? null : element.closest('.bar, .head, .tiles, .finder')?.parentElement,
  };
}

/**
 * A control that is gone takes the focus with it into nothing. It is put on the same control of the same row where that
 * went, on the row that took its place otherwise; on what took the control's own place (resume for pause); and on a
 * heading when there is nothing near: never on the top of the page, which is where a browser would leave it.
 */
export function restoreFocus(root: ShadowRoot, before: Focused): void {
  if (root.activeElement) return;
  const rows = rowsIn(root);
  const same = rows.find((row) => row.dataset['row'] === before.row);
  const next = before.at < 0 ? undefined : rows[Math.min(before.at, rows.length - 1)];
  const target =
    same?.querySelector<HTMLElement>(`[data-act="${before.act}"], [data-field="${before.act}"]`) ??
    (same ?? next)?.querySelector<HTMLElement>('.fold') ??
    before.part?.querySelector<HTMLElement>('.bar button:last-child') ??
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
