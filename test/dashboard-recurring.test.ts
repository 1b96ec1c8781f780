// Recurring campaigns in the dashboard, in a real browser and by keyboard: one of a feed is made, with its next times and what the feed holds; it
// runs, is paused, changed, resumed and deleted.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Json } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { feedServer, item, path, rss } from './support/recurring.ts'
import { sinkEnvironment } from './support/webhook-sink.ts'

describe.skipIf(!browserExpected || remoteDatabase)('recurring campaigns in the dashboard', () => {
  let browser: Browser
  let t: Installation
  const feed = feedServer(rss(item(2), item(1)))
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation({ trustLevel: 'M1', environment: sinkEnvironment })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
    await feed[Symbol.asyncDispose]()
  })

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const stored = async (): Promise<Json> => {
    const { data } = await t.get(path, 200)
    return await t.get(`${path}/${data[0].id}`, 200)
  }

  test('without a list there is the way to one; then one is made of a feed, and shows what it would be', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
    await press(page, 'g k')
    await page.getByRole('link', { name: 'Recurring campaigns' }).click()
    await page.getByText('No recurring campaign yet').waitFor()
    await judge(page, 'recurring-empty')
    await page.getByRole('link', { name: 'Make the first one' }).click()
    await page.getByRole('link', { name: 'Make a list' }).waitFor()
    await judge(page, 'recurring-no-list')
    const { id: mailingListId } = await t.post('/v1/mailing-lists', { name: 'Readers' }, 201)
    await t.post('/v1/contacts/create', { email: 'ada@example.net', mailingLists: { [mailingListId]: true } }, 200)
    await page.reload()

    await field('Name').fill('Blog')
    const times = page.getByRole('region', { name: 'Its next times' })
    await times.getByText('Every Mon at 09:00 (UTC)').waitFor()
    await eventually(() => times.getByRole('listitem').count()).toBe(5)
    await page.getByRole('checkbox', { name: 'Mon' }).press('Space')
    await times.getByText('Choose a day to see them.').waitFor()
    await choice('How often').selectOption('on a day of the month')
    await field('Day (the last one of a month that does not have it)').fill('31')
    await field('Time zone').fill('Europe/Berlin')
    await times.getByText('On day 31 of each month at 09:00 (Europe/Berlin)').waitFor()
    await eventually(() => times.getByRole('listitem').allInnerTexts()).toSatisfy((all) =>
      all.every((one) => /9:00\sAM$/.test(one)),
    )
    await page.getByRole('checkbox', { name: 'Only with what is new' }).press('Space')
    await field('Address of the feed').fill('http://10.0.0.1/feed')
    await enter(page, 'Show what is in it')
    await page.getByRole('alert').waitFor()
    await dashboard.refused()
    await judge(page, 'recurring-refused')
    await field('Address of the feed').fill(feed.url)
    await enter(page, 'Show what is in it')
    await page.getByText('In “Blog” now').waitFor()
    await page.getByRole('link', { name: 'Story 2' }).waitFor()
    await page.getByLabel('Subject').fill('{{feed.newest}}')
    await judge(page, 'recurring-editor')
    await enter(page, 'Save, and begin')

    await page.getByRole('heading', { name: 'What the next mail would hold' }).waitFor()
    await page.locator('strong', { hasText: 'Story 2' }).waitFor()
    expect(await stored()).toMatchObject({
      state: 'active',
      timeZone: 'Europe/Berlin',
      schedule: { every: 'month', at: '09:00', dayOfMonth: 31 },
      feed: { url: feed.url, maxItems: 10 },
      content: [{ text: '{{feed.title}}' }, { itemsVariable: 'feed.items' }, { type: 'footer' }],
    })
    await judge(page, 'recurring-new')
  })

  test('it makes one now, says why it makes none, is paused, changed, resumed and deleted', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const { id } = await stored()
    await page.goto(`${t.url}/dashboard/acme/campaigns/recurring/${id}`)
    const now = async () => {
      await enter(page, 'Make one now')
      await page.getByRole('dialog').getByRole('button', { name: 'Make one now' }).press('Enter')
    }
    await now()
    await page.getByRole('link', { name: 'Show the campaign' }).waitFor()
    await page.getByText('There would be none: nothing in the feed was new.').waitFor()
    await now()
    await page.getByRole('cell', { name: 'nothing in the feed was new' }).waitFor()
    feed.state.status = 503
    await now()
    await page.getByRole('cell', { name: 'The feed: its server answered 503' }).waitFor()
    await judge(page, 'recurring-runs')
    feed.state.status = 200
    await enter(page, 'Pause')
    await page.getByText('It is paused.').waitFor()
    await judge(page, 'recurring-paused')

    await page.getByRole('link', { name: 'Change' }).click()
    await page.getByRole('checkbox', { name: 'in each recipient’s time zone' }).press('Space')
    await page.getByLabel('Time zone', { exact: true }).waitFor({ state: 'detached' })
    await judge(page, 'recurring-change')
    await enter(page, 'Save')
    await page.getByText('in each recipient’s time zone').first().waitFor()
    expect(await stored()).toMatchObject({ state: 'paused', schedule: { inRecipientZone: true }, failures: 0 })
    await enter(page, 'Resume')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('link', { name: 'All recurring campaigns' }).click()
    await page.getByRole('cell', { name: 'On day 31 of each month at 09:00 in each recipient’s time zone' }).waitFor()
    await judge(page, 'recurring-list')

    await page.getByRole('link', { name: 'Blog' }).click()
    await enter(page, 'Delete')
    await page.getByRole('dialog').getByRole('textbox').fill('Blog')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('No recurring campaign yet').waitFor()
    const { data } = await t.get('/v1/campaigns', 200)
    expect(data).toHaveLength(1)
  })
})
