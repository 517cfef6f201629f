/** What a command came to. */

export interface Answer {
  /** The one document for `--json`. */
  readonly json: unknown;
  /** For people. */
  readonly words: string;
  /** False: done in part or failed; the exit code is 1. */
  readonly complete: boolean;
}
