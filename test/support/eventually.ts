// What a page or another process shows follows a moment later: it is read until it is as expected, so no test depends on how soon that is.

import { expect, type Matchers } from 'bun:test'
import { setTimeout as pause } from 'node:timers/promises'

/** A machine that is busy with other things takes its time; only what is wrong takes all of it. */
const withinMs = 20_000
const pauseMs = 20

/** The matchers of expect(), each a promise of what was read. */
type Eventually<M, T> = {
  [Name in keyof M]: M[Name] extends (...values: infer Values) => unknown
    ? (...values: Values) => Promise<T>
    : Eventually<M[Name], T>
}

/** `await eventually(() => page.getByRole('row').count()).toBe(3)`. `read` has no effect: it is called again and again. */
export function eventually<T>(read: () => T | Promise<T>, message?: string): Eventually<Matchers<T>, T> {
  const matchers = (path: string[]): object =>
    new Proxy(() => {}, {
      // `not`, or a matcher; a proxy that had `then` would be taken for a promise.
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? matchers([...path, name]) : undefined),
      apply: (_, __, values) => until(read, (value) => match(expect(value, message), path, values)),
    })
  return matchers([]) as Eventually<Matchers<T>, T>
}

/** What a page shows there, once it is like that: for what a test goes on with. */
export async function shown(locator: { textContent(): Promise<string | null> }, like: RegExp): Promise<string> {
  return (await eventually(() => locator.textContent()).toMatch(like)) ?? ''
}

function match(expected: object, path: string[], values: unknown[]): void {
  const [name = '', ...rest] = path
  const found = Reflect.get(expected, name)
  if (rest.length > 0) match(found, rest, values)
  else found.apply(expected, values)
}

async function until<T>(read: () => T | Promise<T>, check: (value: T) => void): Promise<T> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    try {
      const value = await read()
      check(value)
      return value
    } catch (error) {
      if (performance.now() > endsAt) throw error
    }
    await pause(pauseMs)
  }
}
