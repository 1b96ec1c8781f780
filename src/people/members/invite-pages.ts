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
import { type Html, html, page } from '../../kit/page.ts'
import { noSessionCookies, redirect, sessionCookies, sessionToken } from '../access/cookie.ts'
import { landing, refuseForeignForm, toOwnAddress } from '../access/same-site.ts'
import { endSession, findRequestSession, type Session } from '../access/sessions.ts'
import { acceptSignedIn, acceptWithAccount, findInvitation, type OpenInvitation } from './invitations.ts'

export function invitePages(app: App) {
  const { config } = app
  const deviceOf = createDeviceOf(config.trustedProxies)
  return new Elysia({ prefix: '/invite', detail: { hide: true, ...openPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, config))
    .get('/:token', async ({ params, request }) => {
      const open = await findInvitation(app, params.token, app.clock.now())
      return open ? invitationPage(open, await findRequestSession(app, request), params.token) : closedPage()
    })
    .post(
      '/:token',
      async ({ params: { token }, request, server }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const open = await findInvitation(app, token, app.clock.now())
        if (!open) return closedPage()
        const session = await findRequestSession(app, request)
        const form = await readForm(request)
        try {
          if (form.get('leave') === 'yes') return await signOut(app, request, token)
          if (session?.email === open.invitation.email) {
            await acceptSignedIn(app, token, session)
            return redirect(workspaceName(open))
          }
          if (open.hasAccount) return invitationPage(open, session, token)
          const account = { name: form.get('name') ?? '', password: form.get('password') ?? '' }
          const cookie = await acceptWithAccount(app, token, { ...account, device: deviceOf(request, server) })
          return redirect(workspaceName(open), sessionCookies(app, cookie))
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return error.code === 'not_found' ? closedPage() : invitationPage(open, session, token, error)
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

function invitationPage(open: OpenInvitation, session: Session | undefined, token: string, fault?: AppError): Response {
  const { invitation, workspace } = open
  const { role, email } = invitation
  const body = html`<p>You are invited to be ${role === 'owner' ? 'an' : 'a'} <strong>${role}</strong> of this workspace, as ${email}.</p>
${fault && html`<p role="alert"><strong>${fault.message}</strong></p>`}
${nextStep(open, session, token)}`
  return page({ title: `Join ${workspace.name}`, body, status: fault ? toStatus(fault.code) : 200 })
}

function nextStep({ invitation, hasAccount }: OpenInvitation, session: Session | undefined, token: string): Html {
  if (session && session.email !== invitation.email)
    return html`<p>You are signed in as ${session.email}. The invitation is for another address: sign out to go on as ${invitation.email}.</p>
<form method="post"><button name="leave" value="yes">Sign out</button></form>`
  if (session) return html`<form method="post"><button>Join</button></form>`
  if (hasAccount)
    return html`<p>This address has an account: <a href="/login?to=/invite/${token}">sign in</a>, then you come back here.</p>`
  return html`<form method="post" class="fields">
<label>Your name<input name="name" autocomplete="name" maxlength="200"></label>
<input type="hidden" name="email" autocomplete="username" value="${invitation.email}">
<label>Password, at least 8 characters<input name="password" type="password" autocomplete="new-password" minlength="8" required></label>
<button>Make an account and join</button>
</form>`
}

function closedPage(): Response {
  const body = html`<p>It was used already, was revoked, or is older than seven days. Ask who invited you for a new one. Who has an
account <a href="/login">signs in here</a>.</p>`
  return page({ title: 'This invitation no longer works', body, status: 410 })
}
