// "Why is this not moving?": a lane, a campaign and a mail say what holds them, in order, by the rules that hold them.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { putInstallationValue } from '../db/installation-value.ts'
import { sendingFaults } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { ownCodes } from '../src/operator/why/reasons.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'
import { startSink } from './support/smtp-sink.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

/** Reading it writes nothing. */
async function why(t: TestApp, path: string): Promise<Json[]> {
  return (await t.unchanged(() => t.get(path, 200))).data
}

const codesOf = async (t: TestApp, path: string): Promise<string[]> => (await why(t, path)).map(({ code }) => code)

async function sendMail(t: TestApp, fields = {}): Promise<string> {
  return `/v1/activity/why?messageId=${(await t.mail(fields)).messageId}`
}

const inAnHour = (t: TestApp) => new Date(t.clock.now().getTime() + 3_600_000).toISOString()

test('a mail says what it waits for, until when, and that it has ended', async () => {
  let busy = true
  await using sink = startSink({ answer: (stage) => (stage === 'rcpt' && busy ? '451 4.2.1 mailbox busy' : undefined) })
  await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
  await t.template()
  expect(await codesOf(t, '/v1/jobs/why?lane=mail.tx')).toEqual(['server_off', 'no_job'])
  await t.settle()
  const soon = inAnHour(t)
  const later = await sendMail(t, { scheduledAt: soon })
  expect(await why(t, later)).toEqual([expect.objectContaining({ code: 'scheduled', state: 'waiting', until: soon })])

  const mail = await sendMail(t)
  const now = t.clock.now().toISOString()
  expect(await why(t, mail)).toEqual([
    expect.objectContaining({ code: 'due', since: now, detail: expect.stringMatching(/^0 of \d+ places are in use$/) }),
  ])
  await t.settle()
  const [again] = await why(t, mail)
  expect(again).toMatchObject({ code: 'tried_again', state: 'waiting', detail: expect.stringContaining('451 4.2.1') })
  expect(again?.path).toEqual({ relay: { id: 'smtp_url', name: 'SMTP_URL' }, receiver: 'example.net' })
  expect(Date.parse(again?.until)).toBeGreaterThan(t.clock.now().getTime())
  const lane = await why(t, '/v1/jobs/why?lane=mail.tx')
  expect(lane.map(({ code }) => code)).toEqual(['tried_again', 'scheduled'])

  await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'ada@example.net', reason: 'manual' }))
  expect(await codesOf(t, mail)).toEqual(['not_eligible', 'tried_again'])
  busy = false
  const other = await sendMail(t, { email: 'bob@example.net' })
  await t.settle()
  expect(await why(t, other)).toMatchObject([{ code: 'ended', state: 'over' }, { code: 'capture_mode' }])
})

test('what holds all mail is told first, in the words of the attention list', async () => {
  await using t = await testApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
  await t.template()
  await t.settle()
  const mail = await sendMail(t)
  const since = t.clock.now()
  const heldUntil = new Date(since.getTime() + 60_000)
  const fault = { scope: 'relay', about: 'relay' as const, reply: 'no connection', refusals: 5, since, lastAt: since }
  await write(t.app, async (tx) => {
    await tx.db.insert(sendingFaults).values({ ...fault, heldUntil })
    const held = { because: 'older', since, servedUntil: null }
    await putInstallationValue(tx, 'held', JSON.stringify(held))
  })
  const { data: attention }: Json = await t.get('/v1/attention', 200)
  const [first, second, third] = await why(t, mail)
  for (const [reason, item] of [
    [first, attention[0]],
    [second, attention[1]],
  ])
    expect(reason).toMatchObject({ code: item.code, text: item.text, todo: item.todo, detail: item.detail })
  expect([first?.code, second?.code, third?.code]).toEqual(['sending_held', 'mail_held', 'due'])
  expect(second?.until).toBe(heldUntil.toISOString())
  expect(second?.path).toEqual({ relay: { id: 'smtp_url', name: 'SMTP_URL' }, receiver: null })
  expect(await codesOf(t, '/v1/jobs/why?lane=webhook')).toEqual(['sending_held', 'no_job'])
})

