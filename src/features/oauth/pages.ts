// The authorization endpoint: asks the person who is signed in, and sends them back to the client with a code or a no. Whoever is not signed
// in does that first; until then nothing of the request is looked at.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { toStatus } from '../../core/http/errors.ts'
import { readForm } from '../../core/http/form.ts'
import { createLimiter } from '../../core/http/limiter.ts'
import { keyOf, type Rate, rateLimited } from '../../core/http/rate-limit.ts'
import { openPage } from '../../core/http/surface.ts'
import { AppError } from '../../kit/error.ts'
import { redirect } from '../../people/access/cookie.ts'
import { refuseForeignForm, toOwnAddress } from '../../people/access/same-site.ts'
import { findRequestSession, type Session } from '../../people/access/sessions.ts'
import { languageOf } from '../../people/access/sign-in-words.ts'
import { allow, type Choice, listTargets, openTicket, sealTicket, type Ticket } from './allow.ts'
import { answerAddress, maxQueryChars, RefusedRequest, readAuthorizationRequest } from './authorization-request.ts'
import { consentPage, refusedPage } from './consent-page.ts'
import { oauthPaths } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'

/** Of one person: each may cause a document to be fetched. */
const askingRate: Rate = { burst: 30, perSecond: 0.5 }

export function oauthPages(app: App) {
  const { config } = app
  const limiter = createLimiter(app, askingRate)
  return new Elysia({ detail: { hide: true, ...openPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, config))
    .get(oauthPaths.authorize, ({ request }) =>
      orPage(request, async () => {
        const query = new URL(request.url).searchParams
        // Encoded anew: what comes back from the sign-in has the form of our own paths.
        const text = query.toString()
        if (text.length > maxQueryChars)
          throw new OAuthError('invalid_request', `The request may have at most ${maxQueryChars} characters.`)
        const session = await findRequestSession(app, request)
        if (!session) return redirect(`/login?to=${encodeURIComponent(`${oauthPaths.authorize}?${text}`)}`)
        const allowance = await limiter.take(keyOf.id('oauth-ask', session.userId))
        if (!allowance.allowed) throw rateLimited(allowance)
        return await ask(app, request, session, query)
      }),
    )
    .post(
      oauthPaths.authorize,
      async ({ request }) => {
        const refused = refuseForeignForm(request, config)
        return refused ?? orPage(request, () => answer(app, request))
      },
      { parse: 'none' },
    )
}

async function ask(app: App, request: Request, session: Session, query: URLSearchParams): Promise<Response> {
  try {
    const asked = await readAuthorizationRequest(app, query)
    const targets = await listTargets(app, session.userId, asked.endpoint)
    const ticket = await sealTicket(app, asked, session)
    return consentPage(languageOf(request), { request: asked, session, targets, ticket })
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error
    const { code, message } = error.reason
    return redirect(answerAddress(app, error.to, { error: code, error_description: message }))
  }
}

async function answer(app: App, request: Request): Promise<Response> {
  const form = await readForm(request)
  const session = await findRequestSession(app, request)
  if (!session)
    throw new AppError('unauthorized', 'You are not signed in any more. Begin again in the program that sent you.')
  const ticket = await openTicket(app, form.get('ticket') ?? '', session)
  if (form.get('decision') !== 'allow')
    return redirect(answerAddress(app, ticket, { error: 'access_denied', error_description: 'The person said no.' }))
  const choice = { targetId: form.get('target') ?? '', scopes: form.getAll('scope') }
  try {
    return redirect(answerAddress(app, ticket, { code: await allow(app, ticket, session, choice) }))
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'conflict') throw error
    return await askAgain(app, request, { session, ticket, sealed: form.get('ticket') ?? '', choice, error })
  }
}

interface Again {
  session: Session
  ticket: Ticket
  sealed: string
  choice: Choice
  error: AppError
}

async function askAgain(
  app: App,
  request: Request,
  { session, ticket, sealed, choice, error }: Again,
): Promise<Response> {
  const targets = await listTargets(app, session.userId, ticket.endpoint)
  const refused = { error, ...choice }
  return consentPage(languageOf(request), { request: ticket, session, targets, ticket: sealed, refused })
}

/** Faults that are told to the person, who is sent nowhere. */
async function orPage(request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OAuthError) return refusedPage(languageOf(request), error.message, 400)
    if (error instanceof AppError) return refusedPage(languageOf(request), error.message, toStatus(error.code))
    throw error
  }
}
