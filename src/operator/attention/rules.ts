// Every kind of attention item: how bad it is, what it is, and what to do. docs/attention.md is generated from this table, with what
// features tell (feature-rules.ts). The checks are in installation.ts and workspace.ts.

import { causeTodo, type FaultCause, faultCauses } from '../../mail/fault-cause.ts'
import { ofFeatures } from './feature-rules.ts'
import type { Rule } from './rule.ts'

const aboutInstallation = {
  sending_held: {
    area: 'quarantine',
    severity: 'urgent',
    text: 'Nothing is sent: the database is not the one that was last served here',
    todo: 'The operator decides what may be sent: `paquebot resume`.',
  },
  database_behind: {
    area: 'quarantine',
    severity: 'warning',
    text: 'This database may be older than the mails it sent: replies arrive for mails that it does not have',
    todo: 'Was the machine rolled back together with its disk? Stop the server, remove the second line of `DATA_DIR/installation`, and start it: the database is held, and `paquebot resume` asks what may be sent. Or does another installation use the same `SECRET_KEY`?',
    operator: true,
  },
  server_off: {
    area: 'server',
    severity: 'warning',
    text: 'Nothing is sent: no server runs on this database',
    todo: 'Start it: `paquebot serve`.',
  },
  dispatcher_stopped: {
    area: 'server',
    severity: 'urgent',
    text: 'Nothing is sent: the dispatcher of this server is not running',
    todo: 'Read the log of the server, then start it again.',
  },
  checkpoints_overtake: {
    area: 'server',
    severity: 'urgent',
    text: 'Several processes share a libSQL server that may stand still for good, because each of their commits may checkpoint',
    todo: 'Start it with `--checkpoint-interval-s 5`.',
    operator: true,
  },
  commits_not_synced: {
    area: 'server',
    severity: 'warning',
    text: 'A power cut at the libSQL server may take what was just answered, an unsubscribe too: it does not sync each commit',
    todo: 'Set its `durability_mode` to `strong`, as docs/scaling.md says.',
    operator: true,
  },
  clock_set_back: {
    area: 'server',
    severity: 'warning',
    text: 'The clock of this machine was set back',
    todo: 'Synchronise it with NTP.',
    operator: true,
  },
  disk_full: {
    area: 'room',
    severity: 'urgent',
    text: 'The disk of the database is full',
    todo: 'Free some space; until then nothing is accepted.',
    operator: true,
  },
  disk_low: {
    area: 'room',
    severity: 'warning',
    text: 'The disk of the database is nearly full',
    todo: 'Free some space, or keep mail for a shorter time: `MESSAGE_RETENTION_DAYS`.',
    operator: true,
  },
  wal_large: {
    area: 'room',
    severity: 'warning',
    text: 'The log of the database grows',
    todo: 'Something reads the database without ending, such as a hanging backup or shell. Stop it.',
    operator: true,
  },
  backup_late: {
    area: 'backup',
    severity: 'warning',
    text: 'The last backup that was checked is older than planned',
    todo: 'Find out why the job `backup` failed: `paquebot backup` shows it as well.',
    operator: true,
  },
  backup_none: {
    area: 'backup',
    severity: 'notice',
    text: 'No automatic backup is configured',
    todo: 'Set `BACKUP_TO` and `BACKUP_PASSPHRASE` or `BACKUP_RECIPIENT`; or schedule `paquebot backup` yourself.',
    operator: true,
  },
  archive_late: {
    area: 'archive',
    severity: 'warning',
    text: 'The archive of every commit is behind',
    todo: 'Its store does not accept files, or the database could not be copied: read the detail, and the log of the server.',
    operator: true,
  },
  archive_gap: {
    area: 'archive',
    severity: 'warning',
    text: 'The archive was interrupted, so some moments cannot be restored',
    todo: 'Nothing, if it happened once: a new generation was begun. `paquebot archive status` shows which times it can restore.',
    operator: true,
  },
  archive_second_writer: {
    area: 'archive',
    severity: 'urgent',
    text: 'Another server writes to the archive of this server, which has stopped writing',
    todo: 'Find it: two servers use copies of one database, or the same `ARCHIVE_URL`. Stop one of them, or give it another location; then restart.',
    operator: true,
  },
  links_local: {
    area: 'address',
    severity: 'notice',
    text: 'Links in mail, including unsubscribe links, only work on this machine',
    todo: 'Set `BASE_URL` to the address that recipients reach.',
    operator: true,
  },
  bounces_unseen: {
    area: 'bounces',
    severity: 'notice',
    text: 'Bounces that arrive after the relay accepted a mail are not seen, so no address is suppressed for them',
    todo: 'Set `INBOUND_DOMAIN` and `INBOUND_SMTP_PORT`, or have the provider report them: `PUT /v1/provider-hooks`.',
    operator: true,
  },
  capture_mode: {
    area: 'sending',
    severity: 'notice',
    text: 'No mail is sent: it is captured',
    todo: 'Set `SMTP_URL` and `MAIL_FROM`, or add a relay (`paquebot relay create`), to send it. Captured mail is at `/captured`.',
  },
} as const satisfies Record<string, Rule>

