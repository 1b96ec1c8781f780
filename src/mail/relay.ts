// A relay as it is set, and what carries its mail.

import type { Mailer } from './mailer.ts'

export type MailStream = 'transactional' | 'marketing' | 'replies'

export interface Relay {
  /** Null for the relay of SMTP_URL. */
  id: string | null
  /** Whose mail alone it carries; null: of every workspace that has none of its own. */
  workspaceId: string | null
  /** Draining: it takes no new mail. */
  state: 'active' | 'draining' | 'off'
  /** Its part of what several share; 0: a spare. */
  weight: number
  mostPerSecond: number | null
  mostPerDay: number | null
  /** When its warm-up began; null: it needs none. */
  warmUpSince: Date | null
  /** What it may carry; null: everything. */
  streams: MailStream[] | null
  url: string
}

/** What carries the mail of a relay. */
export interface Way {
  mailer: Mailer
  /** The name of its server; '' for none. */
  host: string
  /** How many mails it carries at once. */
  connections: number
}

/** It carries what nobody has another relay for. */
export const ofSmtpUrl: Relay = {
  id: null,
  workspaceId: null,
  state: 'active',
  weight: 1,
  mostPerSecond: null,
  mostPerDay: null,
  warmUpSince: null,
  streams: null,
  url: 'SMTP_URL',
}
