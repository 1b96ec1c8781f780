// Looks up a caller's word in one of our tables, ignoring what every object inherits, like `toString` and `constructor`.

/** The own property `name` of `table`; never an inherited one. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
