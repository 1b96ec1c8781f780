// A field with several names: one of them is enough, and if two are given they must agree.

import { isDeepStrictEqual } from 'node:util'
import { AppError } from './error.ts'

/** The name that was used (the field's own name first) and its value; null when none was given. Throws `conflicting_fields`. */
export function underAnyName<T extends object, N extends keyof T & string>(
  given: T,
  names: readonly N[],
  { within = '' } = {},
): { name: N; value: NonNullable<T[N]> | Extract<T[N], null> } | null {
  const first = names.find((name) => given[name] !== undefined)
  if (first === undefined) return null
  const value = given[first] as NonNullable<T[N]> | Extract<T[N], null>
  for (const other of names)
    if (other !== first && given[other] !== undefined && !isDeepStrictEqual(given[other], value))
      throw conflicting(`${within}${first}`, `${within}${other}`)
  return { name: first, value }
}

/** The value from the query, the body, or both. Throws `conflicting_fields`. */
export function inQueryOrBody<Q extends object, B extends object>(query: Q, body: B): Q & B {
  for (const [name, value] of Object.entries(body))
    if (Object.hasOwn(query, name) && String(Reflect.get(query, name)) !== String(value))
      throw conflicting(name, `${name} in the query`)
  return { ...query, ...body }
}

/** For a field whose two forms are compared by the caller. */
export function conflicting(path: string, other: string): AppError {
  const message = `${path} and ${other} are names of the same field and say different things; give one of them`
  const errors = [path, other].map((one) => ({ path: one, message, code: 'conflicting_fields' }))
  return new AppError('conflicting_fields', message, { errors })
}
