// Every answer to "why is this not moving?" that is not an attention item. The checks are in why.ts and jobs.ts, and call the functions
// that the dispatcher and the campaigns use.

import type { FaultCause } from '../../mail/fault-cause.ts'
import { type Code as AttentionCode, type Finding, findingText } from '../attention/rules.ts'

/** `stopped`: until somebody acts. `waiting`: it continues automatically. `moving`: it is in progress. `over`: nothing more is to come. The strongest first. */
export const states = ['stopped', 'waiting', 'moving', 'over'] as const
export type State = (typeof states)[number]

const words = {
  database_hangs: ['stopped', 'The database takes no writes', 'End what locks it, or make room on its disk.'],
  campaign_draft: ['stopped', 'It is a draft', 'Send or schedule it: `POST /v1/campaigns/{campaignId}/send`.'],
  approval_missing: [
    'stopped',
    'A member has to approve it first',
    'Approve it, or send it signed in: `/v1/approvals`.',
  ],
  campaign_approved: [
    'stopped',
    'It is approved, but not sent yet',
    'Send it: `POST /v1/campaigns/{campaignId}/send`.',
  ],
  sender_refused: [
    'stopped',
    'Its sender may not send',
    'Publish the records of the domain and verify it, or change the sender.',
  ],
  not_eligible: [
    'stopped',
    'Its recipient is not eligible, so it ends without being sent',
    'Nothing: this is intended.',
  ],
  campaign_scheduled: ['waiting', 'It starts at its time', 'Nothing, or unschedule it and send it now.'],
  capped: [
    'waiting',
    'The cap of 24 hours is used up',
    'Nothing: the rest is sent later. The operator can raise the cap: `paquebot workspace set-trust`.',
  ],
  put_aside: [
    'waiting',
    'Recipients wait for their local time, or for their quiet hours to end',
    'Nothing: this is intended. Quiet hours are a setting of campaigns: `PATCH /v1/campaign-settings`.',
  ],
  awaits_winner: [
    'waiting',
    'Recipients wait for the winner of the test',
    'Nothing, if clicks decide; by hand: `POST /v1/campaigns/{campaignId}/winner`.',
  ],
  many_delayed: [
    'waiting',
    'Too many recipients wait for a retry',
    'Read why their receivers refuse: see the recipients in state `delayed`.',
  ],
  receiver_slows: [
    'waiting',
    'Its receiver asked us to slow down',
    'Nothing: it is retried automatically, one mail first.',
  ],
  others_first: [
    'waiting',
    'The mail server is slow, and other mail goes first',
    'Nothing; or allow its relay more connections (`maxConnections` of its URL).',
  ],
  endpoint_paused: [
    'waiting',
    'The endpoint fails, so it only gets a request now and then',
    'Look at its last attempts, and repair the endpoint.',
  ],
  endpoint_slow: [
    'waiting',
    'The endpoint answers slowly, so it gets one request at a time',
    'Let the endpoint answer within a second, and do its work afterwards.',
  ],
  endpoint_full: [
    'waiting',
    'Other deliveries to the endpoint come first, and its rate is limited',
    'Raise `maxPerSecond` of the endpoint, narrow its `eventFilters`, or deliver this one now.',
  ],
  tried_again: ['waiting', 'The last attempt failed; it is tried again', 'Read its reply.'],
  scheduled: ['waiting', 'Its time has not come', 'Nothing.'],
  due: [
    'waiting',
    'It is due, and waits for a free place',
    'Nothing, unless it persists: then look at what is running in its lane, `GET /v1/jobs?state=running`.',
  ],
  held: ['stopped', 'It is held with its paused campaign', 'Resume or cancel the campaign.'],
  running: ['moving', 'It is being worked on', 'Nothing.'],
  preparing: ['moving', 'Its recipients are being prepared', 'Nothing.'],
  no_job: ['over', 'Nothing waits here', 'Nothing.'],
  ended: ['over', 'It has ended', 'Nothing.'],
} as const satisfies Record<string, readonly [State, text: string, todo: string]>

export type OwnCode = keyof typeof words
export type Code = OwnCode | AttentionCode
export const ownCodes = Object.keys(words) as OwnCode[]

export interface Reason {
  code: Code
  state: State
  text: string
  todo: string
  since: Date | null
  /** When it goes on by itself, or is tried again. */
  until: Date | null
  /** In this case: a reply, a number. */
  detail: string | null
  /** What it is about. */
  thing: { id: string; name: string } | null
  /** Where it is the mail server. */
  cause: FaultCause | null
  /** Which way the mail takes, as far as that is known. */
  path: MailPath | null
}

export interface MailPath {
  /** Null: that of SMTP_URL; undefined: none was chosen yet. */
  relayId?: string | null
  /** As src/mail/receiver-groups.ts calls it; null: whoever it is. */
  receiver: string | null
}

export type ReasonDetails = Partial<Pick<Reason, 'since' | 'until' | 'detail' | 'thing' | 'path'>>

const nothing = { since: null, until: null, detail: null, thing: null, cause: null, path: null }

export function because(code: OwnCode, about: ReasonDetails = {}): Reason {
  const [state, text, todo] = words[code]
  return { code, state, text, todo, ...nothing, ...about }
}

/** In the words of the attention list. */
export function asAttention(finding: Finding, { until = null, path = null }: ReasonDetails = {}): Reason {
  const { code, since, detail = null, thing = null, cause = null } = finding
  const { text, todo } = findingText(finding)
  return { code, state: 'stopped', text, todo, since, until, detail, thing, cause, path }
}

/** The strongest first; otherwise as given, which is the order in which sending meets them. */
export function inOrder(reasons: Reason[]): Reason[] {
  return reasons.toSorted((one, other) => states.indexOf(one.state) - states.indexOf(other.state))
}
