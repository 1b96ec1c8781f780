// Who may get a campaign: whatever state a contact is in, the dry run, the batch that prepares mails, the hand-over and the explanation
// say the same of it, and what the documentation says.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { campaignContents, campaignMails } from '../db/tables/campaigns.ts'
import { contacts, type OptInStatus, type SuppressionReason } from '../db/tables/contacts.ts'
import { type SubscriptionState, subscriptionStates, subscriptions } from '../db/tables/lists.ts'
import { type Tx, write } from '../src/core/app.ts'
import { takeSnapshotPage } from '../src/features/campaigns/audience.ts'
import { getCampaign } from '../src/features/campaigns/campaigns.ts'
import { fillBatch } from '../src/features/campaigns/fill.ts'
import { checkSender } from '../src/features/campaigns/reputation/sender-check.ts'
import { loadSendContext } from '../src/features/campaigns/send-context.ts'
import type { Contact } from '../src/features/contacts/consent/find-contact.ts'
import type { MailingList } from '../src/features/contacts/consent/named-lists.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { deleteContact } from '../src/features/contacts/contacts.ts'
import { createUser } from '../src/people/access/users.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, listOf, trust } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t[Symbol.asyncDispose]())

interface State {
  isDeleted: boolean
  subscription: SubscriptionState | null
  isSubscribed: boolean
  suppression: SuppressionReason | null
  /** After the mail was prepared: to another address, or to the same in capital letters. */
  moved: 'no' | 'case' | 'yes'
  /** Other campaign mails that the contact got, so many hours ago. */
  mailedHoursAgo: number[]
  isMember: boolean
  optInStatus: OptInStatus | null
  locale: string | null
}

interface Rules {
  level: 'M0' | 'M1'
  ignoreGuardrail: boolean
  hoursBetween: number
  mailsPerWeek: number
}

const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))

const states: fc.Arbitrary<State> = fc.record({
  isDeleted: often(false, true),
  subscription: often<SubscriptionState | null>('active', null, ...subscriptionStates),
  isSubscribed: often(true, false),
  suppression: often<SuppressionReason | null>(null, 'hardBounce', 'complaint', 'manual', 'unsubscribe'),
  moved: often<State['moved']>('no', 'case', 'yes'),
  mailedHoursAgo: fc.oneof(
    fc.constant<number[]>([]),
    fc.array(fc.constantFrom(0, 1, 15.9, 16.1, 40, 100, 167, 169, 400), { maxLength: 5 }),
  ),
  isMember: fc.boolean(),
  optInStatus: fc.constantFrom(null, 'pending', 'accepted', 'rejected'),
  locale: fc.constantFrom(null, 'en', 'de-AT', 'xx', 'no locale at all'),
})

const rules: fc.Arbitrary<Rules> = fc.record({
  level: fc.constantFrom('M0', 'M1'),
  ignoreGuardrail: often(false, true),
  hoursBetween: fc.constantFrom(0, 16, 72),
  mailsPerWeek: fc.constantFrom(0, 1, 4),
})

/** As docs/campaigns.md says it. */
function expected(state: State, rule: Rules, isPrepared: boolean): string {
  if (state.isDeleted) return 'unsubscribed contact_deleted'
  if (state.subscription === 'pending') return 'unconfirmed pending'
  if (state.subscription !== 'active') return `unsubscribed ${state.subscription ?? 'left_list'}`
  if (!state.isSubscribed) return 'unsubscribed all_mail'
  if (state.suppression !== null) return `suppressed ${state.suppression}`
  if (isPrepared && state.moved === 'yes') return 'failed address_changed'
  const inWeek = state.mailedHoursAgo.filter((hours) => hours < 168)
  const isTooOften =
    inWeek.some((hours) => hours < rule.hoursBetween) || (rule.mailsPerWeek > 0 && inWeek.length >= rule.mailsPerWeek)
  if (isTooOften && !rule.ignoreGuardrail) return 'rate_guardrail too_often'
  return rule.level === 'M0' && !state.isMember ? 'failed sandbox' : 'sent'
}

async function put(tx: Tx, contact: Contact, list: MailingList, state: State): Promise<void> {
  const { isSubscribed, optInStatus, locale, suppression } = state
  const moved = { no: contact.email, case: contact.email.toUpperCase(), yes: `moved.${contact.email}` }[state.moved]
  const changed = { email: moved, emailKey: moved.toLowerCase(), subscribed: isSubscribed, optInStatus, locale }
  await tx.db.update(contacts).set(changed).where(eq(contacts.id, contact.id))
  for (const email of new Set([contact.email, moved.toLowerCase()]))
    if (suppression !== null) await suppress(tx, list.workspaceId, { email: email.toUpperCase(), reason: suppression })
  for (const [index, hours] of state.mailedHoursAgo.entries())
    await tx.db.insert(campaignMails).values({
      workspaceId: list.workspaceId,
      contactId: contact.id,
      messageId: `msg_${contact.id}_${index}`,
      sentAt: new Date(tx.now.getTime() - hours * 3_600_000),
    })
  if (state.isMember)
    await createUser(tx, t.workspace, {
      email: moved.toLowerCase(),
      name: 'A member',
      passwordHash: null,
      role: 'member',
    })
  const onList = eq(subscriptions.contactId, contact.id)
  if (state.subscription === null) await tx.db.delete(subscriptions).where(onList)
  else await tx.db.update(subscriptions).set({ status: state.subscription }).where(onList)
  if (state.isDeleted) await deleteContact(tx, { ...contact, ...changed })
}

