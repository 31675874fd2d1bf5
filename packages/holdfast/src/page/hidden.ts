/** Nobody sees this page now: another tab is in front of it, or the window is minimised. */
export function isHidden(): boolean {
  return document.visibilityState === 'hidden';
}