test('where each of several relays takes nothing, each is named as the way of its reason', async () => {
  await using t = await testApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' }, isNew: true })
  await t.template()
  await t.settle()
  const { id } = await t.post('/v1/relays', { name: 'Harbour', url: 'smtp://127.0.0.1:9' }, 201)
  const since = t.clock.now()
  const heldUntil = (n: number) => new Date(since.getTime() + n * 60_000)
  const fault = { about: 'relay' as const, reply: '535 5.7.8 no', refusals: 5, since, lastAt: since }
  await write(t.app, async (tx) => {
    const ofHarbour = { ...fault, scope: `relay * ${id}`, heldUntil: heldUntil(2) }
    await tx.db.insert(sendingFaults).values([{ ...fault, scope: 'relay', heldUntil: heldUntil(1) }, ofHarbour])
  })
  const reasons = (await why(t, await sendMail(t))).filter(({ code }) => code === 'mail_held')
  const ways = reasons.map(({ path, until }) => [path.relay.name, until]).sort()
  expect(ways).toEqual([
    ['Harbour', heldUntil(2).toISOString()],
    ['SMTP_URL', heldUntil(1).toISOString()],
  ])
})

test('a campaign says why it has not begun, what slows it, and who stopped it', async () => {
  await using sink = startSink({
    answer: (stage, _, { to }) =>
      stage === 'dot' && to.endsWith('@slow.example') ? '451 4.7.1 try again later' : undefined,
  })
  await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }) })
  const { list } = await listOf(t, 3, { domain: 'slow.example' })
  const id = await draft(t, list)
  const path = `/v1/campaigns/${id}/why`
  await t.settle()
  expect(await codesOf(t, path)).toEqual(['campaign_draft'])
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { agentsNeedApproval: true }))
  expect(await codesOf(t, path)).toEqual(['approval_missing', 'campaign_draft'])
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { agentsNeedApproval: false, dailyCap: 2 }))
  const scheduledAt = inAnHour(t)
  await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt }, 200)
  expect(await why(t, path)).toEqual([expect.objectContaining({ code: 'campaign_scheduled', until: scheduledAt })])

  await t.advance('1h')
  const reasons = await why(t, path)
  expect(reasons.map(({ code }) => code)).toEqual(['capped', 'receiver_slows', 'scheduled'])
  const [capped, slows] = reasons
  expect(capped).toMatchObject({ detail: '2 of 2, by operator; 1 wait' })
  expect(capped?.until).toBe((await t.get(`/v1/campaigns/${id}`, 200)).nextSendAt)
  expect(slows).toMatchObject({ thing: { id: 'slow.example' }, detail: expect.stringContaining('451 4.7.1') })
  expect(slows?.path).toEqual({ relay: { id: 'smtp_url', name: 'SMTP_URL' }, receiver: 'slow.example' })
  // Relays are the business of those whose the installation is.
  const { as } = await t.person('member')
  const { data: told }: Json = await t.get(path, 200, as)
  expect(told[1].path).toEqual({ relay: null, receiver: 'slow.example' })
  expect(await codesOf(t, '/v1/jobs/why?lane=mail.campaign')).toEqual(['capped', 'receiver_slows'])

  await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
  expect(await why(t, path)).toEqual([
    expect.objectContaining({ code: 'campaign_paused', thing: { id, name: 'July' } }),
  ])
  const { data: mails }: Json = await t.get('/v1/activity', 200)
  expect(await codesOf(t, `/v1/activity/why?messageId=${mails[0].messageId}`)).toEqual(['campaign_paused', 'held'])
  expect(await codesOf(t, '/v1/jobs/why?lane=mail.campaign')).toEqual(['campaign_paused', 'held'])
  await t.post(`/v1/campaigns/${id}/cancel`, {}, 200)
  await t.settle()
  expect(await why(t, path)).toEqual([expect.objectContaining({ code: 'ended', detail: 'cancelled' })])
})

test('an endpoint that fails is named, with when it is tried again', async () => {
  await using sink = webhookSink(() => new Response('', { status: 500 }))
  await using t = await testApp({ environment: sinkEnvironment })
  const { endpointId } = await t.post('/v1/webhook-endpoints', { url: sink.url, status: 'active' }, 201, {
    as: 'session',
  })
  for (let n = 0; n < 7; n++) await t.contact({ email: `c${n}@example.net` })
  await t.settle()
  const reasons = await why(t, '/v1/jobs/why?lane=webhook')
  expect(reasons).toContainEqual(
    expect.objectContaining({ code: 'endpoint_paused', state: 'waiting', thing: { id: endpointId, name: sink.url } }),
  )
  expect(reasons).toContainEqual(expect.objectContaining({ code: 'tried_again' }))
})

test('every code is explained', () => {
  const explained = readFileSync(join(import.meta.dir, '../docs/troubleshooting.md'), 'utf8')
  for (const code of ownCodes) expect(explained).toContain(`\`${code}\``)
})
