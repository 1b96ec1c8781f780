// Segments in the dashboard, in a real browser: conditions are put together in fields, with who meets them beside; shown in words, changed,
// and deleted unless a campaign is for them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('segments in the dashboard', () => {
  let browser: Browser
  let t: Installation
  let listId = ''
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation({ trustLevel: 'M1' })
    listId = (await t.post('/v1/mailing-lists', { name: 'Gazette' }, 201)).id
    const everybody = [
      { email: 'ada@acme.example', firstName: 'Ada', lastName: 'Löwe', plan: 'pro', seats: 12 },
      { email: 'ben@acme.example', plan: 'pro', seats: 2, mailingLists: { [listId]: true } },
      { email: 'cleo@nile.example', plan: 'free', seats: 7, mailingLists: { [listId]: true } },
    ]
    for (const one of everybody) await t.post('/v1/contacts/create', { subscribed: true, ...one }, 200)
    await t.post('/v1/events/send', { email: 'ben@acme.example', eventName: 'login' }, 200)
    await t.settle()
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const segmentsOf = async () => (await t.get('/v1/segments', 200)).data
  const preview = (page: Page) => page.getByRole('region', { name: 'Who is in it now' })
  const found = (page: Page) => eventually(() => preview(page).getByRole('listitem').allInnerTexts())

  test('conditions are put together by keyboard, and who meets them stands beside', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await press(page, 'g f')
    await page.getByText('No segment yet').waitFor()
    await judge(page, 'segments-empty')
    await page.getByRole('link', { name: 'New segment' }).press('Enter')
    await field('Name').fill('Large or busy')
    await preview(page).getByText('Say what is missing').waitFor()
    await field('Condition 1: Field or property').selectOption('seats')
    await field('Condition 1: Comparison').selectOption('is at least')
    await field('Condition 1: Value').fill('5')
    await found(page).toEqual(['ada@acme.example', 'cleo@nile.example'])

    await page.getByLabel('Together', { exact: true }).selectOption('At least one of these holds:')
    await enter(page, 'Add a group')
    await page.locator('select:focus').waitFor()
    await field('Group 2: Together').selectOption('All of these hold:')
    await field('Condition 2.1: What it is about').selectOption('Event')
    await field('Condition 2.1: Event').fill('login')
    await field('Condition 2.1: in the last').fill('30')
    await page.getByRole('group', { name: 'Group 2' }).getByRole('button', { name: 'Add a condition' }).press('Enter')
    await field('Condition 2.2: What it is about').selectOption('List')
    await preview(page).getByText('Say what is missing').waitFor()
    await field('Condition 2.2: List').selectOption('Gazette')
    await found(page).toEqual(['ada@acme.example', 'ben@acme.example', 'cleo@nile.example'])
    await judge(page, 'segment-new')

    const json = field('As JSON')
    await page.getByText('As JSON', { exact: true }).click()
    await eventually(async () => JSON.parse(await json.inputValue())).toEqual({
      any: [
        { field: 'seats', op: 'gte', value: 5 },
        {
          all: [
            { event: 'login', withinDays: 30 },
            { list: listId, status: 'active' },
          ],
        },
      ],
    })
    await json.fill('{ "any": ')
    await page.getByText('This is not a filter yet').waitFor()
    await found(page).toHaveLength(3)
    await json.fill('{ "not": { "field": "plan", "op": "eq", "value": "pro" } }')
    await eventually(() => field('Together').inputValue()).toBe('none')
    await eventually(() => field('Condition 1: Value').inputValue()).toBe('pro')
    await found(page).toEqual(['cleo@nile.example'])
    await json.fill('{ "field": "seats", "op": "contains", "value": "1" }')
    await preview(page).getByText('filter.op contains is not for a number').waitFor()
    await dashboard.refused()
    await json.fill('{ "field": "plan", "op": "eq", "value": "pro" }')
    await found(page).toEqual(['ada@acme.example', 'ben@acme.example'])
    await judge(page, 'segment-json')

    await enter(page, 'Save')
    await page.getByRole('heading', { name: 'Large or busy' }).waitFor()
    await eventually(() => segmentsOf()).toMatchObject([
      { name: 'Large or busy', filter: { field: 'plan', op: 'eq', value: 'pro' } },
    ])
  })

  test('one is read in words, with who is in it; it is renamed, changed and deleted, each with the way back', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await press(page, 'g f')
    const row = page.getByRole('row', { name: 'Large or busy' })
    await row.getByRole('cell', { name: 'being built: 0 %', exact: true }).waitFor()
    await press(page, 'j Enter')
    await page.getByText('being built: 0 %').waitFor()
    await judge(page, 'segment-building')
    await t.settle()
    await page.getByText('being built').waitFor({ state: 'detached' })
    await press(page, 'g f')
    await row.getByRole('cell', { name: '2', exact: true }).waitFor()
    await judge(page, 'segments')
    await press(page, 'j Enter')
    const members = page.getByRole('table', { name: 'Contacts in this segment, the first added first' })
    await members.getByRole('link', { name: 'ben@acme.example' }).waitFor()
    const meaning = page.getByRole('region', { name: 'Who is meant' })
    await eventually(() => meaning.textContent()).toBe('All of these hold:plan is pro')
    await judge(page, 'segment')

    await enter(page, 'Change')
    await field('Name').fill('Payers')
    await enter(page, 'Add a condition')
    await field('Condition 2: What it is about').selectOption('Campaign')
    await field('Condition 2: What happened').selectOption('clicked in')
    await field('Condition 2: at least').fill('2')
    await preview(page).getByText('Nobody meets this.').waitFor()
    await enter(page, 'Remove Condition 2')
    await enter(page, 'Add a condition')
    await field('Condition 2: Field or property').selectOption('subscribed')
    await enter(page, 'Add a condition')
    await field('Condition 3: Field or property').selectOption('createdAt')
    await field('Condition 3: Value').fill('30')
    await found(page).toHaveLength(2)
    await enter(page, 'Save')
    await page.getByRole('heading', { name: 'Payers' }).waitFor()
    await eventually(() => meaning.textContent()).toBe(
      'All of these hold:plan is proagreed to mail is yesadded was in the last 30 days',
    )
    await enter(page, 'Undo')
    await page.getByRole('heading', { name: 'Large or busy' }).waitFor()
    await eventually(() => meaning.textContent()).toBe('All of these hold:plan is pro')

    await enter(page, 'Delete')
    await page.getByText('No segment yet').waitFor()
    await eventually(() => segmentsOf()).toEqual([])
    await enter(page, 'Undo')
    await page.getByRole('heading', { name: 'Large or busy' }).waitFor()
    await members.getByRole('link', { name: 'ada@acme.example' }).waitFor()
  })

  test('a campaign leads to its segment, which stays as long as it has not begun; the palette knows both', async () => {
    const [{ id: segmentId }] = await segmentsOf()
    const content = [{ type: 'text', text: 'Hello' }]
    const campaign = { name: 'July', subject: 'Warm', content, mailingListId: listId, segmentId }
    const { id } = await t.post('/v1/campaigns', campaign, 201)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/campaigns/${id}/change`)
    await page.getByRole('link', { name: 'Who is in this segment' }).waitFor()
    const choice = page.getByRole('combobox', { name: 'Segment', exact: true })
    await choice.selectOption('none')
    await page.getByRole('link', { name: 'All segments, or a new one' }).waitFor()
    await choice.selectOption('Large or busy')
    await page.goto(`${t.url}/dashboard/acme/campaigns/${id}`)
    await page.getByRole('link', { name: 'Large or busy' }).press('Enter')
    await page.getByRole('heading', { name: 'Large or busy' }).waitFor()
    await enter(page, 'Delete')
    await page.getByRole('alert').getByText('is for this segment').waitFor()
    await judge(page, 'segment-used')
    await page.getByRole('link', { name: 'Show the campaign' }).press('Enter')
    await page.getByRole('heading', { name: 'July' }).waitFor()
    for (const [typed, option] of [
      [segmentId, `Open ${segmentId}`],
      ['large or', 'Segment: Large or busy'],
    ] as const) {
      await press(page, 'g h Control+k')
      await page.getByRole('combobox', { name: 'A name' }).fill(typed)
      await page.getByRole('option', { name: option }).click()
      await page.getByRole('heading', { name: 'Large or busy' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/dashboard/acme/segments/${segmentId}`)
    }
  })
})
