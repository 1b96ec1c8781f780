// The page of an invitation. Looking at it changes nothing; its button does. A new person creates an account here, somebody with an account
// signs in first, so that the inviter cannot act as the person.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { createDeviceOf } from '../../core/http/client-ip.ts'
import { toStatus } from '../../core/http/errors.ts'
import { readForm } from '../../core/http/form.ts'
import { openPage } from '../../core/http/surface.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { filled, type Html, html, page, slot } from '../../kit/page.ts'
import { noSessionCookies, redirect, sessionCookies, sessionToken } from '../access/cookie.ts'
import { landing, refuseForeignForm, toOwnAddress } from '../access/same-site.ts'
import { endSession, findRequestSession, type Session } from '../access/sessions.ts'
import { languageOf, type SignInLanguage } from '../access/sign-in-words.ts'
import { acceptSignedIn, acceptWithAccount, findInvitation, type OpenInvitation } from './invitations.ts'

export function invitePages(app: App) {
  const { config } = app
  const deviceOf = createDeviceOf(config.trustedProxies)
  return new Elysia({ prefix: '/invite', detail: { hide: true, ...openPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, config))
    .get('/:token', async ({ params, request }) => {
      const open = await findInvitation(app, params.token, app.clock.now())
      const language = languageOf(request)
      if (!open) return closedPage(language)
      return invitationPage({ open, session: await findRequestSession(app, request), token: params.token, language })
    })
    .post(
      '/:token',
      async ({ params: { token }, request, server }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const open = await findInvitation(app, token, app.clock.now())
        const language = languageOf(request)
        if (!open) return closedPage(language)
        const session = await findRequestSession(app, request)
        const visit = { open, session, token, language }
        const form = await readForm(request)
        try {
          if (form.get('leave') === 'yes') return await signOut(app, request, token)
          if (session?.email === open.invitation.email) {
            await acceptSignedIn(app, token, session)
            return redirect(workspaceName(open))
          }
          if (open.hasAccount) return invitationPage(visit)
          const account = { name: form.get('name') ?? '', password: form.get('password') ?? '' }
          const cookie = await acceptWithAccount(app, token, { ...account, device: deviceOf(request, server) })
          return redirect(workspaceName(open), sessionCookies(app, cookie))
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return error.code === 'not_found' ? closedPage(language) : invitationPage(visit, error)
        }
      },
      { parse: 'none' },
    )
}

function workspaceName({ workspace }: OpenInvitation): string {
  return `${landing}/${workspace.slug}`
}

/** Ends another person's session, and shows the invitation again. */
async function signOut(app: App, request: Request, token: string): Promise<Response> {
  const current = sessionToken(app, request.headers.get('cookie'))
  if (current !== null) await write(app, (tx) => endSession(tx, sha256Hex(current)))
  return redirect(`/invite/${token}`, noSessionCookies(app))
}

interface Visit {
  open: OpenInvitation
  session: Session | undefined
  token: string
  language: SignInLanguage
}

function invitationPage(visit: Visit, fault?: AppError): Response {
  const { invitation, workspace } = visit.open
  const { locale, words } = visit.language
  const { role, email } = invitation
  const body = html`<p>${words.invitation.invited({ role, email })}</p>
${fault && html`<p role="alert"><strong>${fault.message}</strong></p>`}
${nextStep(visit)}`
  const status = fault ? toStatus(fault.code) : 200
  return page({ title: words.invitation.title(workspace.name), body, status, locale })
}

function nextStep({ open: { invitation, hasAccount }, session, token, language: { words } }: Visit): Html {
  const says = words.invitation
  if (session && session.email !== invitation.email)
    return html`<p>${says.otherAccount({ email: session.email, invited: invitation.email })}</p>
<form method="post"><button name="leave" value="yes">${says.signOut}</button></form>`
  if (session) return html`<form method="post"><button>${says.join}</button></form>`
  if (hasAccount) {
    const link = html`<a href="/login?to=/invite/${token}">${says.signIn}</a>`
    return html`<p>${filled(says.hasAccount(slot(0)), link)}</p>`
  }
  return html`<form method="post" class="fields">
<label>${says.name}<input name="name" autocomplete="name" maxlength="200"></label>
<input type="hidden" name="email" autocomplete="username" value="${invitation.email}">
<label>${words.login.newPassword}<input name="password" type="password" autocomplete="new-password" minlength="8" required></label>
<button>${says.makeAccount}</button>
</form>`
}

function closedPage({ locale, words: { invitation } }: SignInLanguage): Response {
  const body = html`<p>${filled(invitation.closed(slot(0)), html`<a href="/login">${invitation.signsIn}</a>`)}</p>`
  return page({ title: invitation.closedTitle, body, status: 410, locale })
}
