// Makes messages of a mail that was submitted over SMTP: one for each recipient, all in one transaction. The same Message-ID from the same
// key is a repeat, for each recipient separately: a client may submit one mail in several parts.

import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import { type App, type Reader, type Tx, writeRoutine } from '../../core/app.ts'
import { findOutcomes, keepOutcomes, type Outcome, type RequestKey, toOutcome } from '../../core/http/idempotency.ts'
import { findContacts } from '../../features/contacts/consent/find-contact.ts'
import { acceptEach } from '../../features/sending/accept.ts'
import { type Content, forgetContent, mimeContent } from '../../features/sending/own-content.ts'
import { suppressedText } from '../../features/sending/queue.ts'
import { type OwnMessage, queueOwn } from '../../features/sending/queue-own.ts'
import type { SendAnswer } from '../../features/sending/schema.ts'
import { getTemplateToSend, only } from '../../features/sending/send.ts'
import { chooseSender, type Sender } from '../../features/sending/sender.ts'
import { tellRefusal } from '../../features/webhooks/limit-events.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { createPace } from '../../kit/turn.ts'
import type { RawMail } from '../../mail/raw-mail.ts'
import type { InboundMail } from '../../mail/smtp-session.ts'
import type { WorkingKey } from '../../people/access/api-keys.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import { mustTakeMails } from '../../people/limits.ts'
import { type Fill, readFill } from './fill.ts'

const route = 'SMTP'

export interface Accepted {
  /** In the order of the recipients. */
  messageIds: string[]
  /** A mail that was accepted before is not sent again. */
  replayed: boolean
}

interface Submission {
  app: App
  key: WorkingKey
  recipients: string[]
  messageId: string | null
  keys: (RequestKey | null)[]
}

/** Throws AppError for a refusal; one for suppressed recipients only when there is no other. */
export async function acceptSubmission(app: App, key: WorkingKey, { raw, ...mail }: InboundMail): Promise<Accepted> {
  // Case does not make another person.
  const recipients = [...new Map(mail.recipients.map((one) => [one.toLowerCase(), one])).values()]
  const content = await mimeContent(app, raw)
  let isQueued = false
  try {
    const { head } = content
    const submission = {
      app,
      key,
      recipients,
      messageId: head.messageId,
      keys: await requestKeys(key, content, raw, recipients),
    }
    const { fromName, fromEmail } = { fromName: head.from.name, fromEmail: head.from.address }
    const sender = await chooseSender(app, key.workspace, { fromName, fromEmail, replyTo: null }, {})
    for (const { field: path, address } of head.senders) await checkAddress(app, key.workspace.id, { address, path })
    const fill = readFill(head.fields)
    if (fill.template !== null)
      return readOutcomes(await fillTemplate(submission, { ...fill, template: fill.template }))
    const outcomes = await queue({ ...submission, content, sender, tags: fill.tags })
    isQueued = outcomes.some(({ replayed, kept }) => !replayed && 'answer' in kept)
    return readOutcomes(outcomes)
  } catch (error) {
    // It may have been accepted, with its content.
    if (error instanceof AppError && error.code === 'outcome_unknown') isQueued = true
    await tellRefusal(app, key.workspace.id, error)
    throw error
  } finally {
    if (!isQueued) await forgetContent(app, content)
  }
}

/** A key of its own for each recipient; null without a Message-ID. The addresses are not kept in clear. */
async function requestKeys(
  key: WorkingKey,
  { head: { messageId } }: Awaited<ReturnType<typeof mimeContent>>,
  raw: RawMail,
  recipients: string[],
): Promise<(RequestKey | null)[]> {
  if (messageId === null) return recipients.map(() => null)
  const requestHash = await digestMail(raw)
  return recipients.map((recipient) => {
    const name = sha256Hex(JSON.stringify([key.id, messageId, recipient.toLowerCase()]))
    return { workspaceId: key.workspace.id, route, key: name, requestHash }
  })
}

async function digestMail({ pieces }: RawMail): Promise<string> {
  const pace = createPace()
  const hash = new Bun.CryptoHasher('sha256')
  for (const piece of pieces) {
    hash.update(Buffer.from(piece))
    await pace()
  }
  return hash.digest('hex')
}

type Outcomes = Outcome<SendAnswer>[]

