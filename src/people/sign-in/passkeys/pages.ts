// The page of one's passkeys, and the script that asks the browser for one. Renaming and removing are plain forms; adding and signing in
// need the script, which is the only one that these pages let run.

import { Elysia } from 'elysia'
import type { SignInWords } from '../../../../languages/generated/said-by-server.ts'
import { type App, write } from '../../../core/app.ts'
import { toStatus } from '../../../core/http/errors.ts'
import { readForm } from '../../../core/http/form.ts'
import { openPage } from '../../../core/http/surface.ts'
import { AppError } from '../../../kit/error.ts'
import { type Html, html, page } from '../../../kit/page.ts'
import { refuseForeignForm, toOwnAddress } from '../../access/same-site.ts'
import { createSessionTouch, findRequestSession, type Session } from '../../access/sessions.ts'
import { languageOf, type SignInLanguage } from '../../access/sign-in-words.ts'
import { getUser } from '../../access/users.ts'
import scriptPath from './browser.js' with { type: 'file' }
import { listPasskeys, maxNameChars, type Passkey, removePasskey, renamePasskey } from './passkeys.ts'
import { whyNoPasskeys } from './relying-party.ts'

/** For `extraPolicy` of a page with the script. */
const scriptPolicy = "script-src 'self'; connect-src 'self'"
const script = html`<script src="/passkeys.js" defer></script>`

export function passkeyPages(app: App) {
  const { config } = app
  const touch = createSessionTouch(app)
  const visitor = async (request: Request) => {
    const session = await findRequestSession(app, request)
    if (session) touch(session)
    return session
  }
  return new Elysia({ detail: { hide: true, ...openPage } })
    .onBeforeHandle(({ request }) => toOwnAddress(request, config))
    .get('/passkeys.js', () => new Response(Bun.file(scriptPath), { headers: scriptHeaders }))
    .get('/passkeys', async ({ request }) => {
      const session = await visitor(request)
      return session ? await listPage(app, session, languageOf(request)) : goTo('/login?to=/passkeys')
    })
    .post(
      '/passkeys',
      async ({ request }) => {
        const refused = refuseForeignForm(request, config)
        if (refused) return refused
        const session = await visitor(request)
        if (!session) return goTo('/login?to=/passkeys')
        try {
          await change(app, session, await readForm(request))
          return goTo('/passkeys')
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return await listPage(app, session, languageOf(request), error)
        }
      },
      { parse: 'none' },
    )
}

const scriptHeaders = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }

async function change(app: App, session: Session, form: URLSearchParams): Promise<void> {
  const id = form.get('id') ?? ''
  const name = form.get('name') ?? ''
  await write(app, async (tx) => {
    if (form.get('do') === 'remove') await removePasskey(tx, id, session)
    else await renamePasskey(tx, { userId: session.userId, id, name })
  })
}

/** For the page on which people sign in: nothing where there can be no passkeys. Without script the button stays hidden. */
export function signInByPasskey(
  app: App,
  to: string,
  { words }: SignInLanguage,
): { body: Html; extraPolicy: string } | null {
  if (whyNoPasskeys(app.config) !== null) return null
  const body = html`<p hidden id="passkey-sign-in" data-to="${to}"><button type="button">${words.login.withPasskey}</button></p>
<p role="alert" id="passkey-fault"${faults(words)}></p>
${script}`
  return { body, extraPolicy: scriptPolicy }
}

async function listPage(
  app: App,
  { userId, email }: Session,
  { locale, words }: SignInLanguage,
  fault?: AppError,
): Promise<Response> {
  const says = words.passkeys
  const unavailable = whyNoPasskeys(app.config)
  const passkeys = await listPasskeys(app, userId)
  const { passwordHash } = await getUser(app, email)
  const body = html`${fault && html`<p role="alert"><strong>${fault.message}</strong></p>\n`}<p>${says.how}</p>
${passkeys.length > 0 && html`<ul class="choices">${passkeys.map((one) => line(one, words))}</ul>`}
${unavailable === null ? addForm(passwordHash !== null, words) : html`<p><strong>${says.none}</strong> ${unavailable}</p>`}
<p><a href="/dashboard">${says.toDashboard}</a></p>`
  const status = fault ? toStatus(fault.code) : 200
  return page({ title: says.title, body, status, locale, extraPolicy: scriptPolicy })
}

/** What the script may have to say. */
function faults({ passkeys }: SignInWords): Html {
  return html` data-not-allowed="${passkeys.notAllowed}" data-has-one="${passkeys.hasOne}" data-no-answer="${passkeys.noAnswer}"`
}

function whenUsed({ isBackedUp, createdAt, lastUsedAt }: Passkey, { passkeys }: SignInWords): string {
  const day = toDay(createdAt)
  if (lastUsedAt === null) return isBackedUp ? passkeys.unusedCopied(day) : passkeys.unused(day)
  const days = { day, last: toDay(lastUsedAt) }
  return isBackedUp ? passkeys.usedCopied(days) : passkeys.used(days)
}

function line(passkey: Passkey, words: SignInWords): Html {
  const { id, name } = passkey
  const says = words.passkeys
  return html`<li><form method="post" class="row"><input type="hidden" name="id" value="${id}">
<input name="name" value="${name}" aria-label="${says.nameOf}" maxlength="${maxNameChars}" required>
<button name="do" value="rename" aria-label="${says.renameOne(name)}">${says.rename}</button>
<button name="do" value="remove" class="quiet" aria-label="${says.removeOne(name)}">${says.remove}</button></form>
<small>${whenUsed(passkey, words)}</small></li>`
}

function addForm(asksPassword: boolean, words: SignInWords): Html {
  const says = words.passkeys
  return html`<h2>${says.addTitle}</h2>
<form id="passkey-add" class="fields" hidden>
<label>${says.name}<input name="name" maxlength="${maxNameChars}" value="${says.firstName}" required></label>
${asksPassword && html`<label>${says.yourPassword}<input name="password" type="password" autocomplete="current-password" required></label>`}
<button>${says.add}</button>
</form>
<p role="alert" id="passkey-fault"${faults(words)}>${says.needsScript}</p>
${script}`
}

function toDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function goTo(location: string): Response {
  return new Response(null, { status: 303, headers: { location } })
}
