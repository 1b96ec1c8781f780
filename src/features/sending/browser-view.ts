// A mail as a web page, behind `view_in_browser_url`. It is rendered from the revision and the variables that the mail was accepted with,
// so nothing is stored for it and it disappears with them. The URL contains the message and a keyed token.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { campaigns } from '../../../db/tables/campaigns.ts'
import { messageEvents, messages } from '../../../db/tables/messages.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import type { App } from '../../core/app.ts'
import { erasedAddress } from '../../kit/email-address.ts'
import { publicBase } from '../../people/links/base.ts'
import { findContact } from '../contacts/consent/find-contact.ts'
import type { Source } from '../content/rendering/compile.ts'
import { fill } from '../content/rendering/fill.ts'
import { getRevision } from '../content/templates/resolve.ts'
import type { Message } from './activity/activity.ts'
import { atBase } from './at-base.ts'
import { listUnsubscribe } from './list-unsubscribe.ts'
import { findForwarded, findMoveOfMail } from './moved-mails.ts'
import { linksToNowhere } from './preview.ts'
import { senderNameOf, toValues } from './values.ts'

const context = 'view in browser'
/** 128 bits. */
const tokenChars = 32
const idPrefix = 'msg_'
const pattern = /^([0-9a-f]{32})-([0-9a-f]{32})$/

/** `base` as publicBase() gives it. */
export function viewUrl({ sealer }: Pick<App, 'sealer'>, base: string, messageId: string): string {
  const id = messageId.slice(idPrefix.length)
  return `${base}/view/${id}-${sealer.mac(id, context).slice(0, tokenChars)}`
}

/** The message of a token; null for one that we did not create. */
export function messageOfView({ sealer }: Pick<App, 'sealer'>, token: string): string | null {
  const [, id = '', given = ''] = pattern.exec(token) ?? []
  return id !== '' && sealer.isMac(given, id, context) ? idPrefix + id : null
}

/** Where the page of a mail of a workspace that moved is now; null where it is here. */
export async function findMovedView(app: App, token: string): Promise<string | null> {
  const messageId = messageOfView(app, token)
  const move = messageId && (await findMoveOfMail(app, messageId))
  return move ? viewUrl(move, move.to, messageId) : null
}

const findSent = prepared((db: ReadDb) =>
  db
    .select({
      message: messages,
      workspace: workspaces,
      mailingListId: campaigns.mailingListId,
      sentAt: messageEvents.at,
    })
    .from(messages)
    .innerJoin(workspaces, eq(workspaces.id, messages.workspaceId))
    .leftJoin(campaigns, eq(campaigns.id, messages.campaignId))
    .leftJoin(messageEvents, and(eq(messageEvents.messageId, messages.id), eq(messageEvents.status, 'sent')))
    .where(eq(messages.id, sql.placeholder('messageId')))
    .limit(1)
    .prepare(),
)

/** The document; null for a token that we did not create, and for a mail that is gone. */
export async function viewInBrowser(app: App, token: string): Promise<string | null> {
  const messageId =
    messageOfView(app, token) ?? (await findForwarded(app, (sealer) => messageOfView({ sealer }, token)))
  if (messageId === null) return null
  const found = await findSent(app.db).get({ messageId })
  if (!found?.message.revisionId || found.message.email === erasedAddress) return null
  const { message, workspace, mailingListId, sentAt } = found
  const { contactId, fromName, kind } = message
  const { compiled } = await getRevision(app, found.message.revisionId, workspace.brand, sourceKind(message))
  // Anybody can request a confirmation, so its mail and its page contain nothing about the person.
  const contact =
    contactId === null || kind === 'confirmation' ? null : await findContact(app, message.workspaceId, contactId)
  const base = publicBase(app.config, workspace)
  const values = toValues({
    workspace,
    message,
    contact,
    senderName: senderNameOf(fromName, workspace),
    now: sentAt ?? message.createdAt,
    viewUrl: () => viewUrl(app, base, message.id),
    links: await findLinks(app, base, { message, mailingListId }),
  })
  return fill(atBase(app.config, base, compiled).html, values)
}

/** How a message is compiled. A test mail belongs to a template, which it names, or to a campaign. */
export function sourceKind({
  kind,
  purpose,
  templateId,
}: Pick<Message, 'kind' | 'purpose' | 'templateId'>): Source['kind'] {
  if (kind === 'sequence') return purpose ?? 'marketing'
  return kind === 'campaign' || (kind === 'test' && templateId === null) ? 'marketing' : 'transactional'
}

/**
 * The unsubscribe links of the mail, which do nothing until a button is pressed. Without tracked links and without the link that confirms
 * an address.
 */
async function findLinks(
  app: App,
  base: string,
  { message, mailingListId }: { message: Message; mailingListId: string | null },
): Promise<Record<string, string>> {
  const { id: messageId, kind, purpose, workspaceId, contactId } = message
  if (kind === 'test') return linksToNowhere(base)
  if (contactId === null || purpose !== null || !['campaign', 'rule', 'sequence'].includes(kind)) return {}
  return (await listUnsubscribe(app, base, { workspaceId, contactId, mailingListId, messageId })).values
}
