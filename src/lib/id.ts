// Ids are text: a prefix that names the kind, and a UUIDv7, so they sort by time and a stray id tells what it is.

import type { Random } from './random.ts'

export type IdPrefix =
  | 'ws'
  | 'usr'
  | 'key'
  | 'tpl'
  | 'rev'
  | 'con'
  | 'msg'
  | 'job'
  | 'dom'
  | 'mem'
  | 'evt'
  | 'src'
  | 'sub'
  | 'whe'
  | 'wh'
  | 'whd'
  | 'cmp'
  | 'mbx'
  | 'mtk'
  | 'rcv'
  | 'thr'
  | 'mcp'
  | 'int'
  | 'rule'
  | 'lst'
  | 'cns'
  | 'imp'

/** Anything that can make ids: App and Tx both fit. */
export interface IdSource {
  random: Random
}

/** `msg_0192ce1126d57dc393051426de888c5a`: no ".", so it may be a Webhook-Id (Standard Webhooks 1.0.0). */
/** Sorts before every id that is made at `at` or later. */
export function firstId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${at.getTime().toString(16).padStart(12, '0')}`
}

export function newId(source: IdSource, prefix: IdPrefix, now: Date): string {
  return `${prefix}_${source.random.uuidv7(now)}`
}
