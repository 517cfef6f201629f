/** For the one element of a dialog or form where a person begins: it has the focus once it is there. */

/** The attribute is for a dialog, which can only give the focus after it has opened. */
export const startsFocused = {
  'data-autofocus': true,
  ref: (element: HTMLElement | null) => element?.focus(),
};
