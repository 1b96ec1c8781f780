// What webhooks are told of campaigns, of what becomes of their mails, and of sending domains; and the mail that comes back over SMTP:
// bounces, and wishes to leave.

import { describe, expect, test } from 'bun:test'
import { listenForMail } from '../src/features/mailboxes/listen.ts'
import { messageAddress } from '../src/features/sending/activity/message-address.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, drafted, sendCampaign, statsOf } from './support/campaign.ts'
import { nameServer } from './support/dns.ts'
import { smtpClient } from './support/smtp-client.ts'

const environment = { INBOUND_DOMAIN: 'in.acme.test' }

/** From here on everything is told, to an endpoint that is not called: the feed shows it. */
async function listen(t: TestApp): Promise<void> {
  await t.endpoint({ url: 'https://hooks.example.com/', status: 'disabled', eventFilters: ['*'] })
}

/** What was told, by type in order. */
async function told(t: TestApp): Promise<[type: string, data: Json][]> {
  const { data } = await t.get('/v1/event-feed?limit=100', 200)
  return data.map(({ type, payload }: Json) => [type, payload.data])
}

async function typesOf(t: TestApp): Promise<string[]> {
  return (await told(t)).map(([type]) => type)
}

/** A campaign to one person that was sent, and the address that its bounces go to. */
async function sentCampaign(t: TestApp) {
  const { id, list, contacts } = await drafted(t, 1)
  await sendCampaign(t, id)
  const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200)
  const messageId: string = data[0].messageId
  const raw = (await t.sent())[0]?.raw.replaceAll(/\r\n[ \t]+/g, ' ') ?? ''
  const way = /^List-Unsubscribe: <(?<url>[^>]+)>(?:, <mailto:(?<address>[^>]+)>)?\r$/m.exec(raw)?.groups ?? {}
  return { id, list, contact: contacts[0], messageId, way }
}

