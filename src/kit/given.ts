// Drops the members of an object that are undefined.

export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}
