// A refusal for who we are that a provider met after it took the mail: each tells it in a place of its own. It is evidence of the requirement
// that is broken, as one at the hand-over is, and counts against nobody.

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messages } from '../db/tables/messages.ts'
import { write } from '../src/core/app.ts'
import { addressDomain } from '../src/kit/email-address.ts'
import { vouchFor } from '../src/people/domain-owners.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { sentCampaign } from './support/campaign.ts'
import {
  fromSns,
  hook,
  post,
  secret,
  sendgridSigner,
  signed,
  signedByMailgun,
  sns,
  topicArn,
} from './support/provider-reports.ts'

const reply = '550-5.7.26 Your email has been blocked because the sender is unauthenticated. ffacd0b85a97d - gsmtp'
const more = 'delivery failed'

interface Told {
  settings?: { verifyWith: string; topicArn?: string }
  /** What is posted about a message. */
  of(t: TestApp, id: string): { body: unknown; headers?: Record<string, string> }
}

const sendgrid = sendgridSigner()
const webhook = (prefix: string, bodyOf: (id: string) => object): Told => ({
  settings: { verifyWith: secret },
  of: (t, id) => ({ body: bodyOf(id), headers: signed(t, bodyOf(id), prefix) }),
})

const providers: Record<string, Told> = {
  ses: {
    settings: { verifyWith: sns.cert, topicArn },
    of: (t, id) => {
      const bouncedRecipients = [{ emailAddress: 'r@example.net', diagnosticCode: `smtp; ${reply}` }]
      const bounce = { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients }
      const mail = { commonHeaders: { messageId: `<${id}@acme.test>` } }
      return { body: fromSns(t, { Message: JSON.stringify({ notificationType: 'Bounce', bounce, mail }) }) }
    },
  },
  postmark: {
    of: (_, id) => ({ body: { RecordType: 'Bounce', Type: 'HardBounce', MessageID: id, Details: `smtp;${reply}` } }),
  },
  mailgun: {
    settings: { verifyWith: 'key-1' },
    of: (t, id) => {
      const message = { headers: { 'message-id': `${id}@acme.test` } }
      const status = { code: 550, message: reply.slice('550-'.length) }
      const data = { event: 'failed', severity: 'permanent', reason: 'bounce', message, 'delivery-status': status }
      return { body: signedByMailgun(data, { token: id, at: t.clock.now() }) }
    },
  },
  sendgrid: {
    settings: { verifyWith: sendgrid.verifyWith },
    of: (t, id) => {
      const body = [
        { event: 'bounce', type: 'bounce', status: '5.7.26', reason: reply, 'smtp-id': `<${id}@acme.test>` },
      ]
      return { body, headers: sendgrid.headersOf(t, body) }
    },
  },
  brevo: { of: (_, id) => ({ body: { event: 'hard_bounce', 'X-Mailin-custom': id, reason: reply } }) },
  mailjet: {
    of: (_, id) => ({
      body: { event: 'bounce', CustomID: id, hard_bounce: true, error_related_to: 'recipient', comment: reply },
    }),
  },
  sparkpost: {
    of: (_, id) => {
      const said = { bounce_class: '10', error_code: '550', raw_reason: reply, rcpt_meta: { message_id: id } }
      return { body: { msys: { message_event: { type: 'bounce', ...said } } } }
    },
  },
  resend: webhook('svix', (id) => ({
    type: 'email.bounced',
    data: { message_id: id, bounce: { type: 'Permanent', message: more, diagnosticCode: [`smtp; ${reply}`] } },
  })),
  generic: webhook('webhook', (id) => ({ type: 'bounce', bounceType: 'hard', messageId: id, detail: reply })),
}

async function googleOf(t: TestApp, domainId: string): Promise<Json> {
  const { data } = await t.get(`/v1/sending-domains/${domainId}/requirements`, 200)
  return data.find((one: Json) => one.receiver === 'google' && one.requirement === 'authentication')
}

for (const [provider, { settings, of }] of Object.entries(providers))
  test(`${provider} tells it, once, and no address is suppressed for it`, async () => {
    await using t = await testApp()
    const [id = '', ofOther = ''] = (await sentCampaign(t, 2)).messageIds
    const [mail] = await t.app.db.select().from(messages).where(eq(messages.id, id))
    const domain = addressDomain(mail?.fromEmail ?? '')
    const added = await t.post('/v1/sending-domains', { domain }, 201)
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain }))
    const path = await hook(t, { provider, ...settings })

    // Of a mail that is another workspace's.
    const { workspace } = await t.stranger('other')
    const theirs = { workspaceId: workspace.id }
    await write(t.app, (tx) => tx.db.update(messages).set(theirs).where(eq(messages.id, ofOther)))
    const { body, headers } = of(t, ofOther)
    await post(t, path, body, headers)
    expect(await googleOf(t, added.id)).toMatchObject({ state: 'unknown' })

    const since = t.clock.now().toISOString()
    const told = of(t, id)
    await post(t, path, told.body, told.headers)
    const broken = { state: 'not_met', evidence: 'refusal', since }
    expect(await googleOf(t, added.id)).toMatchObject(broken)
    expect((await googleOf(t, added.id)).detail).toContain('5.7.26 Your email has been blocked')
    expect(await t.get(`/v1/activity/${id}`, 200)).toMatchObject({ status: 'bounced' })
    expect((await t.get('/v1/suppressions', 200)).data).toEqual([])
    // It comes again, later: that keeps nothing alive.
    t.clock.advance(60_000)
    await t.unchanged(() => post(t, path, told.body, told.headers))
  })
