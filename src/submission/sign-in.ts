// Signing in over SMTP: an API key is the password, whatever the name of the user. Failures are limited per network, and stay counted
// across restarts.

import { type App, write } from '../app.ts'
import { keyOf, peekStored, takeStored } from '../http/rate-limit.ts'
import { measures } from '../lib/measures.ts'
import { networkOf } from '../lib/network.ts'
import type { SmtpAnswer } from '../mail/smtp-session.ts'
import { createKeyFinder, createTouch, type WorkingKey } from '../workspaces/api-keys.ts'
import { addressRate } from '../workspaces/login.ts'
import { covers } from '../workspaces/scopes.ts'

const scope = 'transactional.send'

const touch = (app: App) => createTouch(app)

/** The key that this password is, if it may send; else why not. */
export async function signIn(
  app: App,
  password: string,
  address: string,
): Promise<{ key: WorkingKey } | { refusal: SmtpAnswer }> {
  const bucket = keyOf.network('smtp', networkOf(address))
  const { allowed, retryAfterSeconds } = await peekStored(app, bucket, addressRate)
  if (!allowed) {
    const text = `4.7.0 too many failed sign-ins; try again in ${Math.ceil(retryAfterSeconds)} s`
    return { refusal: counted(app, 'limited', { code: 454, text }) }
  }
  const key = await findKey(app, password)
  if (key && covers(key.scopes, scope)) {
    app.own(touch)(key)
    app.own(measures).submissionSignIns.add({ outcome: 'ok' })
    return { key }
  }
  await write(app, (tx) => takeStored(tx, bucket, addressRate))
  const text = key ? `this API key lacks the scope ${scope}` : 'the password must be a valid API key (pqk_...)'
  return { refusal: counted(app, 'refused', { code: 535, text: `5.7.8 ${text}` }) }
}

/** Undefined when it does not exist, or no longer. */
export function findKey(app: App, password: string): Promise<WorkingKey | undefined> {
  return app.own(createKeyFinder)(password)
}

function counted(app: App, outcome: string, refusal: SmtpAnswer): SmtpAnswer {
  app.own(measures).submissionSignIns.add({ outcome })
  return refusal
}