/** What the ledger says of each of `contacts`: outcome and reason. */
async function ledgerOf(campaign: string, of: Contact[]): Promise<string[]> {
  const { data } = await t.get(`/v1/campaigns/${campaign}/recipients?perPage=50`, 200)
  const found = new Map(data.map((row: Json) => [row.contactId, [row.state, row.reason].filter(Boolean).join(' ')]))
  return of.map(({ id }) => String(found.get(id)))
}

async function explanationsOf(campaign: string, of: Contact[]): Promise<string[]> {
  return await Promise.all(
    of.map(async ({ id }) => {
      const { objection, checks } = await t.get(`/v1/campaigns/${campaign}/recipients/${id}`, 200)
      const asked = checks.filter(
        ({ check }: Json) => !['workspace', 'audience', 'sender', 'cap', 'throttle'].includes(check),
      )
      const firstWrong = asked.find(({ ok }: Json) => !ok)
      expect(firstWrong?.value ?? null).toBe(objection?.message ?? null)
      return objection === null ? 'sent' : `${objection.outcome} ${objection.reason}`
    }),
  )
}

async function begin(list: MailingList, { ignoreGuardrail }: Rules): Promise<string> {
  const id = await draft(t, list)
  await t.patch(`/v1/campaigns/${id}`, { ignoreGuardrail }, 200, { as: 'session' })
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  return id
}

const takeAudience = (campaign: string) =>
  write(t.app, async (tx) => takeSnapshotPage(tx, await getCampaign(tx, t.workspace.id, campaign), 5_000))

async function prepareMails(campaign: string): Promise<void> {
  const context = await loadSendContext(t.app, t.workspace.id, campaign)
  const { sender, domain } = await checkSender(t.app, context.workspace, context.campaign)
  await write(t.app, (tx) => fillBatch(tx, { context, sender, domain }, 250))
}

let people = 0

test('dry run, batch, hand-over and explanation say the same of a contact in any state', async () => {
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 1_000_000 }))
  await fc.assert(
    fc.asyncProperty(fc.array(states, { minLength: 15, maxLength: 25 }), rules, async (given, rule) => {
      // Of one the mails are prepared, of the other only the audience is taken, when everybody is still as they should be.
      const [ready, taken] = [
        await listOf(t, given.length, { first: people }),
        await listOf(t, given.length, { first: people + 100 }),
      ]
      people += 200
      const prepared = await begin(ready.list, rule)
      await takeAudience(prepared)
      await prepareMails(prepared)
      const queued = await begin(taken.list, rule)
      await takeAudience(queued)
      await write(t.app, async (tx) => {
        const { hoursBetween, mailsPerWeek } = rule
        await changeSettings(tx, t.workspace.id, { hoursBetween, mailsPerWeek })
        for (const [index, state] of given.entries())
          for (const { list, contacts: of } of [ready, taken]) {
            const contact = of[index]
            if (contact) await put(tx, contact, list, state)
          }
      })
      await trust(t, rule.level)

      const ofPrepared = given.map((state) => expected(state, rule, true))
      const ofQueued = given.map((state) => expected(state, rule, false))
      expect(await explanationsOf(prepared, ready.contacts)).toEqual(ofPrepared)
      expect(await explanationsOf(queued, taken.contacts)).toEqual(ofQueued)
      const listed = given.map(({ isDeleted, subscription }) => !isDeleted && /active|pending/.test(subscription ?? ''))
      const tally = Map.groupBy(
        ofQueued.filter((_, index) => listed[index]),
        (one) => one.split(' ')[0] ?? '',
      )
      const { sent: recipients = 0, ...skipped } = Object.fromEntries(
        [...tally].map(([name, all]) => [name, all.length]),
      )
      const dry = await t.unchanged(() => t.post(`/v1/campaigns/${queued}/send`, { dryRun: true }, 200))
      expect(dry).toMatchObject({ recipients, skipped, exact: true })

      await t.settle()
      expect(await ledgerOf(prepared, ready.contacts)).toEqual(ofPrepared)
      expect(await ledgerOf(queued, taken.contacts)).toEqual(ofQueued)
    }),
    { numRuns: remoteDatabase ? 2 : 5 },
  )
})

test('at M0 a dry run counts the people of the workspace only, and what was prepared before leaves to nobody else', async () => {
  const { list, contacts: of } = await listOf(t, 3, { first: 90_000 })
  const [, member] = of
  const campaign = await begin(list, { level: 'M1', ignoreGuardrail: false, hoursBetween: 0, mailsPerWeek: 0 })
  await takeAudience(campaign)
  await prepareMails(campaign)
  await write(t.app, (tx) =>
    createUser(tx, t.workspace, { email: member?.email ?? '', name: 'M', passwordHash: null, role: 'member' }),
  )
  await trust(t, 'M0')
  const dry = await t.post(`/v1/campaigns/${campaign}/send`, { dryRun: true }, 200)
  expect(dry).toMatchObject({ recipients: 1, skipped: { failed: 2 } })
  const before = (await t.sent()).length
  await t.settle()
  expect((await t.sent()).slice(before).map(({ to }) => to)).toEqual([member?.email ?? ''])
  expect(await ledgerOf(campaign, of)).toEqual(['failed sandbox', 'sent', 'failed sandbox'])
})

test('nobody waits behind a campaign that has nothing to say any more: it is paused, and says why', async () => {
  const { list } = await listOf(t, 2, { first: 91_000 })
  const campaign = await begin(list, { level: 'M1', ignoreGuardrail: false, hoursBetween: 0, mailsPerWeek: 0 })
  await write(t.app, (tx) => tx.db.delete(campaignContents).where(eq(campaignContents.campaignId, campaign)))
  await t.settle()
  expect(await t.get(`/v1/campaigns/${campaign}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'no_content' })
})
