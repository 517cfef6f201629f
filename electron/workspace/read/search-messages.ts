/** What the searching thread is asked, and what it answers. */

import type { FoundLine } from './search-file.ts';

export interface SearchRequest {
  readonly root: string;
  readonly paths: readonly string[];
  readonly pattern: string;
  readonly most: number;
}

export interface SearchReply {
  readonly found: readonly (FoundLine & { readonly path: string })[];
}
