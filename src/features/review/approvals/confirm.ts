// A person's yes to what agents would do needs more than a session where there is more: whoever has a passkey confirms with it, so that a stolen
// cookie, or an agent that drives a browser, approves nothing. The answer is bound to exactly the list that was seen.

import type { SeenApproval } from '../../../../db/tables/agents.ts'
import type { App } from '../../../core/app.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { AppError } from '../../../kit/error.ts'
import type { Credential } from '../../../people/access/auth.ts'
import { getChallenge, newChallenge } from '../../../people/sign-in/passkeys/challenge.ts'
import {
  confirmByPasskey,
  listPasskeys,
  mustConfirm,
  requestOptions,
} from '../../../people/sign-in/passkeys/passkeys.ts'
import type { AuthenticationAnswer } from '../../../people/sign-in/passkeys/webauthn.ts'
import { isCampaign } from './approvals.ts'

/** What navigator.credentials.get() answered. */
interface Confirmation {
  id: string
  response: AuthenticationAnswer
}

/** `options` for the browser and the cookie that goes with them; both null where no passkey is needed. Throws 403 after the last was removed. */
export async function beginConfirmation(app: App, credential: Credential, approvals: SeenApproval[]) {
  const person = await whoConfirms(app, credential, approvals)
  if (person === null) return { options: null, cookie: null }
  const known = await listPasskeys(app, person.userId)
  if (known.length === 0) throw signInAgain()
  const { challenge, cookie } = await newChallenge(app, purposeOf(person, approvals))
  const allowCredentials = known.map(({ credentialId: id, transports }) => ({
    type: 'public-key' as const,
    id,
    transports,
  }))
  return { options: { ...requestOptions(app, challenge), allowCredentials }, cookie }
}

/**
 * Throws 403 without the answer of a passkey that is needed, or for one that proves nothing; 409 for a challenge that is for another list, too
 * old or used up.
 */
export async function confirm(
  app: App,
  request: Request,
  given: { credential: Credential; approvals: SeenApproval[]; answer: Confirmation | undefined },
): Promise<void> {
  const { credential, approvals, answer } = given
  const person = await whoConfirms(app, credential, approvals)
  if (person === null) return
  const { userId } = person
  if ((await listPasskeys(app, userId)).length === 0) throw signInAgain()
  if (answer === undefined) throw passkeyRequired()
  const challenge = await getChallenge(app, request, purposeOf(person, approvals))
  await confirmByPasskey(app, { userId, challenge, id: answer.id, answer: answer.response })
}

/** Null: no passkey is needed. The yes to a campaign makes nothing leave: it is still sent by somebody who may. */
async function whoConfirms(app: App, credential: Credential, approvals: SeenApproval[]) {
  if (credential.kind !== 'session' || approvals.every(({ id }) => isCampaign(id))) return null
  return (await mustConfirm(app, credential)) ? credential : null
}

function purposeOf({ tokenHash }: { tokenHash: string }, approvals: SeenApproval[]) {
  return { tokenHash, yesTo: sha256Hex(JSON.stringify(approvals.map(({ id, contentHash }) => [id, contentHash]))) }
}

function passkeyRequired(): AppError {
  const message = 'Confirm with your passkey: get the options for this list first (POST /v1/approvals/options).'
  return new AppError('forbidden', message, {
    errors: [{ path: 'credential', message: 'needed of whoever has a passkey', code: 'passkey_required' }],
  })
}

function signInAgain(): AppError {
  return new AppError('forbidden', 'You removed your passkey in this session: sign in again to approve.')
}
