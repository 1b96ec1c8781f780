// What answers at a link domain: these pages of that workspace, and nothing else. Whatever is not in this list, and whatever is of another
// workspace, is answered before any route sees it, as one thing that does not exist.

import { eq } from 'drizzle-orm'
import { confirmations, mailingLists, subscriptionSources } from '../../db/tables/lists.ts'
import { media } from '../../db/tables/media.ts'
import { messages } from '../../db/tables/messages.ts'
import { pageWordsFor } from '../../languages/said-by-server.ts'
import type { App } from '../core/app.ts'
import { wantedLanguages } from '../core/http/language.ts'
import { hostOf, noteServedAt } from '../core/http/served-at.ts'
import { openUnsubscribe } from '../features/contacts/consent/unsubscribe-link.ts'
import { noteIfUnknown } from '../features/sending/activity/unknown-mails.ts'
import { messageOfView } from '../features/sending/browser-view.ts'
import { messageOfToken } from '../features/sending/tracking/links.ts'
import { sha256Hex } from '../kit/digest.ts'
import { html, page } from '../kit/page.ts'
import { baseAt } from '../people/links/base.ts'
import { workspaceAt } from '../people/links/link-domains.ts'

/** The id of the workspace; null or undefined where nobody has it. */
type Whose = (app: App, key: string) => Promise<string | null | undefined>

/** How the path of a page begins; the part behind it says whose it is. */
export const linkPages: Record<string, Whose> = {
  '/u/': async (app, token) => (await openUnsubscribe(app, token))?.workspaceId,
  '/preferences/': async (app, token) => (await openUnsubscribe(app, token))?.workspaceId,
  '/confirm/': ofConfirmation,
  '/view/': (app, token) => ofMessage(app, messageOfView(app, token)),
  '/t/o/': (app, token) => ofMessage(app, messageOfToken(app, token)),
  '/t/c/': (app, token) => ofMessage(app, messageOfToken(app, token)),
  '/media/': ofPicture,
  '/archive/': ofList,
  '/f/': ofSource,
}
const starts = Object.entries(linkPages)

/**
 * Null for a request at a host of the installation itself. At a link domain: resolves with the answer to what is not to be found there, or
 * with null for a page that its route answers. Cookies are not read there.
 */
export function createLinkGate(app: App): (request: Request, path: string) => Promise<Response | null> | null {
  const { hostname: own } = new URL(app.config.baseUrl)
  return (request, path) => {
    const host = hostOf(request)
    return host === own || !host.includes('.') ? null : gate(app, request, { host, path })
  }
}

async function gate(
  app: App,
  request: Request,
  { host, path }: { host: string; path: string },
): Promise<Response | null> {
  const workspaceId = await workspaceAt(app, host)
  if (workspaceId === null) return null
  request.headers.delete('cookie')
  noteServedAt(request, baseAt(app.config, host))
  return (await findOwner(app, path)) === workspaceId ? null : notHere(request)
}

async function findOwner(app: App, path: string): Promise<string | null | undefined> {
  const [start, whose] = starts.find(([one]) => path.startsWith(one)) ?? []
  if (start === undefined || whose === undefined) return null
  const [key = ''] = path.slice(start.length).split('/', 1)
  return await whose(app, decodeURIComponent(key))
}

/** What was invented, is gone, or is another's: the same words, in the language of the visitor. */
function notHere({ headers }: Request): Response {
  const { locale, words } = pageWordsFor(wantedLanguages(headers))
  const { brokenLinkTitle: title, brokenLink } = words.mails
  return page({ title, body: html`<p>${brokenLink}</p>`, status: 404, locale, brand: { name: '' } })
}

/** A refusal by a page that is there (a limit, a wrong method): its status and headers, without the addresses of the installation. */
export function plainRefusal({ status, headers }: Response): Response {
  const kept = new Headers(headers)
  for (const name of ['content-type', 'content-length', 'www-authenticate']) kept.delete(name)
  return new Response(null, { status, headers: kept })
}

async function ofConfirmation({ db }: App, token: string) {
  const { workspaceId, tokenHash } = confirmations
  return (
    await db
      .select({ workspaceId })
      .from(confirmations)
      .where(eq(tokenHash, sha256Hex(token)))
  )[0]?.workspaceId
}

/** A mail that is not in the database may mean that the database is an old one. */
async function ofMessage(app: App, messageId: string | null) {
  if (messageId === null) return null
  const { workspaceId, id } = messages
  const [row] = await app.db.select({ workspaceId }).from(messages).where(eq(id, messageId))
  if (!row) await noteIfUnknown(app, messageId)
  return row?.workspaceId
}

async function ofPicture({ db }: App, file: string) {
  const { workspaceId, key } = media
  const [name = ''] = file.split('.', 1)
  return (await db.select({ workspaceId }).from(media).where(eq(key, name)))[0]?.workspaceId
}

async function ofList({ db }: App, listId: string) {
  const { workspaceId, id } = mailingLists
  return (await db.select({ workspaceId }).from(mailingLists).where(eq(id, listId)))[0]?.workspaceId
}

async function ofSource({ db }: App, sourceId: string) {
  const { workspaceId, id } = subscriptionSources
  return (await db.select({ workspaceId }).from(subscriptionSources).where(eq(id, sourceId)))[0]?.workspaceId
}
