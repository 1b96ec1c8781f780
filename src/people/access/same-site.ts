// Where a request may come from. A session belongs to one origin, BASE_URL: changes are only accepted from its pages, and a person who
// opened another one is redirected or told what to do.

import { t } from 'elysia'
import type { Config } from '../../core/config.ts'
import { AppError } from '../../kit/error.ts'
import { filled, html, page, slot } from '../../kit/page.ts'
import { languageOf } from './sign-in-words.ts'

type Base = Pick<Config, 'baseUrl'>

/** Query parameter: where to go after signing in, one of our own pages with what is searched for there. */
export const ownPath = t.Optional(t.String({ pattern: '^/(\\w[\\w/-]*)?(\\?[\\w=&%+.:@*~-]*)?$', maxLength: 2_100 }))

/** Where a sign-in leads that was on its way to nothing else. */
export const landing = '/dashboard'

/** Refuses a change that another site makes with our cookie: 403 unless Origin is BASE_URL. GET and HEAD change nothing and pass. */
export function refuseCrossSite(request: Request, config: Base): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, site } = readSource(request)
  if (origin === originOf(config) && (site === null || site === 'same-origin')) return
  throw new AppError(
    'forbidden',
    `A session may only be used from ${originOf(config)} (Origin)${origin === null ? '' : `, not from ${origin}`}.`,
  )
}

/** For requests without a session yet: a browser that names another site is refused; other clients name none. */
export function refuseForeignOrigin(request: Request, config: Base): void {
  if (isForeign(request, config)) throw new AppError('forbidden', `Sign in at ${config.baseUrl}.`)
}

/** The same for a form of our own pages: the refusal is a page. Null when the form is accepted. */
export function refuseForeignForm(request: Request, config: Base): Response | null {
  return isForeign(request, config) ? foreignPage(request, config) : null
}

/** Only browsers write Sec-Fetch-Site, so it is enough when Origin is hidden. */
function isForeign(request: Request, config: Base): boolean {
  const { origin, site } = readSource(request)
  if (origin === null || origin === 'null') return origin === 'null' ? site !== 'same-origin' : !isOwn(site)
  return origin !== originOf(config) || !isOwn(site)
}

function isOwn(site: string | null): boolean {
  return site === null || site === 'same-origin'
}

function readSource({ headers }: Request): { origin: string | null; site: string | null } {
  return { origin: headers.get('origin'), site: headers.get('sec-fetch-site') }
}

function originOf({ baseUrl }: Base): string {
  return new URL(baseUrl).origin
}

function foreignPage(request: Request, { baseUrl }: Base): Response {
  const { origin } = readSource(request)
  const from = origin === null || origin === 'null' ? null : origin
  const { locale, words } = languageOf(request)
  const says = words.otherSite
  const link = html`<a href="${baseUrl}${pathOf(request)}">${baseUrl}</a>`
  const where = from === null ? says.hidden(slot(0)) : says.cameFrom({ address: slot(0), site: from })
  const elsewhere =
    from !== null &&
    html`<p>${filled(says.reachedThere({ site: from, setting: slot(0) }), html`<code>BASE_URL=${from}</code>`)}</p>`
  const body = html`<p>${filled(where, link)}</p>
${elsewhere}
<p>${says.notMeant}</p>`
  return page({ title: says.title, body, status: 403, locale })
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Redirects a person on this machine from one of its loopback names to the one in BASE_URL (localhost to 127.0.0.1, or back), because the
 * cookie belongs to one name. Only between loopback names with the same port: behind a proxy Host is whatever the proxy sets.
 */
export function toOwnAddress(request: Request, config: Base): Response | undefined {
  const [own, asked] = [new URL(config.baseUrl), new URL(request.url)]
  const isOtherName = asked.hostname !== own.hostname && asked.port === own.port
  if (request.method !== 'GET' || !isOtherName || !loopback.test(asked.hostname) || !loopback.test(own.hostname))
    return undefined
  return new Response(null, { status: 302, headers: { location: config.baseUrl + pathOf(request) } })
}

function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return pathname + search
}
