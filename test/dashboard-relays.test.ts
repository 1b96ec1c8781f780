// Relays in a browser, as somebody whose the installation is adds, tries, drains and routes them; others are not shown that there are any.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { fit, judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type SinkOptions, startSink } from './support/smtp-sink.ts'

describe.skipIf(!browserExpected || remoteDatabase)('relays in the dashboard', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

  test('one is added and tried, carries mail, is drained, changed and removed', async () => {
    await using here = startSink()
    await using there = startSink({ auth: true })
    await using t = await testApp({
      environment: { SMTP_URL: here.url },
      mailer: smtpTransport({ url: here.url }),
      isNew: true,
    })
    await t.template()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g y')
    await page.getByRole('row', { name: /active SMTP_URL/ }).waitFor()
    await page.getByRole('link', { name: 'Add a relay' }).press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Harbour')
    await page.getByLabel('Server').fill('smtp://127.0.0.1:99999')
    await page.getByLabel('Begins').selectOption('turned off, to be tried first')
    await enter(page, 'Add it')
    await page.locator('input[name=url]:focus[aria-invalid=true]').waitFor()
    await dashboard.refused()
    await judge(page, 'relay-refused')
    await page.getByLabel('Server').fill(there.url)
    await page.getByLabel('User', { exact: true }).fill('ada@example.com')
    await page.locator('input[name=password]').fill('p@ss/word%')
    await page.getByLabel('Most mails a second').fill('20')
    await page.getByLabel('First day of its warm-up').fill('2026-01-14')
    await page.getByLabel('campaigns and the like').check()
    await page.getByLabel('mail that is asked for').check()
    await enter(page, 'Add it')
    await page.getByRole('heading', { name: 'Harbour', exact: true }).waitFor()
    const [, relay] = (await t.get('/v1/relays', 200)).data
    expect(relay).toMatchObject({ name: 'Harbour', state: 'off', mostPerSecond: 20, mostPerDay: null, weight: 1 })
    expect(relay.streams).toEqual(['transactional', 'marketing'])
    await page.getByLabel('To', { exact: true }).fill('test@example.net')
    await enter(page, 'Send it')
    await page.locator('.notice.good').getByText('It took the mail.').waitFor()
    expect(there.received.map(({ to }) => to)).toEqual([['test@example.net']])
    await enter(page, 'Let it carry mail')
    await page.getByText('active', { exact: true }).waitFor()
    await judge(page, 'relay')
    for (const n of [1, 2, 3, 4, 5, 6]) await t.mail({ email: `a${n}@domain${n}.example` })
    await t.settle()
    expect(here.count() + there.count()).toBe(7)
    expect(there.count()).toBeGreaterThan(1)
    await page.getByText('day 2 of its warm-up: at most 100 mails to each receiver today.').waitFor()
    await page.getByRole('cell', { name: '1 of 100' }).first().waitFor()
    await judge(page, 'relay-warm-up')
    await enter(page, 'Drain it')
    await page.getByText('draining', { exact: true }).waitFor()
    await page.getByLabel('Share (weight)').fill('0')
    await page.getByLabel('First day of its warm-up').fill('')
    await enter(page, 'Save')
    await page.getByText('a spare', { exact: true }).waitFor()
    await eventually(() => t.get(`/v1/relays/${relay.id}`, 200)).toMatchObject({ warmUpSince: null, weight: 0 })
    await eventually(async () => (await t.get(`/v1/relays/${relay.id}`, 200)).streams).toHaveLength(2)
    await page.getByRole('link', { name: 'All relays' }).press('Enter')
    await page.getByRole('row', { name: /draining Harbour/ }).waitFor()
    await judge(page, 'relays')
    await press(page, 'j j Enter')
    await enter(page, 'Remove')
    const dialog = page.getByRole('dialog', { name: 'Remove this relay?' })
    await dialog.getByLabel('Type “Harbour”').fill('Harbour')
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByRole('row', { name: /draining Harbour/ }).waitFor({ state: 'detached' })
    expect((await t.get('/v1/relays', 200)).data).toHaveLength(1)
  })

  test('one that refuses everything is said to, with what it answered and what to do', async () => {
    await using here = startSink()
    await using there = startSink({
      auth: true,
      answer: (at) => (at === 'auth' ? '535 5.7.8 wrong password' : undefined),
    })
    await using t = await testApp({
      environment: { SMTP_URL: here.url },
      mailer: smtpTransport({ url: here.url }),
      isNew: true,
    })
    await t.template()
    await t.post('/v1/relays', { name: 'Ebb', url: there.url.replace('://', '://ada:secret@') }, 201)
    for (const n of [1, 2, 3, 4]) await t.mail({ email: `a${n}@domain${n}.example` })
    await t.settle()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g y')
    await page.getByText('535 5.7.8 wrong password').waitFor()
    await page.getByText('Other relays that may carry its mail do so meanwhile.').waitFor()
    await judge(page, 'relays-fault')
    await page.getByRole('row', { name: /carries nothing Ebb/ }).waitFor()
    await page.getByRole('row').getByRole('link', { name: 'Ebb' }).press('Enter')
    await page.getByRole('heading', { name: 'Ebb' }).waitFor()
    await enter(page, 'Send it')
    await page.locator('.notice.bad').getByText('It refused the mail.').waitFor()
    await judge(page, 'relay-fault')
  })

  test('routes are written in order, with relays that share and spares, and a refusal stands at its field', async () => {
    await using here = startSink()
    await using t = await testApp({
      environment: { SMTP_URL: here.url },
      mailer: smtpTransport({ url: here.url }),
      isNew: true,
    })
    for (const name of ['Harbour', 'Spare']) await t.post('/v1/relays', { name, url: here.url }, 201)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g y')
    await page.getByRole('link', { name: 'Routes' }).press('Enter')
    await page.getByText('No route: all relays share all mail').waitFor()
    await enter(page, 'Add a route')
    const first = page.getByRole('group', { name: 'Route 1' })
    await first.getByLabel('replies of mailboxes').check()
    await first.getByRole('combobox', { name: 'Relay 1', exact: true }).selectOption('Spare')
    await enter(page, 'Add a route')
    const second = page.getByRole('group', { name: 'Route 2' })
    await second.getByLabel('From these domains').fill('acme.example, nonsense')
    await second.getByRole('combobox', { name: 'Relay 1', exact: true }).selectOption('Harbour')
    await second.getByRole('button', { name: 'Another relay' }).press('Enter')
    await second.getByRole('combobox', { name: 'Relay 2', exact: true }).selectOption('Spare')
    await enter(page, 'Save the routes')
    await page.locator('[name="routes[1].domains"]:focus[aria-invalid=true]').waitFor()
    await dashboard.refused()
    await judge(page, 'relay-routes-refused')
    await second.getByLabel('From these domains').fill('acme.example, News.acme.example')
    // Typed, each key where the one before it went.
    await second.getByLabel('To these receivers').pressSequentially('google mx.example.net')
    await enter(page, 'Earlier: Route 2')
    await first.getByRole('combobox', { name: 'Relay 2', exact: true }).waitFor()
    await enter(page, 'Earlier: relay 2 of Route 1')
    await first.getByLabel('Share of relay 2').fill('3')
    await enter(page, 'Save the routes')
    const { data } = await t.get('/v1/relays', 200)
    const [, harbour, spare] = data
    await eventually(async () => (await t.get('/v1/relay-routes', 200)).routes).toEqual([
      {
        streams: null,
        domains: ['acme.example', 'news.acme.example'],
        receivers: ['google', 'mx.example.net'],
        relays: [
          { relayId: spare.id, weight: 0 },
          { relayId: harbour.id, weight: 3 },
        ],
      },
      { streams: ['replies'], domains: null, receivers: null, relays: [{ relayId: spare.id, weight: 1 }] },
    ])
    await judge(page, 'relay-routes')
    // It is named by a route, so it stays.
    await page.goto(`${t.url}/dashboard/acme/relays/${harbour.id}`)
    await enter(page, 'Remove')
    const dialog = page.getByRole('dialog', { name: 'Remove this relay?' })
    await dialog.getByLabel('Type “Harbour”').fill('Harbour')
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByText('a route names this relay').waitFor()
  })

  test('stand beside receivers: how much each took, and what one said that asked for less, until it is tried again', async () => {
    const said = new Map([
      ['slow@gmail.com', '421 4.7.28 Gmail has detected an unusual rate of mail'],
      ['nobody@outlook.com', '550 5.5.0 mailbox unavailable'],
    ])
    const answer: SinkOptions['answer'] = (at, _, { to }) => (at === 'rcpt' ? said.get(to) : undefined)
    await using here = startSink({ answer })
    await using there = startSink({ answer })
    await using t = await testApp({
      environment: { SMTP_URL: here.url },
      mailer: smtpTransport({ url: here.url }),
      isNew: true,
    })
    await t.template()
    const { id } = await t.post('/v1/relays', { name: 'Harbour', url: there.url, streams: ['marketing'] }, 201)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g y')
    await page.getByRole('link', { name: 'Receivers' }).press('Enter')
    await page.getByText('No mail left in the last 24 hours.').waitFor()
    const domains = ['gmail.com', 'gmail.com', 'outlook.com', 'gmx.de', 'mail.example.net']
    for (const [n, domain] of domains.entries()) await t.mail({ email: `a${n}@${domain}` })
    for (const email of said.keys()) await t.mail({ email })
    await t.settle()
    await page.reload()
    const google = page.getByRole('row', { name: /^Google/ })
    await google.getByRole('link', { name: /2 taken 1 put off waits until|2 taken 1 put off slowed/ }).waitFor()
    await page.getByRole('row', { name: 'Microsoft 1 taken 1 refused no mail' }).waitFor()
    await page.getByRole('row', { name: 'GMX, WEB.DE 1 taken no mail' }).waitFor()
    await judge(page, 'receivers')
    await google.getByRole('link').press('Enter')
    await page.getByRole('heading', { name: 'Google through SMTP_URL' }).waitFor()
    const last = page.getByRole('row', { name: /put off 1 RCPT 421 4.7.28/ })
    await last.waitFor()
    await judge(page, 'receiver')
    await enter(page, 'Try now')
    await page.getByText('Mail goes there as fast as it comes.').waitFor()
    await last.waitFor()
    await page.goto(`${t.url}/dashboard/acme/relays/${id}/receivers/yahoo`)
    await page.getByText('Mail goes there as fast as it comes.').waitFor()
    await page.goto(`${t.url}/dashboard/acme/relays/rules`)
    await enter(page, 'Add a rule')
    const rule = page.getByRole('group', { name: 'Rule 1' })
    await rule.getByLabel('Answers of').fill('microsoft')
    await enter(page, 'Try them on the last 30 days')
    await page.getByText('must name `codes`, `enhanced` or `contains`').waitFor()
    await dashboard.refused()
    await rule.getByLabel('SMTP codes').fill('550, 5xx')
    await enter(page, 'Save the rules')
    await page.locator('[name="rules[0].codes"]:focus[aria-invalid=true]').waitFor()
    await dashboard.refused()
    await rule.getByLabel('SMTP codes').fill('550')
    await rule.getByLabel('Words in the answer').fill('mailbox unavailable\nno such user')
    await rule.getByLabel('Then').selectOption('wait')
    await rule.getByText('How much, and for how long').press('Enter')
    await rule.getByLabel('First wait, in seconds').fill('120')
    await enter(page, 'Try them on the last 30 days')
    const met = page.getByRole('table', { name: 'Rules with the answers of the last 30 days' })
    await met.getByRole('row', { name: /^yours Microsoft: .* 1 answer Microsoft 1 550 5.5.0/ }).waitFor()
    await met.getByRole('row', { name: /^built in Google: .* 1 answer Google 1 421 4.7.28/ }).waitFor()
    await judge(page, 'receiver-rules')
    await enter(page, 'Save the rules')
    await eventually(async () => (await t.get('/v1/receiver-rules', 200)).rules).toMatchObject([
      {
        receivers: ['microsoft'],
        codes: ['550'],
        contains: ['mailbox unavailable', 'no such user'],
        action: 'suspend',
        waitSeconds: 120,
      },
    ])
    // Drawn anew as it is stored.
    await rule.getByLabel('First wait, in seconds').waitFor({ state: 'hidden' })
    await rule.getByLabel('Then').selectOption('slow down')
    await rule.getByText('How much, and for how long').press('Enter')
    await rule.getByLabel('What is left, in %').fill('70')
    await enter(page, 'Save the rules')
    await eventually(async () => (await t.get('/v1/receiver-rules', 200)).rules).toMatchObject([
      { action: 'slow_down', by: 0.7, rampBy: 0.05 },
    ])
    // In German and on a telephone, too.
    await using narrow = await openDashboard(browser, t, { locale: 'de-DE' })
    const pages = ['', '/new', '/routes', '/receivers', '/rules', `/${id}`, '/smtp_url', '/smtp_url/receivers/google']
    for (const each of pages) {
      await narrow.page.goto(`${t.url}/dashboard/acme/relays${each}`)
      await narrow.page.locator('#content :is(table, form)').first().waitFor()
      await fit(narrow.page, each)
    }
  })

  test('a mail that waits says which way it takes, and leads to what was answered there', async () => {
    const answer: SinkOptions['answer'] = (at) => (at === 'rcpt' ? '451 4.7.1 try again later' : undefined)
    await using here = startSink({ answer })
    await using t = await testApp({
      environment: { SMTP_URL: here.url },
      mailer: smtpTransport({ url: here.url }),
      isNew: true,
    })
    await t.template()
    const { messageId } = await t.mail({ email: 'ada@gmail.com' })
    await t.settle()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/activity/${messageId}`)
    await page.getByText('The way it takes:').waitFor()
    await judge(page, 'mail-waits')
    await page.getByRole('link', { name: 'SMTP_URL → Google' }).press('Enter')
    await page.getByRole('row', { name: /put off 1 RCPT 451 4.7.1/ }).waitFor()
    const { sessionCookie } = await t.person('member', { email: 'mia@acme.test' })
    await using theirs = await openDashboard(browser, { ...t, sessionCookie })
    await theirs.page.goto(`${t.url}/dashboard/acme/activity/${messageId}`)
    await theirs.page.getByText('The way it takes: Google').waitFor()
  })

  test('those of a workspace are of its own relays; whoever runs another workspace, or is no owner, sees none of it', async () => {
    await using t = await testApp()
    const { workspace } = await t.stranger('elsewhere')
    await t.post('/v1/relays', { name: 'Theirs', url: 'smtp://127.0.0.1:25', workspaceId: workspace.id }, 201)
    const eve = await t.person('owner', { email: 'eve@else.test', workspace })
    const mia = await t.person('member', { email: 'mia@acme.test' })
    {
      await using dashboard = await openDashboard(browser, t)
      const { page } = dashboard
      await press(page, 'g y')
      await page.getByRole('cell', { name: `${workspace.id} alone` }).waitFor()
      await page.getByRole('link', { name: 'Routes' }).press('Enter')
      await page.getByText('There is no relay here to lead mail to.').waitFor()
      await page.getByRole('link', { name: workspace.id }).press('Enter')
      await enter(page, 'Add a route')
      await enter(page, 'Save the routes')
      await eventually(
        async () => (await t.get(`/v1/relay-routes?workspaceId=${workspace.id}`, 200)).routes,
      ).toHaveLength(1)
    }
    await using dashboard = await openDashboard(browser, { ...t, sessionCookie: mia.sessionCookie })
    await expectNoRelays(dashboard.page, `${t.url}/dashboard/acme`)
    const context = await browser.newContext()
    const [name = '', value = ''] = eve.sessionCookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    await expectNoRelays(await context.newPage(), `${t.url}/dashboard/elsewhere`)
    await context.close()
  })
})

async function expectNoRelays(page: Page, place: string): Promise<void> {
  await page.goto(`${place}/`)
  await page.getByRole('link', { name: 'Deliverability' }).waitFor()
  await eventually(() => page.getByRole('link', { name: 'Relays' }).count()).toBe(0)
  await page.goto(`${place}/relays`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
}
