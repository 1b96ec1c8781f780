// The confirmation mail of a double opt-in. Its limits are per address: filling in a form a thousand times with somebody's address must not
// flood their mailbox (opt-in bombing).

import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { confirmationMails, confirmations } from '../../db/tables/lists.ts'
import type { App, Tx } from '../app.ts'
import type { Contact } from '../consent/find-contact.ts'
import type { MailingList } from '../consent/named-lists.ts'
import { isSuppressed, suppressionKey } from '../consent/suppression.ts'
import { networkOf } from '../http/client-ip.ts'
import { sha256Hex } from '../lib/digest.ts'
import { day, hour, minute } from '../lib/duration.ts'
import { newId } from '../lib/id.ts'
import { localeChain } from '../lib/locale.ts'
import { newSecretToken } from '../lib/token.ts'
import { defineJob } from '../outbox/job.ts'
import { fill } from '../rendering/fill.ts'
import { confirmContext } from '../sending/compose.ts'
import { deliverMessage } from '../sending/deliver-message.ts'
import { queueMessages } from '../sending/queue.ts'
import { chooseSender, type Sender } from '../sending/sender.ts'
import { valuesOf } from '../sending/values.ts'
import { confirmationFor } from '../templates/built-in.ts'
import {
  getRevision,
  pickRevision,
  type ResolvedTemplate,
  type Revision,
  resolveTemplate,
} from '../templates/resolve.ts'
import { missingInConfirmation } from '../templates/use-warnings.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import type { Source } from './sources.ts'

/** How long a link works. */
const confirmationMs = 7 * day

/** Confirmations have their own lane, so that no other mail makes a person wait in front of the form. */
export const deliverConfirmation = defineJob({ ...deliverMessage, kind: 'deliver-confirmation', lane: 'mail.optin' })

interface Limit {
  within: number
  most: number
}

/** The form was filled in again. */
const askedAgain: Limit[] = [
  { within: 10 * minute, most: 1 },
  { within: day, most: 3 },
]
/** The person asked for another mail. */
const resendAsked: Limit[] = [{ within: minute, most: 1 }]
const perAddress: Limit = { within: day, most: 5 }
const perSource: Limit = { within: hour, most: 2_000 }
const perIp: Limit = { within: hour, most: 30 }

/** What must be created outside of a transaction: the secret of the link, sealed for the message that will contain it. */
export interface PreparedConfirmation {
  workspace: Workspace
  messageId: string
  tokenHash: string
  sealedToken: string
  sender: Sender
  template: ResolvedTemplate | null
}

export async function prepareConfirmation(
  app: App,
  workspace: Workspace,
  source: Source | null,
): Promise<PreparedConfirmation> {
  const messageId = newId(app, 'msg', app.clock.now())
  const token = newSecretToken(app)
  const slug = source?.confirmationTemplateId
  const template = slug ? await resolveTemplate(app, workspace.id, slug) : null
  const unset = { fromName: null, fromEmail: null, replyTo: null }
  return {
    workspace,
    messageId,
    tokenHash: sha256Hex(token),
    sealedToken: await app.sealer.seal(token, confirmContext(messageId)),
    sender: await chooseSender(app, workspace, template ?? unset, {}),
    template,
  }
}

export interface ConfirmationRequest {
  contact: Contact
  source: Source | null
  lists: MailingList[]
  ip: string | null
  why: 'opt_in' | 'resend'
}

/** Writes the link and its mail, unless a limit or a suppression forbids it. True when a mail will be sent. */
export async function sendConfirmation(
  tx: Tx,
  prepared: PreparedConfirmation,
  request: ConfirmationRequest,
): Promise<boolean> {
  const { workspace, messageId, tokenHash, sealedToken, sender } = prepared
  const { contact, source, lists, ip } = request
  if (await isSuppressed(tx, workspace.id, contact.email, 'confirmation')) return false
  if (!(await isAllowed(tx, workspace.id, request))) return false
  const emailHash = suppressionKey(contact.email)
  const revision = await chooseRevision(tx, prepared, contact)
  const variables = { confirm_token_sealed: sealedToken, list_names: lists.map(({ name }) => name).join(', ') }
  const about = { id: messageId, email: contact.email, locale: revision.locale, variables }
  const senderName = sender.name ?? workspace.name
  const values = valuesOf({ workspace, message: about, contact: null, senderName, now: tx.now })
  await tx.db.insert(confirmations).values({
    tokenHash,
    workspaceId: workspace.id,
    contactId: contact.id,
    emailHash,
    sourceId: source?.id ?? null,
    mailingListIds: lists.map(({ id }) => id),
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + confirmationMs),
    endedAt: null,
    outcome: null,
  })
  await tx.db.insert(confirmationMails).values({
    emailHash,
    sentAt: tx.now,
    messageId,
    workspaceId: workspace.id,
    sourceId: source?.id ?? null,
    ip: ip && networkOf(ip),
  })
  await queueMessages(tx, deliverConfirmation, [
    {
      ...about,
      workspaceId: workspace.id,
      kind: 'confirmation',
      contactId: contact.id,
      templateId: prepared.template?.slug ?? null,
      revisionId: revision.id,
      subject: fill(revision.compiled.subject, values),
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      payload: { messageId: messageId },
    },
  ])
  return true
}

/** The source's own template if it has a suitable locale and is complete there, else the built-in one. */
async function chooseRevision(
  tx: Tx,
  { workspace, template }: PreparedConfirmation,
  contact: Contact,
): Promise<Revision> {
  const chain = localeChain(contact.locale, workspace.primaryLocale)
  const own = template ? pickRevision(template, chain) : null
  const revision = own === null ? null : await getRevision(tx, own, workspace.brand)
  if (revision && missingInConfirmation(revision.compiled.uses).length === 0) return revision
  return await getRevision(tx, confirmationFor(chain).id, workspace.brand)
}

async function isAllowed(
  tx: Tx,
  workspaceId: string,
  { contact, source, ip, why }: ConfirmationRequest,
): Promise<boolean> {
  const address = eq(confirmationMails.emailHash, suppressionKey(contact.email))
  const here = and(address, eq(confirmationMails.workspaceId, workspaceId))
  const limits = why === 'resend' ? resendAsked : askedAgain
  for (const limit of limits) if (!(await isBelow(tx, here, limit))) return false
  if (!(await isBelow(tx, address, perAddress))) return false
  if (source && !(await isBelow(tx, eq(confirmationMails.sourceId, source.id), perSource))) return false
  return ip === null || (await isBelow(tx, eq(confirmationMails.ip, networkOf(ip)), perIp))
}

async function isBelow(tx: Tx, which: SQL | undefined, { within, most }: Limit): Promise<boolean> {
  const since = new Date(tx.now.getTime() - within)
  const [row] = await tx.db
    .select({ count: sql<number>`count(*)` })
    .from(confirmationMails)
    .where(and(which, gt(confirmationMails.sentAt, since)))
  return (row?.count ?? 0) < most
}
