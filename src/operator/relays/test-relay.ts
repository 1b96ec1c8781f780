// A test mail through one relay, sent at once: it says what the relay answered.

import { type App, write } from '../../core/app.ts'
import { keyOf, type Rate, rateLimited, takeStored } from '../../core/http/rate-limit.ts'
import { openRelayUrl } from '../../core/relays.ts'
import { second } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { allowedCidrs } from '../../kit/outbound/url.ts'
import type { MailOutcome } from '../../mail/mailer.ts'
import { transport } from '../../mail/mx/transport.ts'
import { plainTextMail } from '../../mail/plain-text.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { getRelay, smtpUrlRelay } from './relays.ts'

/** By workspace. */
const testRate: Rate = { burst: 20, perSecond: 20 / 3_600 }
const withinMs = 30 * second

/** Throws not_found, and 429 over the limit. */
export async function testRelay(
  app: App,
  { id: workspaceId }: Workspace,
  { relayId, to }: { relayId: string; to: string },
): Promise<{ outcome: MailOutcome['outcome']; detail: string }> {
  const url = await loadUrl(app, relayId)
  const allowance = await write(app, (tx) => takeStored(tx, keyOf.id('relay-test', workspaceId), testRate))
  if (!allowance.allowed) throw rateLimited(allowance)
  const { mailFrom: from } = app.config
  const date = app.clock.now()
  const messageId = `${newId(app, 'msg', date)}@${addressDomain(from.address)}`
  const text = 'This is a test of a relay, asked for by an owner of this installation.\n'
  const raw = plainTextMail({ from, to, subject: 'Test of a relay', text, messageId, date })
  const way = transport(url, { ports: () => app, clock: app.clock, allowed: allowedCidrs(app.config) })
  try {
    const mail = { workspaceId, envelope: { from: from.address, to }, messageId, raw }
    const outcome = await way.send(mail, {
      beforeFinalDot: async () => true,
      signal: AbortSignal.timeout(withinMs),
    })
    return { outcome: outcome.outcome, detail: detailOf(outcome) }
  } finally {
    await way.close()
  }
}

async function loadUrl(app: App, relayId: string): Promise<string> {
  if (relayId !== smtpUrlRelay) return await openRelayUrl(app, await getRelay(app, relayId))
  if (app.config.smtpUrl === undefined) throw new AppError('not_found', 'SMTP_URL is not set')
  return app.config.smtpUrl
}

function detailOf(outcome: MailOutcome): string {
  if (outcome.outcome === 'accepted' || outcome.outcome === 'refused') return outcome.reply
  if (outcome.outcome === 'not_sent') return `${outcome.stage}: ${outcome.detail}`
  return 'detail' in outcome ? outcome.detail : ''
}
