// The confirmation mail of a double opt-in: the link, and the mail that carries it, now or when the limits have room for it.

import { and, eq, gt, isNotNull } from 'drizzle-orm'
import { confirmationMails, confirmations, type HeldBy } from '../../../db/tables/lists.ts'
import { messages } from '../../../db/tables/messages.ts'
import type { App, Tx } from '../../core/app.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { cancelJobs } from '../../core/outbox/waiting.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { day } from '../../kit/duration.ts'
import { newId } from '../../kit/id.ts'
import { localeChain } from '../../kit/locale.ts'
import type { Network } from '../../kit/network.ts'
import { newSecretToken } from '../../kit/token.ts'
import { mustTakeMails } from '../../people/limits.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import type { MailingList } from '../contacts/consent/named-lists.ts'
import { isSuppressed, suppressionKey } from '../contacts/consent/suppression.ts'
import { fill } from '../content/rendering/fill.ts'
import { confirmationFor } from '../content/templates/built-in.ts'
import {
  getRevision,
  pickRevision,
  type ResolvedTemplate,
  type Revision,
  resolveTemplate,
} from '../content/templates/resolve.ts'
import { missingInConfirmation } from '../content/templates/use-warnings.ts'
import { confirmContext } from '../sending/compose.ts'
import { type DeliverMessage, deliverMessage } from '../sending/deliver-message.ts'
import { hardBounce } from '../sending/outcome.ts'
import { queueMessages } from '../sending/queue.ts'
import { chooseSender, type Sender } from '../sending/sender.ts'
import { toValues } from '../sending/values.ts'
import { publish } from '../webhooks/publish.ts'
import { findSlot, giveBackSlots, type LimitedMail, takeSlot } from './confirmation-limits.ts'
import type { Source } from './sources.ts'

/** How long a link works. */
const confirmationMs = 7 * day

/** Confirmations have their own lane, so that no other mail makes a person wait in front of the form. */
export const deliverConfirmation = defineJob<DeliverMessage>({
  ...deliverMessage,
  kind: 'deliver-confirmation',
  lane: 'mail.optin',
  async ended(tx, ended) {
    await deliverMessage.ended?.(tx, ended)
    const neverLeft = ended.filter(
      ({ ending: { state, code } }) => state === 'cancelled' || (state === 'dead' && code !== hardBounce),
    )
    if (neverLeft.length > 0)
      await giveBackSlots(
        tx,
        neverLeft.map(({ job }) => job.payload.messageId),
      )
  },
})

/** Cancels what waits of one network, as `sign_ups_held` names it. Returns how many mails; what others wait for stays. */
export async function cancelHeld(tx: Tx, workspaceId: string, network: Network): Promise<number> {
  const { sentAt, messageId } = confirmationMails
  const rows = await tx.db
    .select({ jobId: messages.jobId })
    .from(confirmationMails)
    .innerJoin(messages, eq(messages.id, messageId))
    .where(
      and(
        eq(confirmationMails.network, network),
        gt(sentAt, tx.now),
        eq(confirmationMails.workspaceId, workspaceId),
        isNotNull(confirmationMails.heldBy),
      ),
    )
    .limit(mostCancelled)
  const jobIds = rows.flatMap(({ jobId }) => jobId ?? [])
  return (await cancelJobs(tx, [deliverConfirmation], { jobIds })).size
}

const mostCancelled = 1_000

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
  network: Network | null
  why: 'opt_in' | 'resend'
}

/** Writes the link and its mail. When it goes out, which may be later; null when none does: a suppression forbids it, or none is needed. */
export async function sendConfirmation(
  tx: Tx,
  prepared: PreparedConfirmation,
  { contact, source, lists, network, why }: ConfirmationRequest,
): Promise<Date | null> {
  const { workspace, messageId, tokenHash, sealedToken, sender } = prepared
  if (await isSuppressed(tx, workspace.id, contact.email, 'confirmation')) return null
  const sourceId = source?.id ?? null
  const mailingListIds = lists.map(({ id }) => id)
  const { id: contactId, email } = contact
  const asked = { workspaceId: workspace.id, contactId, email, sourceId, mailingListIds, network, why }
  const slot = await findSlot(tx, asked)
  if (slot === null) return null
  const { sentAt, heldBy } = slot
  const isFirst = await takeSlot(tx, asked, messageId, slot)
  if (isFirst) await publish(tx, workspace.id, 'subscription.held', heldData(heldBy, asked, sentAt))
  const revision = await chooseRevision(tx, prepared, contact)
  const variables = { confirm_token_sealed: sealedToken, list_names: lists.map(({ name }) => name).join(', ') }
  const about = { id: messageId, email, locale: revision.locale, variables }
  const senderName = sender.name ?? workspace.name
  const values = toValues({ workspace, message: about, contact: null, senderName, now: tx.now })
  await tx.db.insert(confirmations).values({
    tokenHash,
    workspaceId: workspace.id,
    contactId,
    emailHash: suppressionKey(email),
    sourceId,
    mailingListIds,
    createdAt: tx.now,
    expiresAt: new Date(sentAt.getTime() + confirmationMs),
    endedAt: null,
    outcome: null,
    messageId,
  })
  await mustTakeMails(tx, workspace, 1)
  await queueMessages(tx, deliverConfirmation, [
    {
      ...about,
      workspaceId: workspace.id,
      kind: 'confirmation',
      contactId,
      templateId: prepared.template?.slug ?? null,
      revisionId: revision.id,
      subject: fill(revision.compiled.subject, values),
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      payload: { messageId },
      runAt: sentAt,
    },
  ])
  return sentAt
}

function heldData(heldBy: HeldBy | null, { sourceId, network }: LimitedMail, until: Date) {
  const key = heldBy === 'network' ? { network: network ?? '' } : { sourceId: sourceId ?? '' }
  return { by: heldBy === 'network' ? ('network' as const) : ('source' as const), ...key, until: until.toISOString() }
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
