// What one reads of a campaign in the dashboard before and after it is sent, in a real browser: who would not get it, by name; what has
// changed since it was approved; where people clicked, on the mail itself; and how it did beside the ones before.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, isCheckout, openInstallation } from './support/installation.ts'

const session = { as: 'session' } as const
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const offer = 'https://shop.example/offer'

describe.skipIf(!browserExpected || remoteDatabase)('the report of a campaign in the dashboard', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation({ trustLevel: 'M1' })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const approve = async (id: string) => {
    const { contentHash } = await t.get(`/v1/campaigns/${id}`, 200)
    await t.post(`/v1/campaigns/${id}/approve`, { contentHash }, 200, session)
  }
  const send = async (id: string) => {
    await t.post(`/v1/campaigns/${id}/send`, {}, 200, session)
    await t.settle()
    await t.advance('1m')
  }
  /** A person follows the link of a mail. */
  const click = async (id: string) => {
    const [{ messageId }] = (await t.get(`/v1/campaigns/${id}/recipients?state=sent`, 200)).data
    const { html } = (await t.get(`/v1/activity/${messageId}`, 200)).captured
    const [, link = ''] = /href="([^"]+\/t\/c\/[^"]+)"/.exec(html) ?? []
    expect((await fetch(link, { headers: person, redirect: 'manual' })).headers.get('location')).toBe(offer)
    await t.settle()
  }

  /** Somebody presses the button of their mail program. */
  const leave = async (id: string) => {
    const [{ messageId }] = (await t.get(`/v1/campaigns/${id}/recipients?state=sent`, 200)).data
    const { html } = (await t.get(`/v1/activity/${messageId}`, 200)).captured
    const [, link = ''] = /href="([^"]+\/u\/[^"]+)"/.exec(html) ?? []
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(link, { method: 'POST', body })).status).toBe(200)
    await t.settle()
  }

  test('home says what nobody counts or reports, with the switch, and never a nought instead', async () => {
    await using own = await openInstallation()
    await own.template({ id: 'hi' })
    const send = (email: string) => own.mail({ email, templateId: 'hi' })
    await send('ada@example.net')
    await own.settle()
    await using dashboard = await openDashboard(browser, own)
    const { page } = dashboard
    const figure = (name: string) => page.locator('.totals div', { hasText: name }).locator('dd')
    await figure('Sent').getByText('1', { exact: true }).waitFor()
    await figure('Delivered').getByText('not reported').waitFor()
    await figure('Opened').getByText('not tracked').waitFor()
    await figure('Clicked').getByText('not tracked').waitFor()
    await page.getByRole('link', { name: 'Who reports deliveries' }).waitFor()
    await judge(page, 'home-untracked')
    await page.getByRole('button', { name: 'Count opens and clicks' }).press('Enter')
    await page.getByRole('dialog').getByText('a picture in each mail').waitFor()
    await press(page, 'Enter')
    await figure('Opened').getByText('0', { exact: true }).waitFor()
    await figure('Clicked').getByText('0', { exact: true }).waitFor()
    await send('delivered@simulator.paquebot.test')
    await own.settle()
    await page.reload()
    await figure('Delivered').getByText('1', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Who reports deliveries' }).waitFor({ state: 'detached' })
  })

  // Who clicks within seconds of the delivery is taken for a program, so time must pass.
  test.skipIf(!isCheckout)('names, differences, clicks and a comparison', async () => {
    await t.patch('/v1/campaign-settings', { trackClicks: true, hoursBetween: 0 }, 200, session)
    const list = await t.mailingList({ name: 'Readers', optIn: 'single' })
    for (const name of ['gwen', 'dora'])
      await t.put('/v1/contacts/update', { email: `${name}@example.net`, mailingLists: { [list.id]: true } }, 200)
    await t.post('/v1/suppressions', { email: 'dora@example.net' }, 201)
    const content = [
      { type: 'text', text: 'Look what is new.' },
      { type: 'button', text: 'The offer', href: offer },
    ]
    const made = async (name: string): Promise<string> => {
      const campaign = { name, subject: `News of ${name}`, mailingListId: list.id, content }
      return (await t.post('/v1/campaigns', campaign, 201)).id
    }
    await send(await made('May'))
    const june = await made('June')
    await approve(june)
    await t.patch(`/v1/campaigns/${june}`, { subject: 'Warm news of June' }, 200)

    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g k')
    await page.getByRole('link', { name: 'June' }).press('Enter')
    await page.getByRole('heading', { name: 'Changes since the last approval' }).waitFor()
    await page.locator('ins', { hasText: 'Warm' }).waitFor()
    await page.getByText('Its last mail leaves').waitFor()
    await judge(page, 'campaign-changed')
    await page.getByRole('link', { name: 'suppressed' }).press('Enter')
    await page.getByRole('link', { name: 'dora@example.net' }).waitFor()
    await page.getByRole('cell', { name: 'added by hand' }).first().waitFor()
    await judge(page, 'campaign-audience')
    await page.getByRole('link', { name: 'recipients', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'gwen@example.net' }).waitFor()
    await page.getByRole('link', { name: 'dora@example.net' }).waitFor({ state: 'detached' })

    await approve(june)
    await send(june)
    await page.getByRole('link', { name: 'June', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Report' }).waitFor()
    await page.getByText('Forecast for its last mail').waitFor()
    await page.getByText('Nothing limits it.').waitFor()
    await click(june)
    await leave(june)
    await page.reload()
    await page.getByRole('table', { name: 'Links' }).getByText(offer).waitFor()
    const badge = page.frameLocator('iframe').getByText('The offer').locator('xpath=following::span[1]')
    await eventually(() => badge.textContent()).toBe('1')
    const compared = page.getByRole('table', { name: 'Compared with the last five' })
    await compared.getByRole('link', { name: 'May' }).waitFor()
    await eventually(() => compared.locator('tbody tr').first().locator('td').allTextContents()).toEqual([
      '1',
      'not tracked',
      '100%',
      '100%',
      '0%',
      '0%',
    ])
    const devices = page.getByRole('table', { name: 'Devices' })
    await eventually(() => devices.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^Computer\s+1 \(100%\)$/),
    ])
    const byHour = page.getByRole('button', { name: 'The first two days, by hour' })
    await byHour.waitFor()
    await judge(page, 'campaign-clicks')
    // By hour the one click is in the hour in which it was made; by day, in its day.
    const overTime = page.locator('section', { has: byHour })
    await overTime.getByRole('button', { name: 'Show as a table' }).press('Enter')
    const clicked = async () =>
      (await overTime.locator('td[data-name="Clicked"]').allInnerTexts()).filter((n) => n !== '0')
    await eventually(clicked).toEqual(['1'])
    const left = async () =>
      (await overTime.locator('td[data-name="Unsubscribed"]').allInnerTexts()).filter((n) => n !== '0')
    await eventually(left).toEqual(['1'])
    await overTime.getByRole('button', { name: 'The first 30 days, by day' }).press('Enter')
    await overTime.getByRole('table', { name: 'The first 30 days, by day' }).waitFor()
    await eventually(clicked).toEqual(['1'])
  })

  test('a second subject is tried on a part, and the winner is chosen by hand', async () => {
    await using own = await openInstallation({ trustLevel: 'M1' })
    const list = await own.mailingList({ name: 'Readers', optIn: 'single' })
    for (let n = 0; n < 20; n++)
      await own.put('/v1/contacts/update', { email: `r${n}@example.net`, mailingLists: { [list.id]: true } }, 200)
    const content = [{ type: 'text', text: 'Look what is new.' }]
    const july = { name: 'July', subject: 'News of July', mailingListId: list.id, content }
    const { id } = await own.post('/v1/campaigns', july, 201)
    await using dashboard = await openDashboard(browser, own)
    const { page } = dashboard
    await press(page, 'g k')
    await page.getByRole('link', { name: 'July' }).press('Enter')
    await page.getByRole('link', { name: 'Change' }).press('Enter')
    await page.getByText('Test (A/B)').press('Enter')
    await page.getByLabel('Variant B').fill('Only this week')
    await page.getByLabel('Tested, in percent').fill('40')
    await judge(page, 'campaign-test-form')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    const variants = page.getByRole('table', { name: 'Test (A/B)' })
    await variants.getByText('Only this week').waitFor()

    await own.post(`/v1/campaigns/${id}/send`, {}, 200, session)
    await own.settle()
    await page.reload()
    await judge(page, 'campaign-test')
    await page.getByRole('button', { name: 'Send B to the others' }).press('Enter')
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Send B to the others' }).press('Enter')
    await page.getByText('B was chosen at').waitFor()
    await own.settle()
    await eventually(async () => (await own.get(`/v1/campaigns/${id}`, 200)).stats.sent).toBe(20)
  })

  test('variants of a mail of a sequence are tried on who comes, and the winner is chosen on its step', async () => {
    await using own = await openInstallation({ trustLevel: 'M1' })
    await own.template({ id: 'hello', name: 'Hello', subject: 'Hello', text: 'Hello' })
    const emails = Array.from({ length: 12 }, (_, n) => `r${n}@example.net`)
    for (const email of emails) await own.put('/v1/contacts/update', { email }, 200)
    const definition = { steps: [{ id: 'hello', type: 'send', templateId: 'hello' }] }
    const { id } = await own.post('/v1/sequences', { name: 'Welcome', definition }, 201)
    await using dashboard = await openDashboard(browser, own)
    const { page } = dashboard
    await page.goto(`${own.url}/dashboard/acme/sequences/${id}`)
    await page.getByRole('button', { name: '1. Send a mail' }).press('Enter')
    await page.getByLabel('Test variants of this mail (A/B)').press('Space')
    const variant = (name: string) => page.getByRole('group', { name: `Variant ${name}`, exact: true })
    await page.getByRole('button', { name: 'Add a variant' }).press('Enter')
    await variant('C').getByRole('button', { name: 'Remove variant C' }).press('Enter')
    await variant('C').waitFor({ state: 'detached' })
    await variant('B').getByLabel('Subject').fill('Begin here')
    await page.getByLabel('Take part, in percent').fill('90')
    await page.getByLabel('Get no mail here, in percent').fill('10')
    await judge(page, 'step-test-form')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    const stored = () => own.get(`/v1/sequences/${id}`, 200)
    await eventually(async () => (await stored()).revision).toBe(2)
    const { contentHash, definition: saved } = await stored()
    const test = {
      variants: [{ name: 'A' }, { name: 'B', subject: 'Begin here' }],
      share: 90,
      holdOut: 10,
      winner: { by: 'hand' },
    }
    expect(saved.steps[0].test).toEqual(test)

    await own.post(`/v1/sequences/${id}/publish`, { contentHash }, 200, session)
    await own.post(`/v1/sequences/${id}/enrol`, { emails }, 200, session)
    await own.settle()
    await page.reload()
    const results = page.getByRole('table', { name: 'Test (A/B)' })
    await results.getByText('Begin here').waitFor()
    await page.getByText('Too few clicks to tell').waitFor()
    await judge(page, 'step-test')
    await page.getByRole('button', { name: 'Go on with B' }).press('Enter')
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Go on with B' }).press('Enter')
    await page.getByText('B was chosen at').waitFor()
    expect((await stored()).tests[0].winner).toBe('B')
    expect((await stored()).revision).toBe(2)
  })
})
