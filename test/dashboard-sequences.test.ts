// Sequences in the dashboard, in a real browser and by keyboard: begun with a recipe, edited in the list of steps, published once its
// templates are there; people go through, are looked at, helped on, and put in.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { recipes } from '../dashboard/screens/sequences/recipes.ts'
import { type Json, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

const path = '/v1/sequences'

test('each recipe is what the API takes; it lacks templates, and the birthdays of people', async () => {
  await using t = await testApp()
  const missing = new Set<string>()
  for (const [name, definition] of Object.entries(recipes)) {
    const { issues } = await t.post(path, { name, definition }, 201)
    for (const { code } of issues) missing.add(code)
  }
  expect([...missing].sort()).toEqual(['unknown_property', 'unknown_template'])
})

describe.skipIf(!browserExpected || remoteDatabase)('sequences in the dashboard', () => {
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

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const card = (page: Page, title: string) => page.getByRole('button', { name: title })
  const steps = (page: Page) =>
    eventually(async () =>
      (await page.locator('ol.steps .card-head > button').allInnerTexts()).map((one) => one.trim()),
    )
  const stored = async (): Promise<Json> => {
    const { data } = await t.get(path, 200)
    return await t.get(`${path}/${data[0].id}`, 200)
  }

  test('a recipe makes a draft, which is edited in the list of its steps by keyboard alone', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const choice = (name: string, within: Locator | Page = page) => within.getByRole('combobox', { name, exact: true })
    await press(page, 'g q')
    await page.getByText('No sequence yet').waitFor()
    await judge(page, 'sequences-empty')
    await enter(page, 'Begin with it: Welcome series')
    await page.getByRole('heading', { name: 'Welcome series' }).waitFor()
    await steps(page).toEqual([
      '1. Send a mail welcome',
      '2. Wait 2 days, until 09:00 on Mon, Tue, Wed, Thu, Fri',
      '3. Send a mail welcome-tips',
      '4. Wait for an event purchased, at most 5 days, or up to 3 days before',
      '5. Send a mail welcome-offer',
    ])
    await page.getByText('3 things keep it from being published').waitFor()
    await judge(page, 'sequence-draft')

    await enter(page, 'Step 3')
    await card(page, '3. Send a mail').and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Make the mail' }).waitFor()
    await press(page, 'Enter')
    await press(page, 'Alt+ArrowUp')
    await card(page, '2. Send a mail').and(page.locator(':focus')).waitFor()
    await press(page, 'Alt+ArrowDown')
    // What is closed is not looked through by the browser: the refusal of the server opens it.
    await card(page, '1. Send a mail').press('Enter')
    await choice('Template').selectOption('Choose…')
    await card(page, '1. Send a mail').press('Enter')
    await enter(page, 'Save')
    await page.getByText('steps[0].templateId must be a text').waitFor()
    await dashboard.refused()
    await choice('Template').waitFor()
    await judge(page, 'sequence-refused')
    await enter(page, 'Discard')
    await page.getByText('steps[0].templateId must be a text').waitFor({ state: 'detached' })
    await card(page, '1. Send a mail').press('Enter')
    await steps(page).toHaveLength(5)
    await enter(page, 'Remove step 5')
    await steps(page).toHaveLength(4)
    await card(page, '2. Wait').press('Enter')
    await field('How long').fill('1')
    await choice('Unit').selectOption('hour')
    await field('And then until this time, where the person is (or none)').fill('')

    await enter(page, 'Add a step as number 3')
    await page.getByRole('button', { name: 'Send a mail', exact: true }).and(page.locator(':focus')).waitFor()
    await press(page, 'Escape')
    await page.getByRole('button', { name: 'Add a step as number 3' }).and(page.locator(':focus')).waitFor()
    await enter(page, 'Add a step as number 3')
    await enter(page, 'Branch')
    await choice('What decides').and(page.locator(':focus')).waitFor()
    await field('Condition 1: Field or property').selectOption('locale')
    await field('Condition 1: Value').fill('de')
    await choice('Then', page.getByRole('group', { name: 'Branch 1' })).selectOption('the end')
    await enter(page, 'Add a branch')
    const second = page.getByRole('group', { name: 'Branch 2' })
    await choice('What decides', second).selectOption('the event that began it')
    await second.getByLabel('Condition 1: Property').fill('seats')
    await second.getByLabel('Condition 1: Comparison').selectOption('is more than')
    await second.getByLabel('Condition 1: Value').fill('5')
    await choice('Then', second).selectOption({ index: 4 })
    await judge(page, 'sequence-branch')
    await card(page, 'Who leaves early').press('Enter')
    await enter(page, 'Add a goal')
    await page.getByRole('group', { name: 'Goals: No. 1' }).getByLabel('Event', { exact: true }).fill('purchased')
    await enter(page, 'Save')
    await eventually(async () => (await stored()).revision).toBe(2)
    expect((await stored()).definition).toMatchObject({
      goals: [{ event: 'purchased' }],
      steps: [
        { id: 'welcome' },
        { id: 'two-days', for: { amount: 1, unit: 'h' } },
        {
          type: 'branch',
          branches: [
            { if: { contact: { field: 'locale', op: 'eq', value: 'de' } }, next: null },
            { if: { event: [{ property: 'seats', operator: 'greaterThan', value: 5 }] }, next: 'first-order' },
          ],
        },
        { id: 'welcome-tips' },
        { id: 'first-order' },
      ],
    })
    await judge(page, 'sequence-open')
  })

  test('what somebody else saved meanwhile is not overwritten unseen, and nothing typed is lost', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const { id, definition } = await stored()
    await page.goto(`${t.url}/dashboard/acme/sequences/${id}`)
    await page.getByLabel('Name', { exact: true }).fill('Welcome aboard')
    await page.getByText('Not saved yet.').waitFor()
    await page.getByRole('link', { name: 'Lists', exact: true }).click()
    await enter(page, 'Not now')
    await page.reload()
    await eventually(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Welcome aboard')
    const theirs = definition.steps.map((step: Json) =>
      step.id === 'two-days' ? { ...step, for: { amount: 4, unit: 'd' } } : step,
    )
    await t.patch(`${path}/${id}`, { definition: { ...definition, steps: theirs } }, 200)
    await enter(page, 'Save')
    const conflict = page.getByRole('alert')
    await conflict.getByText('2. Wait 4 days').waitFor()
    await conflict.getByText('Name: Welcome aboard').waitFor()
    await judge(page, 'sequence-conflict')
    await enter(page, 'Save yours instead')
    await page.getByRole('heading', { name: 'Welcome aboard' }).waitFor()
    await eventually(async () => (await stored()).definition.steps[1].for).toEqual({ amount: 1, unit: 'h' })

    await t.patch(`${path}/${id}`, { name: 'Hello' }, 200)
    await page.getByRole('heading', { name: 'Hello' }).waitFor()
    await eventually(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Hello')
  })

  test('it is published once its templates are there, and people go through', async () => {
    for (const name of ['welcome', 'welcome-tips']) await t.template({ id: name, name: `Mail ${name}`, subject: name })
    for (const name of ['ada', 'ben', 'cleo']) await t.contact({ email: `${name}@example.net`, subscribed: true })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const { id } = await stored()
    await page.goto(`${t.url}/dashboard/acme/sequences/${id}`)
    await page.getByLabel('For the contact with this address').fill('ada@example.net')
    await page.getByLabel('Properties of the event that begins it').fill('seats = 9')
    await enter(page, 'Add an event')
    await page.getByRole('group', { name: 'Event no. 1' }).getByLabel('Event', { exact: true }).fill('purchased')
    await enter(page, 'Rehearse')
    const line = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await line('3. Branch (branch-1): took branch 2').waitFor()
    await page.getByText('completed reached the goal').waitFor()
    await judge(page, 'sequence-rehearsal')
    await enter(page, 'Publish')
    const asked = page.getByRole('dialog')
    await asked
      .getByText('Begins with: the event signedUp')
      .or(asked.getByText('Begins with the event signedUp'))
      .waitFor()
    await asked.getByText('Nobody is in it now.').waitFor()
    await asked.getByText((await stored()).contentHash.slice(0, 12)).waitFor()
    await judge(page, 'sequence-publish')
    await asked.getByRole('button', { name: 'Publish' }).press('Enter')
    await page.getByText('People begin version 1, which is what stands here.').waitFor()

    await t.post('/v1/events/send', { eventName: 'signedUp', email: 'ada@example.net' }, 200)
    await t.settle()
    await page.getByText('here 1').waitFor()
    await page.getByText('sent 1', { exact: true }).waitFor()
    await judge(page, 'sequence-active')
    await enter(page, 'Pause')
    await page.getByText('It is paused, and everybody stays').waitFor()
    await judge(page, 'sequence-paused')
    await enter(page, 'Resume')
    await page.getByText('It is paused, and everybody stays').waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'here 1' }).press('Enter')
    await page.getByRole('table', { name: 'People in this sequence' }).getByText('ada@example.net').waitFor()
    await page.getByRole('combobox', { name: 'Step' }).selectOption('1. Send a mail (welcome)')
    await page.getByText('Nobody is there.').waitFor()
    await page.getByRole('combobox', { name: 'Step' }).selectOption('any step')
    await page.getByRole('link', { name: 'waiting' }).press('Enter')
    await judge(page, 'sequence-people')
    await page.getByRole('link', { name: 'ada@example.net' }).press('Enter')
    await page.getByText('They wait at the step two-days').waitFor()
    await page.getByRole('table', { name: 'The way so far' }).getByText('sent').waitFor()
    await judge(page, 'sequence-run')
    // What the server has taken is known when it has moved them on.
    const leaveOut = async (then: string) => {
      await enter(page, 'Leave this step out')
      await page.getByRole('dialog').getByRole('button', { name: 'Leave this step out' }).press('Enter')
      await eventually(async () => {
        await t.settle()
        return await page.getByText(then).isVisible()
      }).toBe(true)
    }
    await leaveOut('The mail of the step welcome-tips is put off until')
    await judge(page, 'sequence-run-put-off')
    await leaveOut('They wait at the step first-order')
    await page.getByText('left out (by hand)').first().waitFor()
    await enter(page, 'Take out')
    await page.getByRole('dialog').getByRole('button', { name: 'Take out' }).press('Enter')
    await page.getByText('They left at the step first-order').waitFor()
  })

  test('people are put in by their addresses, after a look, or as a segment; it ends for good only by its name', async () => {
    await t.post('/v1/segments', { name: 'All who are here', filter: { field: 'email', op: 'exists' } }, 201)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const { id } = await stored()
    await page.goto(`${t.url}/dashboard/acme/sequences/${id}/people`)
    await page.getByLabel('Addresses of contacts').fill('ben@example.net\nada@example.net, nobody@example.net')
    await enter(page, 'See who would begin')
    await page.getByText('1 person would begin.').waitFor()
    await page.getByText('ada@example.net: was in it, and it is once for each').waitFor()
    await page.getByText('nobody@example.net: is no contact').waitFor()
    await judge(page, 'sequence-enrol')
    await enter(page, 'Put 1 person in')
    await page.getByRole('link', { name: 'ben@example.net' }).waitFor()
    await t.settle()
    await enter(page, 'Put them in')
    await page.getByRole('dialog').getByText('3 contacts are in it now').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Put them in' }).press('Enter')
    const enrolments = page.getByRole('table', { name: 'Segments that were put in' })
    await enrolments.waitFor()
    await t.settle()
    await enrolments.getByText('done').waitFor()
    await page.getByRole('link', { name: 'cleo@example.net' }).waitFor()
    await judge(page, 'sequence-enrolled')

    await page.getByRole('link', { name: 'Steps', exact: true }).press('Enter')
    await enter(page, 'Remove step 2')
    await enter(page, 'Save')
    await page.getByText('What stands here differs from it.').waitFor()
    await enter(page, 'Publish')
    await page.getByLabel('Move them to the new version').check()
    await page.getByRole('cell', { name: 'they stay where they are' }).waitFor()
    const whereTo = page.getByRole('combobox', { name: 'two-days: To' })
    await whereTo.selectOption('4. Wait for an event (first-order)')
    await page.getByRole('cell', { name: 'none' }).waitFor()
    await judge(page, 'sequence-moves')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).press('Enter')
    await page.getByText('People begin version 2, which is what stands here.').waitFor()
    await t.settle()
    await page.getByRole('link', { name: 'here 2' }).waitFor()

    await enter(page, 'Stop for good')
    const asked = page.getByRole('dialog')
    await asked.getByText('2 people are in it and will leave.').waitFor()
    await asked.getByRole('textbox').fill('Hello')
    await asked.getByRole('button', { name: 'Stop for good' }).press('Enter')
    await page.getByText('stopped', { exact: true }).first().waitFor()
    await t.settle()
    await press(page, 'g q')
    await page.getByRole('link', { name: 'Hello' }).waitFor()
    await judge(page, 'sequences')
    await press(page, 'Control+k')
    await page.getByRole('combobox', { name: 'A name' }).fill('hello')
    await page.getByRole('option', { name: 'Sequence: Hello' }).click()
    await page.getByText('It was stopped: everybody has left').waitFor()
    await judge(page, 'sequence-stopped')
  })

  test('a digest is put among the steps, and says what it has gathered', async () => {
    const list = { type: 'list', itemsVariable: 'digest.items', items: ['{{item.text}}'] }
    await t.template({ id: 'new-comments', name: 'New comments', subject: '{{digest.count}} new', content: [list] })
    const wait = { id: 'wait', type: 'wait', for: { amount: 1, unit: 'h' } }
    const definition = { start: { event: 'commented' }, reEntry: { mode: 'afterExit' }, steps: [wait] }
    const { id } = await t.post(path, { name: 'Comments', definition }, 201)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
    await page.goto(`${t.url}/dashboard/acme/sequences/${id}`)
    await enter(page, 'Add a step as number 1')
    await enter(page, 'Gather into one mail')
    await field('Event').and(page.locator(':focus')).waitFor()
    await field('Event').fill('commented')
    await choice('Gather').selectOption('until a time of day')
    await choice('Gather').selectOption('for some time')
    await field('How long').fill('2')
    await choice('Unit').selectOption('hours')
    await field('And then until this time, where the person is (or none)').fill('')
    await choice('Template').selectOption('New comments')
    await field('How many of them the mail shows').fill('5')
    await choice('Which of them').selectOption('the oldest first')
    await judge(page, 'sequence-digest-form')
    await enter(page, 'Remove step 2')
    await enter(page, 'Save')
    await eventually(async () => (await stored()).revision).toBe(2)
    expect((await stored()).definition.steps).toEqual([
      {
        id: 'digest-1',
        type: 'digest',
        event: 'commented',
        for: { amount: 2, unit: 'h' },
        templateId: 'new-comments',
        variables: {},
        items: 5,
        order: 'oldest',
      },
    ])
    await page.reload()
    await steps(page).toEqual(['1. Gather into one mail commented, 2 hours, New comments'])
    await page.getByLabel('For the contact with this address').fill('ada@example.net')
    await enter(page, 'Rehearse')
    await page.getByText('sent, about 1 event').waitFor()
    await judge(page, 'sequence-digest')
    const { contentHash } = await stored()
    await t.post(`${path}/${id}/publish`, { contentHash }, 200)
    const comment = () => t.post('/v1/events/send', { eventName: 'commented', email: 'ada@example.net' }, 200)
    for (let n = 0; n < 3; n++) await comment()
    await t.settle()
    await page.getByRole('link', { name: 'here 1' }).press('Enter')
    await page.getByRole('link', { name: 'ada@example.net' }).press('Enter')
    await page.getByText('3 events').waitFor()
    await judge(page, 'sequence-digest-run')
  })
})
