// The SMTP listener over our mailboxes: who is a recipient, how much mail one address may bring, and 250 only for what is stored.

import type { App } from '../../core/app.ts'
import { createLimiter, keyOf, type Rate } from '../../core/http/rate-limit.ts'
import { AppError } from '../../kit/error.ts'
import { networkOf } from '../../kit/network.ts'
import type { SmtpAnswer } from '../../mail/smtp-incoming.ts'
import { type SmtpListener, startSmtpListener } from '../../mail/smtp-listener.ts'
import type { SmtpLimits } from '../../mail/smtp-places.ts'
import type { InboundMail } from '../../mail/smtp-session.ts'
import { noteReport } from '../campaigns/feedback.ts'
import { readMessageAddress } from '../sending/activity/message-address.ts'
import { takeMessageMail } from '../sending/feedback/bounces.ts'
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
          if (!limiter.take(sender).allowed) return later
          return readMessageAddress(app, address) || (await findReceiver(app, address)) ? null : unknown
        },
        message: (mail) => deliver(app, mail),
      }
    },
  })
}

async function deliver(app: App, { from, recipients, raw, address, helo }: InboundMail): Promise<SmtpAnswer> {
  const [ofMessages, others] = partition(recipients, (recipient) => readMessageAddress(app, recipient) !== null)
  const found = await Promise.all(others.map((recipient) => findReceiver(app, recipient)))
  const mailboxes = found.filter((mailbox): mailbox is Mailbox => mailbox !== null)
  if (mailboxes.length + ofMessages.length === 0) return unknown
  try {
    for (const recipient of ofMessages) await takeMessageMail(app, recipient, raw, noteReport)
    if (mailboxes.length === 0) return { code: 250, text: '2.0.0 taken' }
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
