/** Puts the focus back to the message, where work goes on after a question or a rewind. */

/** In the next task: a dialog that closes first gives the focus back to what opened it. */
export function focusComposer(): void {
  window.setTimeout(() => document.querySelector<HTMLElement>('[data-composer]')?.focus());
}