/** A mail that is sent with its own content. */
interface OwnSubmission extends Submission {
  content: Content
  sender: Sender
  tags: string[] | null
}

/** Mails that arrive at the same time share a commit (db/writer.ts), and what they look up. */
async function queue(submission: OwnSubmission): Promise<Outcomes> {
  const { app, key, recipients, keys } = submission
  const names = recipients.map((email) => ({ workspaceId: key.workspace.id, email, userId: null }))
  const contacts = await findContacts(app, names)
  return await writeRoutine(app, (tx) =>
    unlessKept(tx, tx.now, keys, async (fresh) => {
      const list = fresh.map((at) =>
        toMessage(tx, submission, { email: recipients[at] ?? '', contactId: contacts[at]?.id ?? null }),
      )
      const reasons = await queueOwn(tx, list)
      await mustTakeMails(tx, key.workspace, reasons.filter((reason) => reason === null).length)
      const outcomes = list.map(({ id }, index) => outcomeFor(id, reasons[index] ?? null))
      await keepOutcomes(
        tx,
        outcomes.map((outcome, index) => ({ key: keys[fresh[index] ?? -1] ?? null, outcome })),
      )
      return outcomes
    }),
  )
}

function toMessage(
  tx: Tx,
  { key: { workspace }, messageId, sender, content, tags }: OwnSubmission,
  to: { email: string; contactId: string | null },
): OwnMessage {
  const { name: fromName, email: fromEmail, replyTo } = sender
  const about = { workspaceId: workspace.id, locale: workspace.primaryLocale, tags, idempotencyKey: messageId }
  return { ...about, ...to, id: newId(tx, 'msg', tx.now), fromName, fromEmail, replyTo, content }
}

function outcomeFor(messageId: string, reason: SuppressionReason | null): Outcome<SendAnswer> {
  if (reason === null) return toOutcome({ status: 200, response: { success: true, messageId } })
  return toOutcome({ refusal: new AppError('recipient_suppressed', suppressedText(reason), { extra: { messageId } }) })
}

/** The kept outcomes, and those of the rest (by index). */
async function unlessKept(
  reader: Reader,
  now: Date,
  keys: (RequestKey | null)[],
  rest: (fresh: number[]) => Promise<Outcomes>,
): Promise<Outcomes> {
  const kept = await findOutcomes<SendAnswer>(reader, keys, now)
  const fresh = kept.flatMap((one, at) => (one === null ? [at] : []))
  const made = fresh.length === 0 ? [] : await rest(fresh)
  const byIndex = new Map(fresh.map((at, index) => [at, made[index]]))
  return kept.map((one, at) => one ?? byIndex.get(at) ?? lost())
}

function lost(): never {
  throw new Error('a recipient was neither written nor refused')
}

/** The mail is that of the template; of what was handed over only the recipients count. */
async function fillTemplate(
  { app, key, recipients, messageId, keys }: Submission,
  { template: templateId, variables, tags }: Fill & { template: string },
): Promise<Outcomes> {
  const { workspace } = key
  const template = await getTemplateToSend(app, workspace, { templateId })
  const sender = await chooseSender(app, workspace, template, {})
  const body = { dataVariables: variables, ...(tags && { tags }) }
  return await unlessKept(app, app.clock.now(), keys, (fresh) =>
    acceptEach(
      app,
      fresh.map((at) => ({
        key: keys[at] ?? null,
        answer: only,
        requests: [
          {
            ahead: null,
            workspace,
            body,
            template,
            recipients: [{ as: 'to' as const, name: null, address: recipients[at] ?? null }],
            recipientField: 'email' as const,
            sender,
            headers: null,
            attachments: [],
            runAt: undefined,
            idempotencyKey: messageId,
            trace: null,
          },
        ],
      })),
    ),
  )
}

/** Throws the refusal if there is nobody else. */
function readOutcomes(outcomes: Outcomes): Accepted {
  const refusals = outcomes.flatMap(({ kept }) => ('refusal' in kept ? [kept.refusal] : []))
  const [first] = refusals
  if (first && refusals.length === outcomes.length) throw new AppError(first.code, first.message, first.details)
  return {
    messageIds: outcomes.map(({ kept }) =>
      'answer' in kept ? kept.answer.messageId : String(kept.refusal.details.extra?.messageId ?? ''),
    ),
    replayed: outcomes.every(({ replayed }) => replayed),
  }
}
