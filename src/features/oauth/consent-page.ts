// The page on which a person allows a client something. It has no script, is in no frame, and leads nowhere but back to the client.

import { toStatus } from '../../core/http/errors.ts'
import type { AppError } from '../../kit/error.ts'
import { ownValue } from '../../kit/own-value.ts'
import { filled, type Html, html, page, slot } from '../../kit/page.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { mayAct } from '../../people/access/roles.ts'
import type { Session } from '../../people/access/sessions.ts'
import type { SignInLanguage } from '../../people/access/sign-in-words.ts'
import type { Target } from './allow.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { oauthPaths } from './metadata.ts'
import { hostOfRedirect, isOnThisMachine } from './redirect-uris.ts'
import { basicScope, type Endpoint, type GrantScope, leastRoleFor } from './resources.ts'

/** What is ticked before anybody has chosen: never what reaches others. */
const reachesOthers: GrantScope[] = ['send', 'reply']

export interface Consent {
  request: AuthorizationRequest
  session: Session
  targets: Target[]
  /** The request, sealed. */
  ticket: string
  /** What was chosen and could not be allowed, with the reason. */
  refused?: { error: AppError; targetId: string; scopes: string[] }
}

type Words = SignInLanguage['words']['consent']

export function consentPage(language: SignInLanguage, consent: Consent): Response {
  const words = language.words.consent
  const { request, session, targets, ticket, refused } = consent
  const { client, endpoint, redirectUri } = request
  const host = html`<strong>${hostOfRedirect(redirectUri)}</strong>`
  const sentBack = isOnThisMachine(redirectUri) ? words.sentToDevice(slot(0)) : words.sentBack(slot(0))
  const none = endpoint === 'workspace' ? words.noWorkspace : words.noMailbox
  const body = html`${refused && html`<p role="alert"><strong>${whyRefused(words, refused.error)}</strong></p>\n`}<p>${
    client.publishedBy === null ? words.unverified : words.published(client.publishedBy)
  } ${filled(sentBack, host)}</p>
<p>${filled(words.signedInAs(slot(0)), html`<strong>${session.email}</strong>`)}</p>
<form method="post" action="${oauthPaths.authorize}" class="fields">
<input type="hidden" name="ticket" value="${ticket}">
${targets.length === 0 ? html`<p role="alert">${none}</p>` : targetField(words, endpoint, targets, refused?.targetId)}
<fieldset><legend>${words.may}</legend>
<ul class="choices">${request.scopes.map((scope) => scopeField(words, { endpoint, scope, targets }, refused?.scopes))}</ul>
</fieldset>
<p><small>${words.ends}</small></p>
<p>${targets.length > 0 && html`<button name="decision" value="allow">${words.allow}</button> `}<button class="quiet" name="decision" value="deny">${words.deny}</button></p>
</form>`
  return page({
    title: words.title(client.name),
    body,
    locale: language.locale,
    leadsTo: redirectUri,
    headers: { vary: 'Accept-Language, Cookie' },
    ...withoutUndefined({ status: refused && toStatus(refused.error.code) }),
  })
}

function targetField(words: Words, endpoint: Endpoint, targets: Target[], chosen?: string): Html {
  const options = targets.map((target) => {
    const selected = target.id === chosen && html` selected`
    return html`<option value="${target.id}"${selected}>${toOption(words, target)}</option>`
  })
  return html`<label>${endpoint === 'workspace' ? words.workspace : words.mailbox}<select name="target" required>${options}</select></label>`
}

function toOption(words: Words, { workspace, mailbox, role }: Target): string {
  const name = mailbox === null ? workspace.name : words.mailboxOf({ mailbox, workspace: workspace.name })
  return role === 'viewer' ? words.asViewer(name) : name
}

interface OfferedScope {
  endpoint: Endpoint
  scope: GrantScope
  targets: Target[]
}

/** What the person may allow nowhere is shown, and cannot be ticked. */
function scopeField(words: Words, { endpoint, scope, targets }: OfferedScope, chosen?: string[]): Html {
  const isBasic = scope === basicScope
  const isFixed = isBasic || !targets.some(({ role }) => mayAct(role, leastRoleFor(scope)))
  const isWanted = chosen === undefined ? !reachesOthers.includes(scope) : chosen.includes(scope)
  const isTicked = isBasic || (isWanted && !isFixed)
  const state = html`${isTicked && html` checked`}${isFixed && html` disabled`}`
  const how = isFixed && html` <small>${isBasic ? words.always : words.tooMuch}</small>`
  return html`<li><label><input type="checkbox" name="scope" value="${scope}"${state}> <span>${whatItMay(words, endpoint, scope)}${how}</span></label></li>`
}

function whatItMay(words: Words, endpoint: Endpoint, scope: GrantScope): string | undefined {
  const all: Record<string, string> = endpoint === 'workspace' ? words.workspaceScopes : words.mailboxScopes
  return ownValue(all, scope)
}

function whyRefused(words: Words, { code, message }: AppError): string {
  return code === 'insufficient_role' ? words.tooMuch : message
}

/** What only the person can be told: nobody knows where else the answer would belong. */
export function refusedPage(
  { locale, words: { consent: words } }: SignInLanguage,
  message: string,
  status: number,
): Response {
  const body = html`<p role="alert"><strong>${message}</strong></p>\n<p>${words.refusedHow}</p>`
  return page({ title: words.refusedTitle, body, status, locale })
}
