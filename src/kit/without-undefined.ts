// Drops the members of an object that are undefined.

export type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>
}
