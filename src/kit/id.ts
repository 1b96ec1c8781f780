// Ids are text: a prefix for the kind and a UUIDv7. They sort by time, and the kind of any id can be seen.

import type { Random } from './random.ts'

/** Two to five letters, of one kind of thing. */
export type IdPrefix = Lowercase<string>

/** Anything that can create ids: App and Tx both fit. */
export interface IdSource {
  random: Random
}

/** Sorts before every id created at `at` or later. */
export function firstId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${at.getTime().toString(16).padStart(12, '0')}`
}

/** `msg_0192ce1126d57dc393051426de888c5a`: no ".", so it may be a Webhook-Id (Standard Webhooks 1.0.0). */
export function newId(source: IdSource, prefix: IdPrefix, now: Date): string {
  return `${prefix}_${source.random.uuidv7(now)}`
}

/**
 * An id that sorts by `due`, and for equal times by creation: a UUIDv7 whose random bits begin with 32 bits of the creation time and 24 of the
 * generator's counter (RFC 9562, 6.2). With random bits alone, a million mails due on Monday at nine would be written all over the index,
 * each to another page, and would be sent in random order.
 */
export function newIdDueAt(source: IdSource, prefix: IdPrefix, { due, now }: { due: Date; now: Date }): string {
  const uuid = source.random.uuidv7(now)
  const [high, low, counter, chance] = [uuid.slice(4, 7), uuid.slice(7, 12), uuid.slice(18, 24), uuid.slice(-4)]
  return `${firstId(prefix, due)}7${high}8${low}${counter}${chance}`
}

/** The id of a workspace and that of its test workspace say which is whose, so that no look-up and no stored mark can be wrong about it. */
export function isTestWorkspace(workspaceId: string): boolean {
  return workspaceId.startsWith('wst_')
}

export function testIdOf(workspaceId: string): string {
  return workspaceId.replace(/^ws_/, 'wst_')
}

/** The same id for what is no test workspace. */
export function realIdOf(workspaceId: string): string {
  return workspaceId.replace(/^wst_/, 'ws_')
}
