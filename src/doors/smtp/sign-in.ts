// Sign-in over SMTP: the password is an API key, and the user name is ignored. Failed tries are limited per network and stay counted across
// restarts. A valid key is accepted in any case, because many applications may share a network.

import { type App, write } from '../../core/app.ts'
import { keyOf, peekStored, takeStored } from '../../core/http/rate-limit.ts'
import { measures } from '../../kit/measures.ts'
import { networkOf } from '../../kit/network.ts'
import type { SmtpAnswer } from '../../mail/smtp-incoming.ts'
import { createKeyFinder, createKeyTouch, type WorkingKey } from '../../people/access/api-keys.ts'
import { leastRole, mayAct } from '../../people/access/roles.ts'
import { covers } from '../../people/access/scopes.ts'
import { addressRate } from '../../people/sign-in/login.ts'

/** As at POST /v1/transactional/send. */
const scope = 'transactional.send'
const role = leastRole('POST')

const touch = (app: App) => createKeyTouch(app)

/** The key that this password is, if it may send; else why not. */
export async function signIn(
  app: App,
  password: string,
  address: string,
): Promise<{ key: WorkingKey } | { refusal: SmtpAnswer }> {
  const key = await findKey(app, password)
  if (!key) return { refusal: await refuseWrong(app, address) }
  const lacks = missingPermission(key)
  if (lacks !== null) return { refusal: counted(app, 'refused', { code: 535, text: `5.7.8 ${lacks}` }) }
  app.own(touch)(key)
  app.own(measures).submissionSignIns.add({ outcome: 'ok' })
  return { key }
}

/** Over the limit nothing is written. */
async function refuseWrong(app: App, address: string): Promise<SmtpAnswer> {
  const bucket = keyOf.network('smtp', networkOf(address))
  const { allowed, retryAfterSeconds } = await peekStored(app, bucket, addressRate)
  if (!allowed) {
    const text = `4.7.0 too many failed sign-ins; try again in ${Math.ceil(retryAfterSeconds)} s`
    return counted(app, 'limited', { code: 454, text })
  }
  await write(app, (tx) => takeStored(tx, bucket, addressRate))
  return counted(app, 'refused', { code: 535, text: '5.7.8 the password must be a valid API key (pqk_...)' })
}

/** The key that this password is; undefined when it does not exist, or no longer, or is of an agent. */
async function findKey(app: App, password: string): Promise<WorkingKey | undefined> {
  const key = await app.own(createKeyFinder)(password)
  return key?.airlock ? undefined : key
}

/** The same, of a key that may send. */
export async function findSender(app: App, password: string): Promise<WorkingKey | null> {
  const key = await findKey(app, password)
  return key && missingPermission(key) === null ? key : null
}

/** Why a key may not send; null when it may. */
function missingPermission({ scopes, role: granted, workspace }: WorkingKey): string | null {
  if (workspace.suspendedAt !== null) return `this workspace is suspended: ${workspace.suspendedReason}`
  if (!covers(scopes, scope)) return `this API key lacks the scope ${scope}`
  if (!mayAct(granted, role))
    return `this API key may only read: its creator is a ${granted}, and sending requires a ${role}`
  return null
}

function counted(app: App, outcome: string, refusal: SmtpAnswer): SmtpAnswer {
  app.own(measures).submissionSignIns.add({ outcome })
  return refusal
}
