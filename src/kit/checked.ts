// Reads notations of ours out of untrusted JSON, member by member: a definition of a sequence, a filter. What is wrong is refused with its
// path and the limit.

import { invalidField } from './error.ts'

export function objectAt(path: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalidField(path, `${path} must be an object`)
}

/** Refuses a member that has no meaning there. */
export function onlyMembers(path: string, object: Record<string, unknown>, allowed: readonly string[]): void {
  const unknown = Object.keys(object).find((name) => !allowed.includes(name))
  if (unknown === undefined) return
  const at = path === '' ? unknown.slice(0, 50) : `${path}.${unknown.slice(0, 50)}`
  throw invalidField(at, `${at} does not belong there`, 'unknown_field')
}

export function listAt(path: string, value: unknown, { least = 0, most }: { least?: number; most: number }): unknown[] {
  if (Array.isArray(value) && value.length >= least && value.length <= most) return value
  throw invalidField(path, `${path} must be a list of ${least} to ${most} entries`)
}

export function textAt(path: string, value: unknown, { least = 1, most }: { least?: number; most: number }): string {
  if (typeof value === 'string' && value.length >= least && value.length <= most && !value.includes('\0')) return value
  throw invalidField(path, `${path} must be a text of ${least} to ${most} characters`)
}

export function wholeAt(path: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw invalidField(path, `${path} must be a whole number from ${least} to ${most}`)
}

export function choiceAt<T extends string>(path: string, value: unknown, values: readonly T[]): T {
  const found = values.find((one) => one === value)
  if (found !== undefined) return found
  throw invalidField(path, `${path} must be one of ${values.join(', ')}`)
}

export function constantAt(path: string, value: unknown, most: number): string | number | boolean {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  if (typeof value === 'string' && value.length <= most) return value
  throw invalidField(path, `${path} must be a text of at most ${most} characters, a number or a boolean`)
}
