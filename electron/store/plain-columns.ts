/** Words and numbers of a row, within what they can mean: anybody may have edited it. */

/** The largest distance from 1970 that a Date can have, in ms. */
export const LARGEST_TIME = 8.64e15;

export const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | null =>
  words.find((word) => word === value) ?? null;

export function timeOf(value: unknown): number {
  const time = Number(value);
  return Math.abs(time) <= LARGEST_TIME ? time : 0;
}

export const sizeOf = (value: unknown): number => Math.max(0, Number(value));
