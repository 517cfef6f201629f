/** What a capture says beside its states, in words for people. */

import type { BigIntStats } from 'node:fs';
import type { RelPath } from '../../shared/ids.ts';

export const movedTo = (path: RelPath): string => `moved to ${path}`;
export const movedFrom = (path: RelPath): string => `moved from ${path}`;

const SHARED = / names share this content$/;

export const linkMarks = (stats: BigIntStats | null): readonly string[] =>
  isLinked(stats) ? [`hard link: ${stats?.nlink} names share this content`] : [];

/** Whether a capture says that its file had several names, which all went on sharing its content. */
export const isShared = (marks: readonly string[]): boolean => marks.some((mark) => SHARED.test(mark));

/** A replaced file is a new one: the other names keep the old content. */
export const unlinkedMarks = (stats: BigIntStats | null): readonly string[] =>
  isLinked(stats) ? ['hard link: this name no longer shares its content with the others'] : [];

const isLinked = (stats: BigIntStats | null): boolean => stats?.isFile() === true && stats.nlink > 1n;
