// Campaigns and webhooks in the dashboard, in a real browser and by keyboard: from the first draft to a report that adds up, and an endpoint
// that fails, is mended and gets again what it missed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type Json, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { nameServer } from './support/dns.ts'
import { eventually, shown } from './support/eventually.ts'
import { type Installation, isCheckout, openInstallation } from './support/installation.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

describe.skipIf(!browserExpected || remoteDatabase)('campaigns and webhooks in the dashboard', () => {
  let browser: Browser
  let sink: Sink
  let t: Installation
  let isRefusing = true
  let isClosed = true
  /** The mail server answers the first mail when the walk has seen that it is being sent. */
  const seen = Promise.withResolvers<void>()
  beforeAll(async () => {
    browser = await openBrowser()
    // The reply about the mails to one address is lost; those to another are refused for a while.
    sink = startSink({
      answer: async (stage, nth, { to }) => {
        if (stage === 'rcpt' && isClosed && to.startsWith('gus@')) return '554 5.7.1 Relay access denied'
        if (stage !== 'dot') return undefined
        if (nth === 0) await seen.promise
        if (to.startsWith('ben@')) return 'cut'
        return isRefusing && to.startsWith('fred@') ? '554 5.6.0 not like this' : undefined
      },
    })
    const SMTP_URL = `${sink.url}?maxConnections=1`
    t = await openInstallation({ trustLevel: 'M1', environment: { ...sinkEnvironment, SMTP_URL } })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  const rowsOf = async (page: Page) =>
    (await page.locator('.shares tr').allInnerTexts()).map((row) => row.trim().replaceAll(/\s+/g, ' '))
  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

  test('one goes from the call that the empty page shows, over pre-flight and approval, to a report that adds up', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g k')
    // The screen before has such a call too.
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor()
    const call = await shown(page.locator('.code code'), /\/v1\/campaigns/)
    await judge(page, 'campaigns-empty')
    const shell = Bun.spawn(['bash', '-c', call], { env: { ...process.env, PAQUEBOT_API_KEY: t.apiKey } })
    expect(await shell.exited).toBe(0)
    const [list] = (await t.get('/v1/mailing-lists', 200)).data
    // The first mail is held for as long as the walk takes: its domain is slow, and those of the others are not.
    for (const email of ['ada@example.com', 'ben@example.net', 'cleo@example.org', 'dora@example.net'])
      await t.contact({ email, mailingLists: { [list.id]: true } })
    await t.post('/v1/suppressions', { email: 'dora@example.net' }, 201)

    // A screen is left before it is asked for anew: going back to one that is still shown changes nothing.
    await press(page, 'g h')
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor({ state: 'detached' })
    await press(page, 'g k')
    await page.getByRole('link', { name: 'July' }).waitFor()
    await judge(page, 'campaigns')
    await press(page, 'j Enter')
    await page.getByRole('heading', { name: 'Pre-flight' }).waitFor()
    await page.getByRole('table', { name: 'Pre-flight' }).waitFor()
    await eventually(async () => (await rowsOf(page)).slice(1)).toEqual([
      'recipients would get it now 3 75%',
      'suppressed on the suppression list 1 25%',
      'All 4',
    ])
    await judge(page, 'campaign-pre-flight')

    await enter(page, 'Approve as seen')
    await page.getByText('Approved by').waitFor()
    await enter(page, 'Send now')
    const dialog = page.getByRole('dialog', { name: 'Send to 3 people' })
    await dialog.waitFor()
    await judge(page, 'campaign-send')
    await dialog.getByRole('button', { name: 'Send now' }).press('Enter')
    await page.getByRole('heading', { name: 'Progress' }).waitFor()
    const sending = t.settle()
    await judge(page, 'campaign-progress')
    await enter(page, 'Pause')
    await page.getByText('Paused: by hand.').waitFor()
    await page.getByText('Somebody paused a campaign').waitFor()
    await judge(page, 'campaign-paused')
    await enter(page, 'Resume')
    await page.getByRole('heading', { name: 'Progress' }).waitFor()
    seen.resolve()
    await sending
    // What waited too long for the one connection was put off.
    await t.advance('10s')

    await page.getByRole('heading', { name: 'Uncertain mails' }).waitFor()
    await page.getByRole('heading', { name: 'Report' }).waitFor()
    await eventually(async () => (await rowsOf(page)).slice(1)).toEqual([
      'sent the mail server took it 2 50%',
      expect.stringMatching(/^uncertain .* 1 25%$/),
      'suppressed on the suppression list 1 25%',
      'All 4',
    ])
    await page.getByRole('link', { name: 'ben@example.net' }).waitFor()
    await judge(page, 'campaign-report')
    await enter(page, 'It arrived')
    await page.getByRole('heading', { name: 'Uncertain mails' }).waitFor({ state: 'detached' })
    const [{ stats }] = (await t.get('/v1/campaigns', 200)).data
    expect(stats).toMatchObject({ audience: 4, sent: 3, uncertain: 0, suppressed: 1 })
    // A nought of what nobody counts is no figure.
    await eventually(() => page.locator('.facts dd', { hasText: 'not tracked' }).count()).toBe(2)
    await enter(page, 'Count opens and clicks')
    await page.getByRole('dialog').getByText('a picture in each mail').waitFor()
    await press(page, 'Enter')
    await page.getByText('not tracked').first().waitFor({ state: 'detached' })
    const settings = await t.get('/v1/campaign-settings', 200)
    expect([settings.trackOpens, settings.trackClicks]).toEqual([true, true])

    await page.getByRole('link', { name: 'suppressed' }).press('Enter')
    await page.getByRole('link', { name: 'dora@example.net' }).waitFor()
    await page.getByRole('link', { name: 'ada@example.net' }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'added by hand' }).waitFor()
    await judge(page, 'campaign-recipients')
  })

  test('one is made by the form and written here, is seen before it is sent, and is cancelled for good by its name', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const list = await t.mailingList({ name: 'Customers' })
    await t.template({ id: 'welcome', name: 'Welcome', text: 'Dear {{name}}' })
    await press(page, 'g k')
    await page.getByRole('link', { name: 'New campaign' }).press('Enter')
    await page.getByLabel('Name').fill('August')
    await page.getByLabel('Subject').fill('Warm news')
    await page.getByLabel('List').selectOption('Customers')
    // Why a template cannot be chosen stands there before somebody tries.
    const unfit = page.getByRole('option', { name: 'Welcome (does not fit)' })
    await eventually(() => unfit.isDisabled()).toBe(true)
    await page.getByText('Templates that do not fit: 1').click()
    await page.getByText('no value for name').waitFor()
    await judge(page, 'campaign-new')
    await enter(page, 'Save')
    await page.getByText('It is empty.').waitFor()
    await judge(page, 'campaign-content')
    await page.getByRole('link', { name: 'To the campaign' }).press('Enter')
    await page.getByText('It cannot be sent.').waitFor()
    await dashboard.refused()
    await page.getByRole('link', { name: 'Write the mail' }).press('Enter')
    await page.getByText('It is empty.').waitFor()
    await press(page, '/')
    await page.getByRole('combobox', { name: 'What to add' }).fill('text')
    await press(page, 'Enter')
    await page.locator('.properties :focus').waitFor()
    await page.keyboard.insertText('Warm news of August.')
    await page.frameLocator('iframe.mail').getByText('Warm news of August.').waitFor()
    await press(page, 'Control+s')
    await page.getByText('saved', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'To the campaign' }).press('Enter')
    // The mail stands beside what sends it.
    await page.frameLocator('iframe.mail').getByText('Warm news of August.').waitFor()
    await page.getByText(/^As of now, 0 people would get it/).waitFor()
    await judge(page, 'campaign-written')
    await page.getByLabel(/^Or at \(in the time of /).fill('2020-01-01T10:00')
    await enter(page, 'Schedule')
    await page.locator('input[name=scheduledAt]:focus[aria-invalid=true]').waitFor()
    await page.getByRole('alert').getByText('This time has passed.').waitFor()
    await judge(page, 'campaign-past')
    await page.getByLabel(/^Or at \(in the time of /).fill('2026-06-01T09:00')
    await page.getByLabel('in each recipient’s time zone').press('Space')
    await enter(page, 'Schedule')
    await page.getByText('Each person gets it Jun 1, 2026, 9:00 AM in their own time zone.').waitFor()
    await judge(page, 'campaign-local-time')
    await page.getByText('Customers').waitFor()
    await enter(page, 'Cancel for good')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').fill('August')
    await press(page, 'Enter')
    await page.getByText('cancelled', { exact: true }).waitFor()
    const found = (await t.get('/v1/campaigns?status=cancelled', 200)).data
    expect(found.map(({ name, mailingListId }: Json) => [name, mailingListId])).toEqual([['August', list.id]])
  })
  test('why mail waits is said with what to check, in the language of who looks, and it is tried again by a button', async () => {
    await t.template({ id: 'gus' })
    const { messageId } = await t.mail({ email: 'gus@example.net', templateId: 'gus' })
    await t.settle()
    const options = { locale: 'de-DE' }
    await using german = await openDashboard(browser, t, options)
    const item = german.page.getByRole('listitem').filter({ hasText: 'gibt unsere Mails nicht weiter' })
    await item.getByText('seine Liste derer, die das dürfen').waitFor()
    await item.getByRole('button', { name: 'Jetzt noch einmal versuchen' }).waitFor()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.getByText('The mail server does not relay our mail').waitFor()
    await judge(page, 'home-mail-waits')
    await page.goto(`${t.url}/dashboard/acme/activity/${messageId}`)
    const why = page.locator('.notice', { hasText: 'The mail server does not relay our mail' })
    await why.getByText('and 1 more reason').press('Enter')
    await why.getByText('attempt 1: 554 5.7.1 Relay access denied').waitFor()
    const [, { until }] = (await t.get(`/v1/activity/why?messageId=${messageId}`, 200)).data
    const at = await page.evaluate((until) => {
      const options = { dateStyle: 'medium', timeStyle: 'medium' } as const
      return new Intl.DateTimeFormat('en', options).format(new Date(until))
    }, until as string)
    await why.getByText(`it is tried again (at ${at})`).waitFor()
    await judge(page, 'activity-mail-waits')
    isClosed = false
    await why.getByRole('button', { name: 'Try again now' }).press('Enter')
    await page.getByRole('status').getByText('Tried again now: 1 mail.').waitFor()
    await t.settle()
    await eventually(async () => (await t.get(`/v1/activity/${messageId}`, 200)).status).toBe('sent')
    await why.waitFor({ state: 'detached' })
  })

  test('a list is made with a source, and its form subscribes people on a page of somebody else', async () => {
    let html = ''
    await using shop = Bun.serve({
      port: 0,
      fetch: () => new Response(`<!doctype html>${html}`, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g l')
    await page.getByRole('link', { name: 'New list' }).press('Enter')
    await page.getByLabel('Name').fill('Letter')
    await page.getByLabel('Double opt-in: only after a click').press('Space')
    await enter(page, 'Save')
    await page.getByRole('heading', { name: 'Letter' }).waitFor()
    await page.getByText('at once').waitFor()
    await judge(page, 'list')
    await press(page, 'g l')
    await page.getByRole('link', { name: 'Letter' }).waitFor()
    await judge(page, 'lists')
    await page.getByRole('link', { name: 'Sources' }).press('Enter')
    await page.getByText('No source yet').waitFor()
    await judge(page, 'sources-empty')
    await page.getByRole('link', { name: 'New source' }).press('Enter')
    await page.getByLabel('Name').fill('Footer')
    await page.getByLabel('What people agree to').fill('Send me <the> letter.')
    await page.getByLabel('Letter').press('Space')
    await page.getByLabel('Pages that may use it').fill(shop.url.origin)
    await enter(page, 'Save')
    await page.getByRole('heading', { name: 'Form to copy' }).waitFor()
    await judge(page, 'source')
    html = await shown(page.locator('.code code').first(), /<form/)

    const visitor = await browser.newPage()
    await visitor.goto(shop.url.href)
    await visitor.getByText('Send me <the> letter.').waitFor()
    await visitor.getByLabel('E-mail address').fill('gwen@example.net')
    await visitor.keyboard.press('Enter')
    await visitor.getByText('You are subscribed.').waitFor()
    await visitor.close()
    await t.settle()
    const found = (await t.get('/v1/mailing-lists', 200)).data.find(({ name }: Json) => name === 'Letter')
    expect(found.contactCount).toBe(1)
  })

  // Repeats of a mail come hours later.
  test.skipIf(!isCheckout)('a job that failed is tried again, and one that is uncertain is resolved', async () => {
    await t.template({ id: 'hi' })
    for (const name of ['fred', 'ben']) await t.mail({ email: `${name}@example.net`, templateId: 'hi' })
    // Its two repeats are lost, too.
    for (let hour = 0; hour < 3; hour++) await t.advance('1h')
    const statusOf = async (name: string) => (await t.get(`/v1/activity?email=${name}@example.net`, 200)).data[0].status
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g j')
    await page.getByRole('link', { name: 'failed', exact: true }).press('Enter')
    await page.getByRole('cell', { name: 'not like this' }).waitFor()
    await judge(page, 'jobs')
    isRefusing = false
    await enter(page, 'Try again')
    await page.getByText('was tried again').waitFor()
    await t.settle()
    await page.getByRole('link', { name: 'uncertain', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    await enter(page, 'All of these arrived')
    await page.getByText('No job is in this state.').waitFor()
    await eventually(async () => [await statusOf('fred'), await statusOf('ben')]).toEqual(['sent', 'sent'])
  })

  // The binary asks the name server of the machine.
  test.skipIf(!isCheckout)('a domain is verified when the records that the page shows are published', async () => {
    await using dns = await nameServer()
    await using t = await testApp({ dns: dns.resolver })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g d')
    await page.getByText('No domain yet.').waitFor()
    await page.getByLabel('Add a domain').fill('news.example')
    await press(page, 'Enter')
    await page.getByRole('table', { name: 'Records of news.example' }).waitFor()
    await enter(page, 'Check the DNS now')
    await page.getByText('not verified').waitFor()
    await judge(page, 'domains')
    for (const row of await page.locator('tbody tr').all()) {
      const [name = '', value = ''] = await eventually(() => row.locator('code').allTextContents()).toHaveLength(2)
      dns.names.set(name.replace('TXT ', ''), [value])
    }
    await enter(page, 'Check the DNS now')
    await page.getByText('verified', { exact: true }).waitFor()
    await eventually(() => page.getByText('right', { exact: true }).count()).toBe(5)
    await enter(page, 'Remove')
    await page.getByLabel('Type').fill('news.example')
    await press(page, 'Enter')
    await page.getByText('No domain yet.').waitFor()
  })

  test('a webhook fails, is mended and replayed, and its signature is checked as the page says', async () => {
    let isBroken = true
    await using receiver = webhookSink(() => (isBroken ? new Response('boom', { status: 500 }) : new Response('ok')))
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g w')
    await page.getByText('How a program does it').click()
    await page.getByText('paquebot webhook create').waitFor()
    await judge(page, 'webhooks-empty')
    await page.getByRole('link', { name: 'Event types' }).press('Enter')
    await page.getByText('contact.created').first().click()
    await page.getByText('"contactIdentity"').first().waitFor()
    await judge(page, 'webhook-events')
    await press(page, 'g w')
    await page.getByRole('link', { name: 'New endpoint' }).press('Enter')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('Events').fill('contact.*, testing.testEvent')
    await judge(page, 'webhook-new')
    await press(page, 'Enter')
    const secret = await shown(page.locator('.notice code'), /^whsec_/)
    await page.getByRole('link', { name: 'To the endpoint' }).press('Enter')

    await enter(page, 'Send a test')
    await page.getByText('It failed: http_error 500.').first().waitFor()
    await page.getByRole('cell', { name: '500 http_error' }).waitFor()
    await t.contact({ email: 'emil@example.net' })
    await t.settle()
    isBroken = false
    await t.advance('10s')
    await enter(page, 'Replay…')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 event would be delivered again').waitFor()
    await dialog.getByRole('button', { name: 'Deliver again' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await t.settle()
    await page.getByText('2 of the last 2 delivered').waitFor()
    await page.getByRole('definition').filter({ hasText: 'owner@acme.test' }).waitFor()
    await judge(page, 'webhook')
    await enter(page, 'Show as a table')
    const attempts = page.getByRole('table', { name: 'How long it took to answer' })
    await attempts.waitFor()
    await eventually(() => attempts.locator('tbody tr').count()).toBe(4)
    await judge(page, 'webhook-latency')

    await page.getByRole('link', { name: 'testing.testEvent' }).press('Enter')
    await page.getByRole('heading', { name: 'testing.testEvent' }).waitFor()
    await eventually(() => page.locator('.history li').allInnerTexts()).toEqual([
      expect.stringMatching(/^failed.*500 http_error.*boom/s),
      expect.stringMatching(/^delivered.*200/s),
    ])
    await judge(page, 'webhook-delivery')
    const ids = receiver.received
      .filter(({ body }) => body.includes('testEvent'))
      .map((one) => one.headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    await eventually(() => page.locator('.code').textContent()).toContain(`Webhook-Id: ${ids[0]}`)

    await page.getByRole('link', { name: receiver.url }).press('Enter')
    await enter(page, 'Shell')
    const command = await shown(page.locator('.code code'), /openssl/)
    const { headers = {}, body = '' } = receiver.received.at(-1) ?? {}
    const [WEBHOOK_ID = '', WEBHOOK_TIMESTAMP = ''] = [headers['webhook-id'], headers['webhook-timestamp']]
    const env = { ...process.env, SIGNING_SECRET: secret, WEBHOOK_ID, WEBHOOK_TIMESTAMP, BODY: body }
    const shell = Bun.spawn(['bash', '-c', command], { env })
    await eventually(async () => (await new Response(shell.stdout).text()).trim()).toBe(
      headers['webhook-signature'] ?? '',
    )

    await page.getByLabel('Maximum per second').fill('3')
    await page.getByLabel('Description').fill('The shop')
    await press(page, 'Enter')
    await page.getByText('3 a second').waitFor()
    await page.getByText('The shop').first().waitFor()
    const events = page.getByLabel('Events')
    await eventually(() => events.inputValue()).toBe('contact.*, testing.testEvent')
    await events.fill('email.delivered, contact.*')
    await press(page, 'Enter')
    const about = page.getByRole('definition')
    await about.getByText('email.delivered, contact.*').waitFor()
    const filtersOf = async () =>
      (await t.get('/v1/webhook-endpoints', 200, { as: 'session' })).data.map((one: Json) => one.eventFilters)
    await eventually(filtersOf).toEqual([['email.delivered', 'contact.*']])
    await events.fill('')
    await press(page, 'Enter')
    await about.getByText('everything').waitFor()
    await eventually(filtersOf).toEqual([['*']])

    await enter(page, 'Pause')
    await page.getByText('Paused by hand.').waitFor()
    await press(page, 'g w')
    await page.getByText('2 of the last 2 delivered').waitFor()
    await judge(page, 'webhooks')
    await press(page, 'j Enter')
    await enter(page, 'Delete')
    await page.getByLabel('Type').fill(new URL(receiver.url).host)
    await press(page, 'Enter')
    await page.getByText('No endpoint yet').waitFor()
  })

  test('a long address breaks behind its marks, within none of its words', async () => {
    const words = [
      'https',
      'hooks',
      'warehouse',
      'analytical',
      'engines',
      'example',
      'incoming',
      'production',
      'version',
    ]
    const url = 'https://hooks.warehouse-of-the-analytical-engines.example.com/incoming/production/version/2'
    const eventFilters = ['email.delivered', 'email.softBounced', 'contact.unsubscribed', 'suppression.added']
    const { id } = await t.endpoint({ url, eventFilters })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g w')
    const link = page.getByRole('link', { name: url })
    await link.waitFor()
    /** The words of which a line has only a part. */
    const broken = () =>
      link.evaluate((element, words) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        const found: string[] = []
        for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
          for (const word of words) {
            const at = text.textContent?.indexOf(word) ?? -1
            if (at < 0) continue
            const range = document.createRange()
            range.setStart(text, at)
            range.setEnd(text, at + word.length)
            if (range.getClientRects().length > 1) found.push(word)
          }
        return found
      }, words)
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 850 })
      await eventually(broken, `${width}`).toEqual([])
      await eventually(() => link.evaluate((element) => element.getClientRects().length)).toBeGreaterThan(1)
    }
    await t.delete(`/v1/webhook-endpoints/${id}`, undefined, 200, { as: 'session' })
  })
})

// On a clock that only the test moves: in time, nothing would wait.
test.skipIf(!browserExpected || remoteDatabase)('a delivery that waits says why, and is delivered now', async () => {
  await using receiver = webhookSink()
  await using t = await testApp({ environment: sinkEnvironment })
  await using browser = await openBrowser()
  await t.settle()
  const { id } = await t.endpoint({ url: receiver.url, status: 'active', maxPerSecond: 1 })
  for (const n of [1, 2, 3, 4]) await t.contact({ email: `late${n}@example.net` })
  t.clock.advance(150_000)
  // One a second.
  await t.settle()
  await using dashboard = await openDashboard(browser, t)
  const { page } = dashboard
  await page.getByRole('link', { name: 'Deliveries to a webhook endpoint are late' }).press('Enter')
  // Of those that have ended: what waits has not failed.
  await page.getByText('1 of the last 1 delivered, 3 wait').waitFor()
  await page.getByRole('link', { name: 'contact.created' }).first().press('Enter')
  await page.getByText('Due since').waitFor()
  await page.locator('.notice').getByText('Other deliveries to the endpoint come first').waitFor()
  await judge(page, 'webhook-delivery-waiting')
  await page.getByRole('button', { name: 'Deliver now' }).press('Enter')
  await page.locator('.unseen').getByText('It is tried next.').waitFor()
  await t.advance('2s')
  await page.getByText('delivered', { exact: true }).first().waitFor()
  const { data } = await t.get(`/v1/webhook-endpoints/${id}/deliveries?state=pending`, 200, { as: 'session' })
  expect(data.length).toBeLessThan(3)
})
