// Wire shapes of Email Activity.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { type MessageStatus, messageStatuses } from '../../../../db/tables/messages.ts'
import { nullableText, oneOf, time } from '../../../core/http/wire.ts'
import { isTestWorkspace } from '../../../kit/id.ts'
import { toText } from '../../../mail/raw-mail.ts'
import type { ActivityRecord } from './activity.ts'
import type { CapturedMail } from './captured.ts'
import { maxSearchChars, searchFields } from './search-language.ts'

const status = oneOf<MessageStatus>(messageStatuses)

const event = t.Object({
  status,
  at: time,
  code: t.Optional(t.String({ description: 'SMTP code, or what happened: `250`, `550 5.1.1`, `crashed`.' })),
  detail: t.Optional(t.String({ description: 'The reply of the mail server, or an explanation.' })),
})

const captured = t.Object(
  {
    capturedId: t.String(),
    url: t.String({ description: 'The dashboard page that shows it.' }),
    from: t.String(),
    to: t.String(),
    subject: t.String(),
    html: nullableText,
    text: nullableText,
    source: t.String({ description: 'The whole message as it would have been sent.' }),
    attachments: t.Array(t.Object({ filename: nullableText, contentType: t.String(), sizeBytes: Type.Integer() })),
  },
  { description: 'Only in capture mode: the mail that was captured instead of sent.' },
)

const attempt = t.Object({
  startedAt: time,
  endedAt: t.Union([time, t.Null()], { description: 'Null while it runs.' }),
  durationMs: t.Union([Type.Integer(), t.Null()]),
  outcome: nullableText,
  code: nullableText,
  detail: nullableText,
})

const recipient = t.Object({
  as: t.Union([t.Literal('to'), t.Literal('cc'), t.Literal('bcc')]),
  name: nullableText,
  email: t.String(),
  messageId: t.String(),
})

export const activityView = t.Object({
  messageId: t.String({ description: 'The Activity id, as returned by a send.' }),
  status: { ...status, description: 'Its current or final state.' },
  kind: t.String({ description: '`transactional`, `campaign`, `rule`, `test` …' }),
  email: t.String(),
  test: t.Optional(t.Literal(true, { description: 'True: it was sent in a test workspace, so it was not delivered.' })),
  contactId: nullableText,
  templateId: t.Optional(t.String()),
  campaignId: t.Optional(t.String()),
  ruleId: t.Optional(t.String()),
  sequenceId: t.Optional(t.String()),
  content: t.Optional(
    t.Literal('own', { description: '`own`: its content was supplied by the caller instead of a template.' }),
  ),
  subject: t.String(),
  locale: t.String(),
  tags: t.Array(t.String()),
  metadata: t.Object({}, { additionalProperties: t.String() }),
  createdAt: time,
  updatedAt: time,
  events: t.Array(event, { description: 'Its history, oldest first.' }),
  attempts: Type.Integer({ description: 'Attempts to hand it to the mail server.' }),
  attemptLog: t.Optional(
    t.Array(attempt, {
      description:
        'Of a single message: each attempt, oldest first, how long it took and what the mail server replied. Kept for 30 days after the last.',
    }),
  ),
  resendOf: t.Optional(t.String({ description: 'The message that this one resends.' })),
  recipients: t.Optional(
    t.Array(recipient, {
      description:
        'For a message of a send to several recipients, or to a recipient with a name: all recipients, each of whom got a message of their own. `bcc` was hidden from all.',
    }),
  ),
  captured: t.Optional(captured),
})

export const activityFilter = {
  q: t.Optional(
    t.String({
      maxLength: maxSearchChars,
      description: `A search: \`to:ada@example.net status:bounced,failed -tag:beta after:7d "your invoice"\`. Fields: ${searchFields.join(', ')}. Several values of a field are alternatives; everything else must hold together; - is not; what has no field is a word of the address or the subject. A page may be shorter than \`perPage\` and still have a next one.`,
      examples: ['domain:example.net status:bounced after:7d'],
    }),
  ),
  idempotencyKey: t.Optional(
    t.String({ maxLength: 256, description: 'The Idempotency-Key of the send: the way to find it after a time-out.' }),
  ),
  status: t.Optional({ ...status, description: 'Only messages with this status.' }),
  email: t.Optional(t.String({ maxLength: 320, description: 'Only to this address; case is ignored.' })),
}

export function toActivityView({ message, events }: ActivityRecord): typeof activityView.static {
  const {
    id,
    status,
    kind,
    email,
    contactId,
    templateId,
    campaignId,
    ruleId,
    sequenceId,
    subject,
    locale,
    tags,
    metadata,
  } = message
  return {
    messageId: id,
    status,
    kind,
    email,
    ...(isTestWorkspace(message.workspaceId) ? { test: true as const } : {}),
    contactId,
    ...(templateId === null ? {} : { templateId }),
    ...(campaignId === null ? {} : { campaignId }),
    ...(ruleId === null ? {} : { ruleId }),
    ...(sequenceId === null ? {} : { sequenceId }),
    ...(message.resendOf === null ? {} : { resendOf: message.resendOf }),
    ...(message.revisionId === null ? { content: 'own' as const } : {}),
    subject,
    locale,
    tags: tags ?? [],
    metadata: metadata ?? {},
    createdAt: message.createdAt.toISOString(),
    updatedAt: message.updatedAt.toISOString(),
    events: events.map(({ status, at, code, detail }) => ({
      status,
      at: at.toISOString(),
      ...(code === null ? {} : { code }),
      ...(detail === null ? {} : { detail }),
    })),
    attempts: message.attempts,
  }
}

/** Of a single message. */
export function toAttemptViews({ attempts }: ActivityRecord): (typeof attempt.static)[] {
  return attempts.map(({ startedAt, endedAt, outcome, code, detail }) => ({
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    durationMs: endedAt && endedAt.getTime() - startedAt.getTime(),
    outcome,
    code,
    detail,
  }))
}

export async function toCapturedView(
  { row, raw, mail }: CapturedMail,
  baseUrl: string,
): Promise<typeof captured.static> {
  const { from, to, subject, html, text, attachments } = mail
  return {
    capturedId: String(row.id),
    url: `${baseUrl}/captured/${row.id}`,
    from,
    to,
    subject,
    html,
    text,
    source: await toText(raw),
    attachments: attachments.map(({ contentId: _, ...one }) => one),
  }
}
