/** What the searching thread is asked, and what it answers. */

import type { FoundLine } from './search-file.ts';

export interface SearchRequest {
  readonly root: string;
  readonly paths: readonly string[];
  readonly pattern: string;
  readonly most: number;
}

export type FoundMatch = FoundLine & { readonly path: string };

export interface SearchReply {
  readonly found: readonly FoundMatch[];
  /** Files that were not searched for their size. */
  readonly tooLarge: readonly string[];
  readonly isPlainText: boolean;
}
