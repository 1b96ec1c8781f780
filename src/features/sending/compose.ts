// Turns a message row into the mail that is sent: rendered from its revision, filled into a MIME skeleton that is built once per revision,
// and signed if its sending domain has a key.

import type { App } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { type DkimKey, signDkim } from '../../mail/dkim.ts'
import type { Path } from '../../mail/fabric.ts'
import type { OutgoingMail } from '../../mail/mailer.ts'
import {
  compileMessage,
  fillMessage,
  type MessageAttachment,
  type MessageSkeleton,
  type MimeMessage,
  type Piece,
  wireBytes,
} from '../../mail/mime.ts'
import { publicBase } from '../../people/links/base.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import type { Compiled } from '../content/rendering/compile.ts'
import { fill, type Values } from '../content/rendering/fill.ts'
import type { Segment } from '../content/rendering/segments.ts'
import { getRevision } from '../content/templates/resolve.ts'
import { loadShown } from './activity/groups.ts'
import { messageAddress } from './activity/message-address.ts'
import { atBase } from './at-base.ts'
import { loadAttachments } from './attachment-store.ts'
import { sourceKind, viewUrl } from './browser-view.ts'
import { findDkimKeys } from './domains/keys.ts'
import { listUnsubscribe } from './list-unsubscribe.ts'
import type { MailContact, MailMessage, MailRow } from './mail-rows.ts'
import { ownMail } from './own-content.ts'
import { linksToNowhere } from './preview.ts'
import { relayHeaders } from './relay-id.ts'
import { senderNameOf, toValues } from './values.ts'

export interface Composed {
  message: MailMessage
  mail: OutgoingMail
}

/** Null when the content no longer exists. */
export async function composeMessage(
  app: App,
  found: MailRow,
  { path, addTracking }: { path: Path; addTracking: AddTracking | undefined },
): Promise<Composed | null> {
  const { message, contact: of, hasAttachments } = found
  const attachments = hasAttachments ? await loadAttachments(app, message.groupId ?? message.id) : []
  if (message.revisionId === null) {
    const own = await ownMail(app, message, attachments)
    return own && { message, mail: await signedMail(app, message, own, { path }) }
  }
  const workspace = await app.share(`workspace ${message.workspaceId}`, () => getWorkspace(app, message.workspaceId))
  const { compiled } = await getRevision(app, message.revisionId, workspace.brand, sourceKind(message))
  const base = publicBase(app.config, workspace)
  const tracked = (await addTracking?.(app, { message, compiled, base })) ?? null
  // Anybody can request a confirmation, so it must not contain anything typed into a form.
  const contact = message.kind === 'confirmation' ? null : of
  const own = await loadOwnParts(app, message, base)
  const values = tracked === null ? own.values : { ...own.values, ...tracked.values }
  const shown = tracked?.compiled ?? compiled
  const filled = { ...own, ...withoutUndefined({ values }) }
  const parts = { message, workspace, compiled: shown, contact, attachments, path, ...filled }
  return { message, mail: await buildMail(app, parts) }
}

/** A mail with what tells whether somebody reads it; null for one that nobody counts. */
export type AddTracking = (
  app: App,
  mail: { message: MailMessage; compiled: Compiled; base: string },
) => Promise<{ compiled: Compiled; values: Values } | null>

export interface MailParts {
  message: MailMessage
  workspace: Workspace
  compiled: Compiled
  contact: MailContact | null
  attachments: MessageAttachment[]
  path: Path
  /** The signing keys; default: those of the sender's domain. */
  keys?: DkimKey[] | null
  /** Values beyond those that the platform fills in for every mail. */
  values?: Values
  /** Headers beyond those of the message; also signed. */
  headers?: Record<string, string>
}

/** The mail of a message, filled in and signed. */
export async function buildMail(app: App, parts: MailParts): Promise<OutgoingMail> {
  const { message, workspace, contact, attachments } = parts
  const base = publicBase(app.config, workspace)
  const compiled = atBase(app.config, base, parts.compiled)
  const senderName = senderNameOf(message.fromName, workspace)
  const now = app.clock.now()
  const sources = { workspace, message, contact, senderName, now, viewUrl: () => viewUrl(app, base, message.id) }
  const values = withOwn(toValues(sources), parts.values)
  const plain = fillMessage(toSkeleton(compiled), {
    from: { name: message.fromName, address: message.fromEmail },
    ...(await loadShown(app, message)),
    replyTo: message.replyTo === null ? null : { name: null, address: message.replyTo },
    // A variant of a test has a subject of its own, which is filled where the variant is chosen.
    subject: message.kind === 'sequence' ? message.subject : fill(compiled.subject, values),
    messageId: message.messageIdHeader,
    date: now,
    headers: { ...message.headers, ...parts.headers },
    htmlValues: valuesAt(compiled.html, values),
    textValues: valuesAt(compiled.text, values),
    attachments,
  })
  return await signedMail(app, message, plain, parts)
}

