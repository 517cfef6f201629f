/** What a capture says beside its states, in words for people; the plan of a rewind reads some of it back. */

import type { BigIntStats } from 'node:fs';
import type { RelPath } from '../../shared/ids.ts';

const MOVED_FROM = 'moved from ';

export const movedTo = (path: RelPath): string => `moved to ${path}`;
export const movedFrom = (path: RelPath): string => `${MOVED_FROM}${path}`;

/** The path in a mark of `movedFrom`. */
export const sourceOfMove = (mark: string): string | null =>
  mark.startsWith(MOVED_FROM) ? mark.slice(MOVED_FROM.length) : null;

export const linkMarks = (stats: BigIntStats | null): readonly string[] =>
  isLinked(stats) ? [`hard link: ${stats?.nlink} names share this content`] : [];

/** A replaced file is a new one: the other names keep the old content. */
export const unlinkedMarks = (stats: BigIntStats | null): readonly string[] =>
  isLinked(stats) ? ['hard link: this name no longer shares its content with the others'] : [];

const isLinked = (stats: BigIntStats | null): boolean => stats?.isFile() === true && stats.nlink > 1n;
