// The SMTP listener over our mailboxes: who is a recipient, how much mail one address may bring, and 250 only for what is stored.

import type { App } from '../../core/app.ts'
import { createLimiter } from '../../core/http/limiter.ts'
import { keyOf, type Rate } from '../../core/http/rate-limit.ts'
import { AppError } from '../../kit/error.ts'
import { networkOf } from '../../kit/network.ts'
import type { SmtpAnswer } from '../../mail/smtp-incoming.ts'
import { type SmtpListener, startSmtpListener } from '../../mail/smtp-listener.ts'
import type { SmtpLimits } from '../../mail/smtp-places.ts'
import type { InboundMail } from '../../mail/smtp-session.ts'
import { noteReport } from '../campaigns/feedback.ts'
import { readMessageAddress } from '../sending/activity/message-address.ts'
import type { SendingDomain } from '../sending/domains/keys.ts'
import { takeMessageMail } from '../sending/feedback/bounces.ts'
import { findReportedDomain, takeReport } from '../sending/reports/take.ts'
import { findReceiver, type Mailbox } from './mailboxes.ts'
import { hostName, receiveMail } from './receive.ts'

/** Recipients named by one sending server. */
const recipientRate: Rate = { burst: 500, perSecond: 10 }

const unknown: SmtpAnswer = { code: 550, text: '5.1.1 no such mailbox here' }
const later: SmtpAnswer = { code: 451, text: '4.7.1 too much mail from this address; come back later' }

const busy: SmtpAnswer = { code: 451, text: '4.3.2 too much mail is being read; come back later' }

export interface InboundOptions {
  /** 0 = any free one. */
  port: number
  host: string
  limits?: Partial<SmtpLimits>
}

/** Listens until close(). Throws when the port is taken. */
export function listenForMail(app: App, { port, host, limits }: InboundOptions): Promise<SmtpListener> {
  const limiter = createLimiter(app, recipientRate)
  const { inboundTls } = app.config
  return startSmtpListener({
    port,
    host,
    setting: 'INBOUND_SMTP_PORT',
    name: hostName(app),
    tls: inboundTls && { pair: () => inboundTls },
    ...(limits ? { limits } : {}),
    handlersOf: ({ address: peer }) => {
      const sender = keyOf.network('recipients', networkOf(peer))
      return {
        async recipient(address) {
          if (!(await limiter.take(sender)).allowed) return later
          return (await isTaken(app, address)) ? null : unknown
        },
        message: (mail) => deliver(app, mail),
      }
    },
  })
}

async function isTaken(app: App, address: string): Promise<boolean> {
  if (readMessageAddress(app, address) !== null) return true
  return (await findReportedDomain(app, address)) !== null || (await findReceiver(app, address)) !== null
}

async function deliver(app: App, { from, recipients, raw, address, helo }: InboundMail): Promise<SmtpAnswer> {
  const [ofMessages, others] = partition(recipients, (recipient) => readMessageAddress(app, recipient) !== null)
  const found = await Promise.all(others.map((recipient) => findReceiver(app, recipient)))
  const mailboxes = found.filter((mailbox): mailbox is Mailbox => mailbox !== null)
  const asked = await Promise.all(others.map((recipient) => findReportedDomain(app, recipient)))
  const reported = asked.filter((domain): domain is SendingDomain => domain !== null)
  if (mailboxes.length + ofMessages.length + reported.length === 0) return unknown
  try {
    const answers: SmtpAnswer[] = []
    for (const domain of reported) answers.push(await takeReport(app, domain, raw, noteReport))
    const notYet = answers.find(({ code }) => code < 500 && code >= 400)
    if (notYet) return notYet
    for (const recipient of ofMessages) await takeMessageMail(app, recipient, raw, noteReport)
    if (mailboxes.length === 0) return answers[0] ?? { code: 250, text: '2.0.0 taken' }
    const arrival = { raw, via: 'smtp', envelopeFrom: from, address, helo, isOriginal: true } as const
    const reception = await receiveMail(app, mailboxes, arrival)
    if (reception.outcome === 'loop') return { code: 554, text: '5.4.6 this mail has been here before' }
    if (reception.outcome === 'refused') return { code: 554, text: `5.6.0 ${reception.reason}` }
    return { code: 250, text: `2.0.0 stored as ${reception.ids.join(' ')}` }
  } catch (error) {
    if (error instanceof AppError && error.code === 'overloaded') return busy
    app.log.error('a mail could not be stored', { error, bytes: raw.bytes })
    throw error
  }
}

function partition<T>(all: T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}
