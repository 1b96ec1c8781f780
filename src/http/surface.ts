// Which paths ask for what, in one place. Everything under /v1 needs a credential unless it is named here; a test walks the
// route table and fails when a route under /v1 neither declares one nor is in this list.

import { type BodyRule, maxCallbackBytes, maxPublicBytes, maxRequestBytes, maxUploadBytes } from './body.ts'

/** Open although under /v1: each of them checks something else (a password, a signature, a token in the path). */
const openPaths = ['/v1/auth/login', '/v1/integrations/payments/webhook/', '/v1/inbound/']

/** Under /v1, with a body that need not be JSON: a signed body is checked byte by byte, mail is raw. */
const rawPaths = ['/v1/integrations/payments/webhook/', '/v1/inbound/', '/hooks/']

/** Files, which are read as a stream. */
const uploadPaths = ['/v1/contacts/import', '/v1/contacts/import/preview', '/api/v1/contacts/import']

/** Of these, what providers report: small, and refused as too large before anything is computed over it. */
const callbackPaths = ['/v1/integrations/payments/webhook/', '/hooks/']

/** Pages and callbacks for people and machines without a key: limited per address. */
const publicPages = [
  '/confirm/',
  '/u/',
  '/preferences/',
  '/view/',
  '/login',
  '/login/',
  '/logout',
  '/setup/',
  '/invite/',
  '/hooks/',
  '/t/',
]

/** Of these, what readers of mail and the programs before them load: it must not use up what is left for leaving a list. */
export function isTracked(path: string): boolean {
  return path.startsWith('/t/')
}

/** The same routes for clients of the family whose base address ends in /api (docs/choices.md, "Family"). */
export const aliasPrefix = '/api/v1/'

/** True for the REST interface: `/v1/…` and its alias. */
export function isApi(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith(aliasPrefix)
}

/** True when `path` answers only to a credential. */
export function needsCredential(path: string): boolean {
  return isApi(path) && !listed(openPaths, path)
}

/** What a page of another origin may call (docs/choices.md, row 85). */
export const crossOriginPath = '/v1/contact-subscriptions/opt-in'

/** A browser's question before such a call (Fetch standard, CORS preflight): it carries no credential. */
export function isPreflight(method: string, path: string): boolean {
  return method === 'OPTIONS' && path === crossOriginPath
}

const apiBody: BodyRule = { json: true, maxBytes: maxRequestBytes, owner: 'caller' }
const rawBody: BodyRule = { json: false, maxBytes: maxRequestBytes, owner: 'anybody' }
const uploadBody: BodyRule = { json: false, maxBytes: maxUploadBytes, owner: 'caller' }
const callbackBody: BodyRule = { json: false, maxBytes: maxCallbackBytes, owner: 'anybody' }
const publicApiBody: BodyRule = { json: true, maxBytes: maxPublicBytes, owner: 'anybody' }
const publicFormBody: BodyRule = { json: false, maxBytes: maxPublicBytes, owner: 'anybody' }

/** What a body at `path` may be. */
export function bodyRuleOf(path: string): BodyRule {
  if (listed(uploadPaths, path)) return uploadBody
  if (listed(callbackPaths, path)) return callbackBody
  if (listed(rawPaths, path)) return rawBody
  if (isApi(path)) return isPublic(path) ? publicApiBody : apiBody
  return isPublic(path) ? publicFormBody : rawBody
}

/** What follows is a secret, or tells whose link it was. */
const secretPaths =
  /^((?:\/api)?\/v1\/(?:inbound|integrations\/payments\/webhook)|\/(?:confirm|u|preferences|view|login|setup|invite|hooks|captured|t))\/.*/

const idOfOurs = /^[a-z]{2,5}_[0-9a-f]{32}$/
const longestWord = 24

/** A path as a log may hold it: nothing that opens something, and no address; only our words, slugs and ids stay. */
export function loggedPath(path: string): string {
  const isPlain = (part: string) => idOfOurs.test(part) || (part.length <= longestWord && /^[\w.-]*$/.test(part))
  const parts = path.replace(secretPaths, '$1/…').split('/')
  return parts.map((part) => (isPlain(part) ? part : '…')).join('/')
}

/** True when the body of `path` is a file: as long as its bytes come, it may take its time. */
export function isUpload(path: string): boolean {
  return listed(uploadPaths, path)
}

/** True when a provider calls `path`, with a body of its own making. */
export function isCallback(path: string): boolean {
  return listed(rawPaths, path)
}

/** True when `path` is open to anybody and so limited per address. */
export function isPublic(path: string): boolean {
  return listed(openPaths, path) || listed(publicPages, path)
}

/** An entry that ends in "/" stands for everything below it. */
function listed(entries: string[], path: string): boolean {
  return entries.some((entry) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry))
}
