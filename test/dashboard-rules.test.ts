// Rules and events in the dashboard, in a real browser and by keyboard: a rule is written as a sentence, tried with an event that came,
// changed, switched off and removed, each with the way back; an event leads to all that it set off.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Json } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually, shown } from './support/eventually.ts'
import { type Installation, openInstallation } from './support/installation.ts'

describe.skipIf(!browserExpected || remoteDatabase)('rules and events in the dashboard', () => {
  let browser: Browser
  let t: Installation
  beforeAll(async () => {
    browser = await openBrowser()
    t = await openInstallation()
    await t.template({
      id: 'ends',
      name: 'Trial ends',
      subject: '{{name}}, your trial ends',
      text: 'Hi {{name}}, you chose {{event.plan}}.',
    })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const rulesOf = async () => (await t.get('/v1/event-rules', 200)).data

  test('a rule is written, tried with what came, changed, switched and removed, each with the way back', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g r')
    await page.getByText('No rule yet').waitFor()
    await judge(page, 'rules-empty')
    await press(page, 'g n')
    await page.getByText('No event yet').waitFor()
    const call = await shown(page.locator('.code code').first(), /events\/send/)
    await judge(page, 'events-empty')
    const shell = Bun.spawn(['bash', '-c', call], { env: { ...process.env, PAQUEBOT_API_KEY: t.apiKey } })
    expect(await shell.exited).toBe(0)
    // It is looked for again, without being asked to.
    await page.getByRole('link', { name: 'trialStarted' }).waitFor()

    await press(page, 'g r')
    await page.getByRole('link', { name: 'New rule' }).press('Enter')
    await page.getByLabel('Event', { exact: true }).fill('trialStarted')
    await page.getByLabel('Delay', { exact: true }).fill('10')
    await page.getByLabel('Template', { exact: true }).selectOption('Trial ends')
    await page.getByLabel('name', { exact: true }).fill('{{contact.firstName|Friend}}')
    await page.getByLabel('Cancelled by').fill('subscribed')
    await page.getByLabel('Transactional: also for those who did not').check()
    await enter(page, 'And…')
    await page.getByLabel('Condition 1: Property').fill('plan')
    await page.getByLabel('Condition 1: Value').fill('gold')
    await judge(page, 'rule-new')
    await enter(page, 'Save')
    const sentence = page.locator('p.sentence')
    await sentence.waitFor()
    await eventually(() => sentence.textContent()).toBe(
      'When trialStarted comes and plan is gold, after 10 days send Trial ends to the contact, unless subscribed comes first.',
    )

    await page.getByText('Transactional: also for those who did not').waitFor()
    await eventually(async () => (await rulesOf())[0].purpose).toBe('transactional')
    const events = page.getByLabel('With the event')
    await events.selectOption({ index: 1 })
    await page.getByText('It would do nothing.').waitFor()
    await page.getByText('✗ plan is gold (says "pro")').waitFor()
    await judge(page, 'rule-tried-in-vain')
    await enter(page, 'Change')
    await page.getByLabel('Condition 1: Value').fill('pro')
    await enter(page, 'Save')
    await page.getByText('It would run.').waitFor()
    await page.getByText('Friend, your trial ends').waitFor()
    await page.getByText('It did nothing with this event.').waitFor()
    await judge(page, 'rule-tried')
    await enter(page, 'Undo')
    await page.getByText('It would do nothing.').waitFor()
    await enter(page, 'Change')
    await page.getByLabel('Condition 1: Value').fill('pro')
    await enter(page, 'Save')
    await page.getByText('It would run.').waitFor()
    await eventually(async () => (await rulesOf())[0].filter).toEqual([
      { property: 'plan', operator: 'equals', value: 'pro' },
    ])

    await press(page, 'g r')
    const turn = page.getByRole('switch', { name: 'trialStarted: switched on' })
    await turn.press('Space')
    await page.getByText('trialStarted is switched off.').first().waitFor()
    await page.getByRole('switch', { checked: false }).waitFor()
    await enter(page, 'Undo')
    await page.getByRole('switch', { checked: true }).waitFor()
    await judge(page, 'rules')
    await press(page, 'j Enter')
    await sentence.waitFor()
    await enter(page, 'Remove')
    await page.getByText('trialStarted was removed.').first().waitFor()
    await page.getByText('No rule yet').waitFor()
    await enter(page, 'Undo')
    await sentence.waitFor()
    await eventually(() => rulesOf()).toMatchObject([
      { eventName: 'trialStarted', delay: { amount: 10, unit: 'd' }, cancelOn: ['subscribed'], enabled: true },
    ])
  })

  test('an event leads to what it set off, and what is scheduled is lost only by the name of its rule', async () => {
    const [rule] = await rulesOf()
    await t.template({ id: 'hi', name: 'Hi', subject: 'Hi', text: 'Hi' })
    await t.post(
      '/v1/event-rules',
      { eventName: 'trialStarted', name: 'Welcome', action: 'send_template', templateId: 'hi' },
      201,
    )
    for (const name of ['ben', 'cleo']) {
      const event = {
        eventName: 'trialStarted',
        email: `${name}@example.net`,
        eventProperties: { plan: 'pro', seats: 3 },
      }
      await t.post('/v1/events/send', event, 200)
      await t.advance('1s')
    }
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g n')
    await page.getByRole('link', { name: 'cleo@example.net' }).waitFor()
    await page.getByLabel('Contact').fill('ben@example.net')
    await press(page, 'Enter')
    await page.getByRole('link', { name: 'cleo@example.net' }).waitFor({ state: 'detached' })
    await judge(page, 'events')
    await page.getByRole('link', { name: 'trialStarted' }).press('Enter')
    await page.getByRole('heading', { name: 'What it caused' }).waitFor()
    await page.getByText('"seats": 3').waitFor()
    await page.getByRole('link', { name: 'Welcome' }).waitFor()
    await judge(page, 'event')
    await page.getByRole('link', { name: 'Show', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Hi', exact: true }).waitFor()
    await page.goBack()
    await page.getByLabel('Try a rule with it').selectOption('Welcome')
    await page.getByText('What really happened').waitFor()
    await page.getByRole('link', { name: 'the mail' }).waitFor()

    await press(page, 'g n')
    await page.getByRole('link', { name: 'Names that were seen' }).press('Enter')
    const names = page.getByRole('table', { name: 'Names of events, in alphabetical order' })
    await names.getByRole('link', { name: 'trialStarted' }).waitFor()
    await judge(page, 'event-names')

    await press(page, 'Control+k')
    await page.getByRole('combobox', { name: 'A screen' }).fill(rule.id)
    await press(page, 'Enter')
    await page.getByRole('table', { name: 'Due by day (UTC)' }).waitFor()
    await page.getByRole('link', { name: 'cleo@example.net' }).waitFor()
    await judge(page, 'rule-scheduled')
    // What others do meanwhile is there without being asked for.
    const later = { eventName: 'trialStarted', email: 'dora@example.net', eventProperties: { plan: 'pro' } }
    await t.post('/v1/events/send', later, 200)
    await t.settle()
    await page.getByRole('link', { name: 'dora@example.net' }).waitFor()
    await page.locator('option', { hasText: 'dora@example.net' }).waitFor({ state: 'attached' })
    await t.patch(`/v1/event-rules/${rule.id}`, { name: 'Trials' }, 200, { as: 'session' })
    await page.getByRole('heading', { name: 'Trials' }).waitFor()
    await press(page, 'g r')
    await page.getByRole('link', { name: 'Trials' }).waitFor()
    await t.patch(`/v1/event-rules/${rule.id}`, { name: 'trialStarted' }, 200, { as: 'session' })
    await page.getByRole('link', { name: 'trialStarted' }).press('Enter')
    await enter(page, 'Remove')
    const dialog = page.getByRole('dialog', { name: 'Remove it, and 3 mails that it has scheduled?' })
    await dialog.getByLabel('Type').fill('trialStarted')
    await press(page, 'Enter')
    await page.getByRole('link', { name: 'Welcome' }).waitFor()
    await eventually(async () => (await rulesOf()).map(({ name }: Json) => name)).toEqual(['Welcome'])
  })

  test('what a trial finds is told in the language of the screen', async () => {
    const template = { id: 'late', name: 'Spät', subject: 'S', content: [{ type: 'text', text: 'Hallo' }] }
    await t.post('/v1/transactional/create', template, 201)
    const rule = { eventName: 'ordered', action: 'send_template', templateId: 'late', delay: { amount: 1, unit: 'h' } }
    const { id } = await t.post('/v1/event-rules', { ...rule, cancelOn: ['paid'] }, 201)
    const happened = async (eventName: string, email: string) => {
      await t.post('/v1/events/send', { eventName, email }, 200)
      await t.settle()
      return (await t.get(`/v1/events?name=${eventName}`, 200)).data[0].id
    }
    const ordered = await happened('ordered', 'emil@example.net')
    const paid = await happened('paid', 'emil@example.net')
    await using dashboard = await openDashboard(browser, t, { locale: 'de-DE' })
    const { page } = dashboard
    const found = async (eventId: string) => {
      await page.goto(`${t.url}/dashboard/acme/rules/${id}?event=${eventId}`)
      const rows = page.getByRole('table', { name: 'Ausprobieren' }).locator('tbody tr')
      await eventually(() => rows.count()).toBe(7)
      return (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim())
    }
    expect(await found(ordered)).toEqual([
      'Ereignis ja von diesem Namen',
      'Schalter ja die Regel ist eingeschaltet',
      'Bedingungen ja alle sind erfüllt',
      'Einmal je Kontakt ja das erste Mal für diesen Kontakt',
      expect.stringMatching(/^Nicht abgebrochen nein ein Ereignis kam, das es abbricht: paid came at 20/),
      'Kontakt ja darf angeschrieben werden',
      'Was geschieht ja ist möglich',
    ])
    await t.patch(`/v1/event-rules/${id}`, { enabled: false }, 200, { as: 'session' })
    await t.post('/v1/suppressions', { email: 'emil@example.net' }, 201)
    expect(await found(paid)).toEqual([
      'Ereignis nein von einem anderen Namen: paid is not ordered',
      'Schalter nein die Regel ist ausgeschaltet: the rule is disabled',
      'Bedingungen ja alle sind erfüllt',
      'Einmal je Kontakt ja das erste Mal für diesen Kontakt',
      'Nicht abgebrochen ja kein Ereignis hat es abgebrochen',
      'Kontakt nein darf nicht angeschrieben werden: suppressed',
      'Was geschieht ja ist möglich',
    ])
  })
})