const ofMail = {
  mail_held: {
    area: 'sending',
    severity: 'urgent',
    text: 'The mail server refuses us or cannot be reached, and mail is held',
    todo: 'Read its reply, and what `cause` says to check. One mail is tried automatically, or at once with `POST /v1/sending-faults/try-again`.',
  },
  mail_server_fails: {
    area: 'sending',
    severity: 'urgent',
    text: 'The mail server cannot be reached, or accepts nothing from us, and mail is delayed',
    todo: 'Read its reply, and what `cause` says to check. Mail is tried again automatically, or at once with `POST /v1/sending-faults/try-again`.',
  },
  relay_fails: {
    area: 'sending',
    severity: 'warning',
    text: 'A relay carries nothing, and others carry its mail',
    todo: 'Read its reply, and what `cause` says to check: `paquebot relay test` sends a mail through it. One mail tries it again automatically.',
    operator: true,
  },
  mail_refused: {
    area: 'sending',
    severity: 'urgent',
    text: 'The mail server refuses this sender, and mail is delayed',
    todo: 'Read its reply: what it requires of the sending domain (SPF, DKIM, DMARC), or which block list has it.',
  },
  receiver_refuses: {
    area: 'sending',
    severity: 'warning',
    text: 'One receiving domain refuses mail of this workspace; mail to other domains is sent',
    todo: 'Read its reply. Are these addresses old? Is the sender on its block list? Waiting mail is tried again automatically.',
  },
  receiver_slow: {
    area: 'sending',
    severity: 'warning',
    text: 'The mail server does not answer in time for one receiving domain, and its mail waits; mail to other domains is sent',
    todo: 'Ask the mail server or its log what that domain does. Its mail shares a part of the connections, and is tried again automatically.',
  },
  jobs_late: {
    area: 'outbox',
    severity: 'warning',
    text: 'Jobs are due but do not run',
    todo: 'Check what runs in that lane: `GET /v1/jobs?state=running`. Is the mail server or an endpoint slow?',
  },
  jobs_dead: {
    area: 'outbox',
    severity: 'urgent',
    text: 'Jobs failed for good',
    todo: 'Read the reasons, then retry or cancel them: `GET /v1/jobs?state=dead`.',
  },
  mail_uncertain: {
    area: 'outbox',
    severity: 'urgent',
    text: 'It is not known whether mails arrived',
    todo: 'Ask the mail server or its log, then decide: `GET /v1/jobs?state=ambiguous`, `POST /v1/jobs/resolve`.',
  },
  mail_failed: {
    area: 'outbox',
    severity: 'warning',
    text: 'Mails of the last day could not be sent',
    todo: 'Read the reason of each: `GET /v1/activity?q=status:failed`.',
  },
  workspace_suspended: {
    area: 'sending',
    severity: 'urgent',
    text: 'This workspace is suspended: its mail waits, and its keys are refused',
    todo: 'Read the reason, and ask whoever keeps the installation. Nothing is lost: it goes on when the workspace is resumed.',
  },
  domain_unproven: {
    area: 'domains',
    severity: 'urgent',
    text: 'No workspace has proved that it owns the domain',
    todo: 'Publish its ownership record, or have the operator vouch for it: `paquebot domain vouch`.',
  },
  domain_taken: {
    area: 'domains',
    severity: 'urgent',
    text: 'The sending domain belongs to another workspace',
    todo: 'Remove it here, or let the operator assign it.',
  },
  domain_broken: {
    area: 'domains',
    severity: 'urgent',
    text: 'The DNS records of a sending domain are no longer correct',
    todo: 'Publish its DKIM records again, then verify it: `POST /v1/sending-domains/{domainId}/verify`.',
  },
  domain_unverified: {
    area: 'domains',
    severity: 'warning',
    text: 'A sending domain is not verified',
    todo: 'Publish its records, then verify it: `POST /v1/sending-domains/{domainId}/verify`.',
  },
  link_domain_failing: {
    area: 'domains',
    severity: 'urgent',
    text: 'The link domain is not right any more, and new mails have the links of the installation',
    todo: 'Publish its records again, then check it: `POST /v1/workspace/link-domain/verify`. Links in mails that were sent may not work until then.',
  },
  link_domain_pending: {
    area: 'domains',
    severity: 'notice',
    text: 'The link domain is not proved yet',
    todo: 'Publish its records (`GET /v1/workspace`), then check it: `POST /v1/workspace/link-domain/verify`.',
  },
  domain_spoofed: {
    area: 'domains',
    severity: 'warning',
    text: 'Receivers report that somebody else sends as a sending domain',
    todo: 'Look at the servers (`GET /v1/sending-domains/{domainId}/reports?verdict=stranger`). Is one of them a service of yours, let it sign. Else a stricter policy of DMARC stops it: `reports/days` proposes one when it is safe.',
  },
  requirement_broken: {
    area: 'domains',
    severity: 'warning',
    text: 'A sending domain does not meet a requirement of a large receiver',
    todo: 'Read the evidence, and what to do: `GET /v1/sending-domains/{domainId}/requirements`.',
  },
  dmarc_missing: {
    area: 'domains',
    severity: 'notice',
    text: 'A sending domain has no DMARC record, or a wrong one',
    todo: 'Publish `_dmarc` as `v=DMARC1; p=none`: large receivers require one.',
  },
} as const satisfies Record<string, Rule>

const all = { ...aboutInstallation, ...ofMail, ...ofFeatures }
export type Code = keyof typeof all
export const rules: Record<Code, Rule> = all
export const codes = Object.keys(all) as Code[]

/** What was found. */
export interface Finding {
  code: Code
  /** Null if no row tells: then since it was first seen. */
  since: Date | null
  /** Null: the whole installation. */
  workspaceId: string | null
  /** The one that it is about. */
  thing?: { id: string; name: string }
  /** In this case: a reply, a number. */
  detail?: string
  /** Of mail that does not leave because of the mail server. */
  cause?: FaultCause
  /** Which relay that is; null: that of SMTP_URL. */
  relayId?: string | null
}

/** What is wrong, and what to do: of what a mail server has against us, by its cause. */
export function findingText({
  code,
  cause,
  relayId = null,
}: Pick<Finding, 'code' | 'cause' | 'relayId'>): Pick<Rule, 'text' | 'todo'> {
  if (cause === undefined) return rules[code]
  const { text } = code === 'relay_fails' ? rules[code] : faultCauses[cause]
  return { text, todo: causeTodo(cause, relayId) }
}