function dsn(status: string): string {
  return [
    'From: MAILER-DAEMON@mx.example',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="A"',
    '',
    '--A',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Action: failed`,
    `Status: ${status}`,
    '--A--',
    '',
  ].join('\r\n')
}

/** A mail over SMTP to one of our addresses; the reply to it. */
async function mailTo(t: TestApp, address: string, content: string): Promise<string> {
  const listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1' })
  try {
    using client = await smtpClient(listener.port)
    await client.toData(address)
    client.write(`${content}\r\n.\r\n`)
    return await client.reply()
  } finally {
    await listener.close()
  }
}

describe('webhooks are told of', () => {
  test('a campaign from its schedule to its end, and of each of its mails', async () => {
    await using t = await testApp()
    await listen(t)
    const { id } = await drafted(t, 2)
    const seen = (await told(t)).length
    const at = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: at }, 200)
    await t.advance('1h')
    const events = (await told(t)).slice(seen)
    expect(events.map(([type]) => type)).toEqual([
      'campaign.scheduled',
      'campaign.started',
      'email.queued',
      'email.queued',
      'campaign.email.sent',
      'campaign.email.sent',
      'campaign.completed',
    ])
    expect(events[0]?.[1]).toEqual({ campaignId: id, name: 'July', scheduledAt: at })
    expect(events.at(-1)?.[1]).toEqual({ campaignId: id, name: 'July', recipients: 2 })
    expect(events[4]?.[1]).toMatchObject({
      sourceType: 'campaign',
      campaignId: id,
      email: { subject: expect.stringMatching(/^News for Reader [01]$/) },
    })
  })

  test('a pause, by a person and by a missed window', async () => {
    await using t = await testApp()
    await listen(t)
    const { id, list } = await drafted(t, 2)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
    expect((await told(t)).at(-1)).toEqual(['campaign.paused', { campaignId: id, name: 'July', reason: 'manual' }])
    const other = await draft(t, list)
    const at = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
    await t.post(`/v1/campaigns/${other}/schedule`, { scheduledAt: at }, 200)
    await t.advance('3h')
    expect((await told(t)).at(-1)?.[1]).toEqual({ campaignId: other, name: 'July', reason: 'missed_window' })
  })

  test('who leaves by the link of a mail, and comes back', async () => {
    await using t = await testApp()
    const { way, messageId, id, list } = await sentCampaign(t)
    await listen(t)
    const path = new URL(way.url ?? '').pathname
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const press = (at: string, body: string) => t.request('POST', at, body, { as: 'nobody', headers: form })
    for (let i = 0; i < 2; i++) await press(path, 'List-Unsubscribe=One-Click')
    expect(await typesOf(t)).toEqual(['email.unsubscribed', 'contact.mailingList.unsubscribed'])
    expect((await told(t))[0]?.[1]).toMatchObject({ email: { id: messageId }, campaignId: id })
    await t.patch(`/v1/mailing-lists/${list.id}`, { isPublic: true }, 200)
    await press(path.replace('/u/', '/preferences/'), `do=save&list=${list.id}`)
    expect((await typesOf(t)).slice(2)).toEqual(['email.resubscribed', 'contact.mailingList.subscribed'])
    const left = async () => [
      (await t.get(`/v1/campaigns/${id}`, 200)).stats.left,
      (await t.get(`/v1/stats?campaignId=${id}&bucket=hour`, 200)).totals.left,
      (await t.get('/v1/stats', 200)).totals.left,
    ]
    expect(await left()).toEqual([1, 1, 1])
    for (let i = 0; i < 2; i++) await press(path.replace('/u/', '/preferences/'), 'do=save')
    expect(await left()).toEqual([2, 2, 2])
  })

  test('a domain that is set up, and no more', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    await listen(t)
    const { id, dnsRecords } = await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
    const verify = () => t.post(`/v1/sending-domains/${id}/verify`, {}, 200)
    await verify()
    expect(await typesOf(t)).toEqual([])
    for (const { name, value } of dnsRecords) dns.names.set(name, [value])
    for (let i = 0; i < 2; i++) await verify()
    dns.names.set('_dmarc.news.example', 'servfail')
    await verify()
    expect(await told(t)).toEqual([['domain.verified', { domain: { id, name: 'news.example' } }]])
    dns.names.delete('_dmarc.news.example')
    for (let i = 0; i < 2; i++) await verify()
    expect((await told(t)).slice(1)).toEqual([
      ['domain.failed', { domain: { id, name: 'news.example' }, reason: 'dmarc_missing' }],
    ])
  })
})

describe('a mail that comes back over SMTP', () => {
  test('a hard bounce ends the recipient, and is told as one', async () => {
    await using t = await testApp({ environment })
    const { id, messageId } = await sentCampaign(t)
    await listen(t)
    const address = messageAddress(t.app, 'bounce', messageId) ?? ''
    expect(await mailTo(t, address, dsn('5.1.1'))).toMatch(/^250 2\.0\.0 taken/)
    expect(await statsOf(t, id)).toMatchObject({ bounced: 1 })
    const types = await typesOf(t)
    expect(types).toContain('email.hardBounced')
    expect(types).toContain('suppression.added')
    expect(types).toContain('contact.mailingList.unsubscribed')
  })

  test('a soft bounce is told as one, and suppresses nobody', async () => {
    await using t = await testApp({ environment })
    const { id, messageId } = await sentCampaign(t)
    await listen(t)
    await mailTo(t, messageAddress(t.app, 'bounce', messageId) ?? '', dsn('4.2.2'))
    expect(await typesOf(t)).toEqual(['email.softBounced'])
    expect((await told(t))[0]?.[1]).toMatchObject({ campaignId: id, code: '4.2.2' })
    expect((await t.get('/v1/suppressions', 200)).data).toEqual([])
  })

  test('a mail to the address of List-Unsubscribe takes off the list, whatever it says', async () => {
    await using t = await testApp({ environment })
    const { way, contact } = await sentCampaign(t)
    expect(await mailTo(t, way.address ?? '', 'From: r0@example.net\r\nSubject: unsubscribe\r\n')).toMatch(/^250/)
    const { data } = await t.get(`/v1/contacts/${contact?.id}/consent`, 200)
    expect(data.at(-1)).toMatchObject({ action: 'withdrawn', method: 'unsubscribe_mail' })
  })

  test('an address that we did not make is nobody’s', async () => {
    await using t = await testApp({ environment })
    const { messageId } = await sentCampaign(t)
    const bounce = messageAddress(t.app, 'bounce', messageId) ?? ''
    const listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1' })
    using client = await smtpClient(listener.port)
    await client.reply()
    await client.say('EHLO mx.example')
    await client.say('MAIL FROM:<>')
    for (const forged of [
      bounce.replace('b+', 'u+'),
      bounce.replace(/-.{4}/, '-0000'),
      `b+${'0'.repeat(32)}@in.acme.test`,
    ])
      expect(await client.say(`RCPT TO:<${forged}>`)).toMatch(/^550/)
    expect(await client.say(`RCPT TO:<${bounce.toUpperCase()}>`)).toMatch(/^250/)
    await listener.close()
  })
})

test('what an event rule sends says how to get no more of it', async () => {
  await using t = await testApp()
  await t.template({ id: 'hi' })
  await t.post('/v1/event-rules', { eventName: 'e', action: 'send_template', templateId: 'hi' }, 201)
  await t.post('/v1/events/send', { eventName: 'e', email: 'ada@example.net' }, 200)
  await t.settle()
  const raw = (await t.sent())[0]?.raw.replaceAll(/\r\n[ \t]+/g, ' ') ?? ''
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  const path = new URL(/^List-Unsubscribe: <([^>]+)>\r$/m.exec(raw)?.[1] ?? '').pathname
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await t.request('POST', path, 'List-Unsubscribe=One-Click', { as: 'nobody', headers })
  expect((await t.get('/v1/contacts/find?email=ada@example.net', 200))[0]).toMatchObject({ subscribed: false })
})
