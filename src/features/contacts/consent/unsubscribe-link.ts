// The link by which a person unsubscribes or changes preferences. It carries all its data, sealed with SECRET_KEY, so it works as long as
// the mail exists, even after the campaign, list or confirmation is gone. It contains no id that could be guessed.

import type { App } from '../../../core/app.ts'
import { listArrived } from '../../../people/moves.ts'

export interface UnsubscribeClaim {
  workspaceId: string
  contactId: string
  /** Null: all marketing mail. */
  mailingListId: string | null
  /** The mail that contains the link, if known. */
  messageId: string | null
}

const context = 'unsubscribe'
/** A sealed claim is text of three parts; in a URL they are joined to one. */
const partsPattern = /^v1\.([\w-]+)\.([\w-]+)$/
const tokenPattern = /^[\w-]{16}\.[\w-]{40,600}$/

/** Text for the path of `/u/{token}` and `/preferences/{token}`. */
export async function sealUnsubscribe(app: Pick<App, 'sealer'>, claim: UnsubscribeClaim): Promise<string> {
  const { workspaceId, contactId, mailingListId, messageId } = claim
  const sealed = await app.sealer.seal(
    [workspaceId, contactId, mailingListId ?? '', messageId ?? ''].join(' '),
    context,
  )
  const [, nonce, body] = partsPattern.exec(sealed) ?? []
  return `${nonce}.${body}`
}

/** Null when the token was invented, edited, or sealed with another key. */
export async function openUnsubscribe(app: Pick<App, 'sealer'>, token: string): Promise<UnsubscribeClaim | null> {
  if (!tokenPattern.test(token)) return null
  try {
    const plain = await app.sealer.open(`v1.${token}`, context)
    const [workspaceId = '', contactId = '', mailingListId, messageId] = plain.split(' ')
    return { workspaceId, contactId, mailingListId: mailingListId || null, messageId: messageId || null }
  } catch {
    return null
  }
}

/** The claim of a link that the former installation of a workspace has forwarded, about that workspace; null for any other. */
export async function openForwarded(app: App, token: string): Promise<UnsubscribeClaim | null> {
  if (!tokenPattern.test(token)) return null
  for (const { workspaceId, sealer } of await listArrived(app)) {
    const claim = await openUnsubscribe({ sealer }, token)
    if (claim?.workspaceId === workspaceId) return claim
  }
  return null
}
