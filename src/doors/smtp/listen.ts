// Receives mail that applications submit over SMTP: which client may send as whom, and a 250 only once the mail is durable.

import type { App } from '../../core/app.ts'
import { apiLimits } from '../../core/http/limiter.ts'
import { keyOf } from '../../core/http/rate-limit.ts'
import { hostName } from '../../features/mailboxes/receive.ts'
import { acting, newAct } from '../../kit/act.ts'
import { minute } from '../../kit/duration.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { measures } from '../../kit/measures.ts'
import { beginUrgent } from '../../kit/turn.ts'
import type { SmtpAnswer } from '../../mail/smtp-incoming.ts'
import { type SmtpListener, startSmtpListener } from '../../mail/smtp-listener.ts'
import type { SmtpLimits } from '../../mail/smtp-places.ts'
import type { InboundMail, SmtpHandlers } from '../../mail/smtp-session.ts'
import { tlsFiles } from '../../mail/tls-files.ts'
import type { WorkingKey } from '../../people/access/api-keys.ts'
import { leaveLine } from '../../people/access/audit/leave-line.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import { acceptSubmission } from './accept.ts'
import { toSmtpRefusal } from './refusals.ts'
import { findSender, signIn } from './sign-in.ts'

/** Applications keep connections open, and one machine may run many of them. */
const limits: Partial<SmtpLimits> = {
  maxRecipients: 500,
  connectionsPerNetwork: 100,
  idleMs: 5 * minute,
  sessionMs: 60 * minute,
}

/** With how many ids a line of the reply stays below 512 characters. */
const idsPerLine = 12

export interface SubmissionListener extends SmtpListener {
  /** For people: how it is reached. */
  says: string
}

/** Those of the settings. Listens until close(). Throws when a port is taken. */
export async function listenForSubmissions(app: App, host: string): Promise<SubmissionListener[]> {
  const { port, tlsPort, tls } = app.config.submission
  const onBroken = (error: unknown) =>
    app.log.error('SUBMISSION_TLS_CERT and SUBMISSION_TLS_KEY changed and cannot be used; the former ones stay', {
      error,
    })
  const pair = tls && tlsFiles(tls, onBroken)
  const wanted = [
    { port, setting: 'SUBMISSION_PORT', tls: pair && { pair }, how: pair ? 'STARTTLS' : 'without TLS' },
    { port: tlsPort, setting: 'SUBMISSIONS_PORT', tls: pair && { pair, implicit: true }, how: 'TLS' },
  ]
  const listeners: SubmissionListener[] = []
  for (const { port, setting, tls, how } of wanted) {
    if (port === undefined) continue
    const name = hostName(app)
    const handlersOf = (peer: { address: string }) => handlersFor(app, peer)
    const listener = await startSmtpListener({ port, host, setting, name, tls, handlersOf, limits })
    listeners.push({ ...listener, says: `taking mail of applications on ${host}:${listener.port} (${how})` })
  }
  return listeners
}

/** Of one session: it remembers who signed in. */
function handlersFor(app: App, { address }: { address: string }): SmtpHandlers {
  let password = ''
  let keyId = ''
  /** A key that was revoked meanwhile is none. */
  const signedIn = () => findSender(app, password)
  return {
    async signIn(credentials) {
      const result = await signIn(app, credentials.password, address)
      if ('refusal' in result) return result.refusal
      password = credentials.password
      keyId = result.key.id
      return null
    },
    async sender(path) {
      const key = await signedIn()
      if (key === null) return revoked
      // The null sender of what answers by itself: bounces return to an address of ours in any case.
      if (path === '') return null
      const parsed = parseAddress(path)
      if (!parsed.ok) return { code: 553, text: `5.1.7 the sender ${parsed.reason}` }
      return await refused(
        () => checkAddress(app, key.workspace.id, { address: parsed.address, path: 'MAIL FROM' }),
        553,
      )
    },
    async recipient() {
      const allowance = await app.own(apiLimits)?.take(keyOf.id('key', keyId))
      if (!allowance || allowance.allowed) return null
      const seconds = Math.max(1, Math.ceil(allowance.retryAfterSeconds))
      return { code: 450, text: `4.7.1 too many requests; try again in ${seconds} s` }
    },
    async message(mail) {
      const key = await signedIn()
      const answer = key === null ? revoked : await take(app, key, mail)
      app.own(measures).submissions.add({ code: String(answer.code) })
      return answer
    },
  }
}

const revoked: SmtpAnswer = { code: 535, text: '5.7.8 the API key is no longer valid' }

/** Null unless it is refused; with another code if that is given. */
async function refused(work: () => Promise<unknown>, code?: number): Promise<SmtpAnswer | null> {
  try {
    await work()
    return null
  } catch (error) {
    const answer = toSmtpRefusal(error)
    if (answer === null) throw error
    return answer.code === 550 && code !== undefined ? { ...answer, code } : answer
  }
}

async function take(app: App, key: WorkingKey, mail: InboundMail): Promise<SmtpAnswer> {
  const operation = 'submit'
  const act = newAct(() => ({ operation, ip: mail.address, client: mail.helo }), {
    actor: { kind: 'api_key', id: key.id },
    workspaceId: key.workspace.id,
  })
  const done = beginUrgent(key.workspace.id)
  try {
    const { messageIds, replayed } = await acting(act, () => acceptSubmission(app, key, mail))
    await leaveLine(app, act, { operation })
    return { code: 250, text: replyLines(messageIds, replayed ? 'accepted before as' : 'accepted as') }
  } catch (error) {
    const answer = toSmtpRefusal(error)
    if (answer !== null) return answer
    app.log.error('a mail of an application could not be accepted', { error, bytes: mail.raw.bytes })
    throw error
  } finally {
    done()
  }
}

function replyLines(ids: string[], what: string): string {
  const lines: string[] = []
  for (let at = 0; at < ids.length; at += idsPerLine)
    lines.push(`2.0.0 ${what} ${ids.slice(at, at + idsPerLine).join(' ')}`)
  return lines.join('\n')
}
