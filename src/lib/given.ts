// What is said of an object's members: those that are undefined are left out, as if nobody had written them.

export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}