async function signedMail(
  app: App,
  message: MailMessage,
  plain: MimeMessage,
  { path, keys: known }: Pick<MailParts, 'path' | 'keys'>,
): Promise<OutgoingMail> {
  const keys =
    known === undefined ? await findDkimKeys(app, message.workspaceId, addressDomain(message.fromEmail)) : known
  const now = app.clock.now()
  const named = { ...plain, headers: [...relayHeaders(path.host, message.id), ...plain.headers] }
  const raw = wireBytes(keys ? await signDkim(withReports(app, message, named), keys, now) : named)
  // Bounces return to an address that names the message, if a domain receives them.
  const envelope = { from: messageAddress(app, 'bounce', message.id) ?? message.fromEmail, to: message.email }
  return { workspaceId: message.workspaceId, envelope, messageId: message.messageIdHeader, raw }
}

/**
 * Where complaints about this mail go (RFC 9477). It counts for a receiver only in a signed mail, and only where the address is at the
 * domain of the sender or below it.
 */
function withReports(app: App, { id, fromEmail }: MailMessage, plain: MimeMessage): MimeMessage {
  const address = messageAddress(app, 'bounce', id)
  const [at, from] = [addressDomain(address ?? '').toLowerCase(), addressDomain(fromEmail).toLowerCase()]
  if (address === null || (at !== from && !at.endsWith(`.${from}`))) return plain
  const reports: [string, string][] = [
    ['CFBL-Address', `${address}; report=arf`],
    ['CFBL-Feedback-ID', id],
  ]
  return { ...plain, headers: [...reports, ...plain.headers] }
}

/** Assigned and not spread, so that lazily formatted values stay lazy. */
function withOwn(values: Values, own: Values | undefined): Values {
  return own === undefined ? values : Object.assign(values, own)
}

/** Links and headers of this mail only. Mail by an event rule or a sequence can be unsubscribed from, unless it says that it is no marketing. */
async function loadOwnParts(
  app: App,
  message: MailMessage,
  base: string,
): Promise<Pick<MailParts, 'values' | 'headers'>> {
  const { id: messageId, kind, purpose, workspaceId, contactId } = message
  if ((kind === 'rule' || kind === 'sequence') && purpose === null && contactId !== null)
    return await listUnsubscribe(app, base, { workspaceId, contactId, mailingListId: null, messageId })
  if (kind === 'test') return { values: linksToNowhere(base) }
  return kind === 'confirmation' ? { values: await confirmLink(app, base, message) } : {}
}

/** The context for which the token of a confirmation is sealed. */
export function confirmContext(messageId: string): string {
  return `confirm ${messageId}`
}

/** The token of a confirmation is sealed in its message, so that reading the database does not allow confirming for somebody else. */
async function confirmLink(app: App, base: string, { id, variables }: MailMessage): Promise<Values> {
  const sealed = variables.confirm_token_sealed
  if (typeof sealed !== 'string') return {}
  return { confirm_url: `${base}/confirm/${await app.sealer.open(sealed, confirmContext(id))}` }
}

/** Revisions never change, so the skeleton lives exactly as long as the compiled revision it was built from. */
const skeletons = new WeakMap<Compiled, MessageSkeleton>()

function toSkeleton(compiled: Compiled): MessageSkeleton {
  let skeleton = skeletons.get(compiled)
  if (!skeleton) {
    skeleton = compileMessage({ html: toPieces(compiled.html), text: toPieces(compiled.text) })
    skeletons.set(compiled, skeleton)
  }
  return skeleton
}

/** Literal text stays; whatever depends on values becomes a numbered placeholder. */
function toPieces(segments: Segment[]): Piece[] {
  let hole = 0
  return segments.map((segment) => (typeof segment === 'string' ? segment : hole++))
}

function valuesAt(segments: Segment[], values: Values): string[] {
  return segments.flatMap((segment) => (typeof segment === 'string' ? [] : [fill([segment], values)]))
}
