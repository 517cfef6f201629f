/** Leaves out members that are undefined: a schema's optional member may be there and hold nothing. */

export type DefinedOnly<T extends object> = {
  -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

export function definedOnly<T extends object>(value: T): DefinedOnly<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as DefinedOnly<T>;
}
