// The recipes that an empty screen offers, each gone through on a clock that the test moves: with somebody who does what it hopes for, and
// somebody who does not.

import { expect, test } from 'bun:test'
import { type Recipe, recipes } from '../dashboard/screens/sequences/recipes.ts'
import type { Step } from '../db/tables/sequences.ts'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { sequenceDatesJob } from '../src/features/sequences/dates.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { trust } from './support/campaign.ts'
import { path, runsOf, tell } from './support/sequences.ts'

/** Publishes a recipe with the templates that it names, each with its id as its subject; without a limit of frequency. */
async function cook(t: TestApp, name: Recipe): Promise<string> {
  const definition = recipes[name]
  await trust(t, 'M1')
  await t.patch('/v1/campaign-settings', { hoursBetween: 0, mailsPerWeek: 0 }, 200, { as: 'session' })
  for (const step of definition.steps)
    if ('templateId' in step) await t.template({ id: step.templateId, subject: step.templateId, ...contentOf(step) })
  const { id, contentHash, issues } = await t.post(path, { name, definition }, 201)
  expect(issues).toEqual([])
  await t.post(`${path}/${id}/publish`, { contentHash }, 200, { as: 'session' })
  return id
}

/** A digest shows what it has gathered. */
function contentOf({ type }: Step): Json {
  const list = { type: 'list', itemsVariable: 'digest.items', items: ['{{item.text}}'] }
  return type === 'digest' ? { subject: '{{digest.count}} new', content: [list] } : {}
}

/** What each got by then, as `day: subject`. */
async function days(t: TestApp, number: number): Promise<void> {
  for (let hour = 0; hour < number * 24; hour += 4) await t.advance('4h')
}

async function mailsOf(t: TestApp, email = 'ada@example.net'): Promise<string[]> {
  const mails = (await t.sent()).filter(({ to }) => to === email)
  return mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '')
}

test('welcome: a mail, tips on a workday, and an offer for those who buy nothing', async () => {
  await using t = await testApp()
  await cook(t, 'welcome')
  await tell(t, 'signedUp')
  await tell(t, 'signedUp', { email: 'buyer@example.net' })
  await t.settle()
  await days(t, 3)
  await tell(t, 'purchased', { email: 'buyer@example.net' })
  await days(t, 10)
  expect(await mailsOf(t)).toEqual(['welcome', 'welcome-tips', 'welcome-offer'])
  expect(await mailsOf(t, 'buyer@example.net')).toEqual(['welcome', 'welcome-tips'])
})

test('abandoned cart: two carts of one person are two sequences, and one that is bought ends its own', async () => {
  await using t = await testApp()
  const id = await cook(t, 'abandonedCart')
  for (const cartId of ['a', 'b']) await tell(t, 'cartUpdated', { eventProperties: { cartId } })
  await t.settle()
  await t.advance('3h')
  await tell(t, 'purchased', { eventProperties: { cartId: 'a' } })
  await days(t, 8)
  expect(await mailsOf(t)).toEqual(['cart-reminder', 'cart-reminder', 'cart-questions', 'cart-last-call'])
  expect((await runsOf(t, id)).map(({ key, reason }) => [key, reason])).toEqual([
    ['a', 'goal'],
    ['b', null],
  ])
})

test('trial: who finds their way in gets no help, and who subscribes gets nothing more', async () => {
  await using t = await testApp()
  await cook(t, 'trial')
  await tell(t, 'trialStarted', { eventProperties: { plan: 'team' } })
  await tell(t, 'trialStarted', { email: 'buyer@example.net' })
  await t.settle()
  await t.advance('4h')
  await tell(t, 'projectCreated', { email: 'buyer@example.net' })
  await days(t, 11)
  await tell(t, 'subscribed', { email: 'buyer@example.net' })
  await days(t, 10)
  expect(await mailsOf(t)).toEqual(['trial-welcome', 'help', 'trial-ends-soon', 'trial-last-day-for-teams'])
  expect(await mailsOf(t, 'buyer@example.net')).toEqual(['trial-welcome', 'trial-ends-soon'])
})

test('win-back: each order waits for the next', async () => {
  await using t = await testApp()
  await cook(t, 'winBack')
  await tell(t, 'purchased', { eventProperties: { orderId: '1' } })
  await t.settle()
  await days(t, 30)
  await tell(t, 'purchased', { eventProperties: { orderId: '2' } })
  await days(t, 80)
  expect(await mailsOf(t)).toEqual(['we-miss-you', 'come-back-offer'])
})

test('birthday: in the morning where the person is', async () => {
  await using t = await testApp()
  await t.post('/api/v1/contacts/properties', { name: 'birthday', type: 'date' }, 200)
  await t.contact({ birthday: '1990-01-18', timezone: 'Asia/Tokyo' })
  const id = await cook(t, 'birthday')
  for (let hour = 0; hour < 96; hour++) {
    t.clock.advance(3_600_000)
    await write(t.app, (tx) => enqueue(tx, sequenceDatesJob, { workspaceId: '', payload: {} }))
    await t.settle()
  }
  expect(await mailsOf(t)).toEqual(['happy-birthday'])
  expect((await runsOf(t, id))[0]?.endedAt).toBe('2026-01-18T00:00:00.000Z')
})

test('dunning: whoever pays gets none of the rest, for that invoice', async () => {
  await using t = await testApp()
  await cook(t, 'dunning')
  const failed = 'payments.invoice.payment_failed'
  for (const object_id of ['in_1', 'in_2']) await tell(t, failed, { eventProperties: { object_id } })
  await t.settle()
  await t.advance('4h')
  await tell(t, 'payments.invoice.paid', { eventProperties: { object_id: 'in_1' } })
  await days(t, 14)
  expect(await mailsOf(t)).toEqual(['payment-failed', 'payment-failed', 'payment-reminder', 'payment-last-reminder'])
})

test('digest: what comes within an hour is one mail, and nothing is none', async () => {
  await using t = await testApp()
  await cook(t, 'digest')
  const comment = (text: string) => tell(t, 'commented', { eventProperties: { text } })
  await comment('first')
  await t.settle()
  await t.advance('30m')
  for (const text of ['second', 'third']) await comment(text)
  await days(t, 1)
  await comment('fourth')
  await days(t, 1)
  expect(await mailsOf(t)).toEqual(['3 new', '1 new'])
  expect((await t.sent())[0]?.raw).toMatch(/third.*second.*first/s)
})
