/** Copies what an element shows. The clipboard API needs a permission, and this window grants none. */

export function copyTextOf(element: HTMLElement): boolean {
  const selection = document.getSelection();
  if (selection === null) return false;
  selection.selectAllChildren(element);
  const copied = document.execCommand('copy');
  selection.removeAllRanges();
  return copied;
}
