/** Branded ids: a number or string of one meaning can't be passed where another is meant. */

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/**
 * The number of an entry in a folder's history: agent turns and rewinds share one sequence that counts from 1
 * and is never used again.
 */
export type TurnNumber = Brand<number, 'TurnNumber'>;
/** An open folder of a window; made by the main process, opaque to the renderer. */
export type WorkspaceId = Brand<string, 'WorkspaceId'>;
/** A path inside the folder: relative, `/` between components, no `.` or `..`, nothing reserved. Made by parseRelPath only. */
export type RelPath = Brand<string, 'RelPath'>;
/** Lower-case hex SHA-256 of some bytes. */
export type Sha256 = Brand<string, 'Sha256'>;
/** Hash of a plan's content. */
export type PlanId = Brand<string, 'PlanId'>;
/** A node of the transcript tree. */
export type MessageId = Brand<number, 'MessageId'>;

const SHA256_PATTERN = /^[0-9a-f]{64}$/;

export const isSha256 = (text: string): text is Sha256 => SHA256_PATTERN.test(text);
export const isTurnNumber = (value: number): value is TurnNumber => Number.isSafeInteger(value) && value >= 1;
export const asTurnNumber = (value: number): TurnNumber => value as TurnNumber;
export const asSha256 = (text: string): Sha256 => text as Sha256;
export const asMessageId = (value: number): MessageId => value as MessageId;
export const asWorkspaceId = (text: string): WorkspaceId => text as WorkspaceId;
export const asPlanId = (text: string): PlanId => text as PlanId;
