// A caller's word in a table of ours: no table has `toString` or `constructor`.

/** What `table` itself holds under `name`; nothing that it inherits. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
