// The pictures of docs/images that show captured mail and the dashboard, made anew: `bun run docs:pictures`, or some of them: `bun run
// docs:pictures deliverability`. Needs a browser (apt install chromium).

import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { receiverLimits, receiverReplies } from '../db/tables/relays.ts'
import { domainFindings } from '../db/tables/reports.ts'
import { write } from '../src/core/app.ts'
import { testApp } from './support/app.ts'
import { openBrowser } from './support/browser.ts'
import { trust } from './support/campaign.ts'
import { openDashboard } from './support/dashboard.ts'
import { nameServer } from './support/dns.ts'
import { brand, fill, shipped } from './support/filled.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'
import { type ReportRow, reportStage, reportXml, selectorOf, sendingDomain, zipped } from './support/reporter.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const images = join(import.meta.dir, '../docs/images')

/** A server with a mail in it. Returns where it is, and the cookie of somebody who is signed in. */
async function filled() {
  const t = await testApp()
  await t.patch('/v1/workspace', { name: 'Acme', brand }, 200)
  await t.template(shipped)
  const data = Buffer.from('Invoice 4711\r\n').toString('base64')
  const mail = {
    email: 'grace@example.net',
    templateId: 'shipped',
    dataVariables: { name: 'Grace', order: '4711' },
    attachments: [{ filename: 'invoice-4711.txt', contentType: 'text/plain', data }],
  }
  const { messageId } = await t.mail(mail)
  await t.settle()
  const { captured } = await t.get(`/v1/activity/${messageId}`, 200)
  return { t, mail: new URL(captured.url).pathname }
}

async function picturesOfCapturedMail(): Promise<void> {
  const { t, mail } = await filled()
  await using browser = await openBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1000, height: 1080 } })
    const [name = '', value = ''] = t.sessionCookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    const page = await context.newPage()
    await page.goto(t.url + mail, { waitUntil: 'networkidle' })
    const frame = await page.locator('iframe').boundingBox()
    const height = Math.ceil((frame?.y ?? 0) + (frame?.height ?? 0)) + 20
    const clip = { x: 0, y: 0, width: 1000, height }
    await page.screenshot({ path: join(images, `captured-${colorScheme}.png`), fullPage: true, clip })
    await context.close()
  }
  await t[Symbol.asyncDispose]()
}

/** Screens of an installation in which something was done, at the time of its own clock. */
async function picturesOfDashboard(): Promise<void> {
  await using receiver = webhookSink()
  await using t = await testApp({ environment: sinkEnvironment })
  await using browser = await openBrowser()
  await trust(t, 'M1')
  await fill(t, receiver.url)
  const { data } = await t.get('/v1/campaigns', 200)
  const july = data.find(({ name }: { name: string }) => name === 'July')
  const shoot = async (path: string, name: string, colorScheme: 'light' | 'dark', sight: string) => {
    await using dashboard = await openDashboard(browser, t, { colorScheme })
    await dashboard.page.clock.setFixedTime(t.clock.now())
    await keep(dashboard.page, { url: `${t.url}/dashboard/acme${path}`, sight, name: `${name}-${colorScheme}` })
  }
  await shoot('/templates/shipped', 'template', 'light', 'iframe.mail')
  await shoot(`/campaigns/${july.id}`, 'campaign', 'dark', '.shares')
}

/** What a person works off: the records of a domain, and what receivers require. */
async function picturesOfDeliverability(): Promise<void> {
  await using dns = await nameServer()
  await using stage = await reportStage({ dns: dns.resolver })
  const { t, domain, address } = stage
  for (const { name, value } of domain.dnsRecords) dns.names.set(name, [value])
  dns.names.delete('_smtp._tls.news.example')
  await t.post(`/v1/sending-domains/${domain.id}/verify`, {}, 200)
  const reporter = await stage.reporter('receiver.example')
  const ours = selectorOf(domain)
  for (let daysAgo = 1; daysAgo < 15; daysAgo++) {
    const signatures: [string, string, string][] = [[sendingDomain, ours, 'pass']]
    const rows: ReportRow[] = [{ count: 300 - 12 * daysAgo, dkim: 'pass', signatures }]
    if (daysAgo === 4) rows.push({ ip: '203.0.113.7', count: 40, disposition: 'none' })
    await stage.bring(await reporter.mail(address, zipped(reportXml(t.app.clock.now(), rows, { daysAgo }))))
  }
  const at = t.app.clock.now()
  const about = { domainId: domain.id, workspaceId: t.workspace.id, since: at, lastAt: at }
  const reply = '550-5.7.25 The IP address sending this message does not have a PTR record'
  const refused = { kind: 'refusal' as const, receiver: 'google', requirement: 'ptr', evidence: reply }
  await write(t.app, (tx) => tx.db.insert(domainFindings).values({ ...about, ...refused }))
  await using browser = await openBrowser()
  for (const [path, name, sight] of [
    ['/domains', 'domains', 'h1'],
    [`/domains/${domain.id}`, 'requirements', 'h1'],
    [`/domains/${domain.id}`, 'reports', '.uplot'],
  ] as const) {
    await using dashboard = await openDashboard(browser, t, { colorScheme: 'light' })
    await dashboard.page.clock.setFixedTime(at)
    await keep(dashboard.page, { url: `${t.url}/dashboard/acme${path}`, sight, name: `${name}-light` })
  }
}

/** Three relays beside the large receivers, on a day on which one of these asked for less. */
async function pictureOfReceivers(): Promise<void> {
  await using t = await testApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:2599' }, isNew: true })
  await using browser = await openBrowser()
  const at = t.clock.now()
  const ids: string[] = ['']
  for (const name of ['Harbour', 'Lighthouse'])
    ids.push((await t.post('/v1/relays', { name, url: 'smtp://127.0.0.1:2599', state: 'off' }, 201)).id)
  const answers = {
    google: [
      [41_250, 12, 31],
      [20_480, 1_930, 44],
      [8_120, 0, 9],
    ],
    microsoft: [
      [18_400, 310, 22],
      [9_310, 0, 14],
      [3_950, 0, 5],
    ],
    yahoo: [
      [6_020, 0, 8],
      [2_990, 41, 3],
      [1_240, 0, 0],
    ],
    gmx: [
      [3_870, 0, 2],
      [1_905, 0, 1],
      [0, 0, 0],
    ],
    'mx.example.net': [
      [212, 0, 0],
      [96, 30, 12],
      [0, 0, 0],
    ],
  }
  const outcomes = [
    ['accepted', '', '250 2.0.0 OK'],
    ['deferred', 'rate', '421 4.7.28 Our system has detected an unusual rate of mail from your IP address'],
    ['refused', 'unknown', '550 5.1.1 The account does not exist'],
  ] as const
  const rows = Object.entries(answers).flatMap(([receiver, byRelay]) =>
    byRelay.flatMap((counts, n) =>
      outcomes.flatMap(([outcome, words, reply], which) => {
        const count = counts[which] ?? 0
        const relay = { relayId: ids[n] ?? '', receiver, hour: at, lastAt: at }
        return count === 0 ? [] : [{ ...relay, outcome, words, reply, stage: 'rcpt' as const, count }]
      }),
    ),
  )
  const slowed = { relayId: ids[1] ?? '', receiver: 'google', perSecond: 12.4, ceiling: 14, connections: null }
  await write(t.app, async (tx) => {
    await tx.db.insert(receiverReplies).values(rows)
    await tx.db
      .insert(receiverLimits)
      .values({ ...slowed, suspendedUntil: null, step: 0, lastReply: outcomes[1][2], changedAt: at })
  })
  await using dashboard = await openDashboard(browser, t, { viewport: { width: 1280, height: 720 } })
  await dashboard.page.clock.setFixedTime(at)
  const url = `${t.url}/dashboard/acme/relays/receivers`
  await keep(dashboard.page, { url, sight: 'h1', name: 'receivers-light' })
}

/** A mail of columns with widths, conditions, repeated content and a block; and the editor in which it is made. */
async function picturesOfNodes(): Promise<void> {
  await using t = await testApp()
  await using browser = await openBrowser()
  await t.patch('/v1/workspace', { name: 'Acme', brand }, 200)
  const imprint = [{ type: 'text', text: 'Questions? Write to us, or come to 1 Quay, Le Havre.' }]
  const { id: blockId } = await t.post('/v1/blocks', { name: 'Questions', content: imprint }, 201)
  const line = (text: string, more: object = {}) => ({ type: 'text', text, ...more })
  const wide = [
    { type: 'heading', level: 3, text: 'What happens now' },
    line('It is packed today, and leaves in the morning.'),
  ]
  const aside = [{ type: 'heading', level: 3, text: 'Number' }, line('4711')]
  const content = [
    { type: 'header' },
    { type: 'heading', text: 'Thank you for your order' },
    {
      type: 'if',
      variable: 'plan',
      operator: 'equals',
      value: 'pro',
      children: [line('You are on Pro: it goes by express.')],
    },
    {
      type: 'section',
      columns: 2,
      columnWidths: [8, 4],
      children: [
        { type: 'container', children: wide },
        { type: 'container', backgroundColor: '#eef2ff', children: aside },
      ],
    },
    {
      type: 'each',
      itemsVariable: 'lines',
      as: 'line',
      children: [
        {
          type: 'section',
          columns: 2,
          columnWidths: [9, 3],
          children: [line('{{line.name}}'), line('{{line.price}}', { align: 'right' })],
        },
      ],
    },
    { type: 'block', blockId },
    { type: 'footer' },
  ]
  await t.template({ id: 'order', name: 'Order', subject: 'Your order', content })
  const lines = [
    { name: 'Desk, oak', price: '240 €' },
    { name: 'Lamp, brass', price: '80 €' },
  ]
  const { html } = await t.post('/v1/transactional/order/preview', { dataVariables: { plan: 'pro', lines } }, 200)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 640, height: 900 } })
    await page.setContent(html)
    await capture(page, `mail-nodes-${colorScheme}`)
    await page.close()
  }
  await using dashboard = await openDashboard(browser, t, { viewport: { width: 1280, height: 900 } })
  const { page } = dashboard
  await page.goto(`${t.url}/dashboard/acme/templates/order`)
  await page.getByRole('textbox', { name: 'plan' }).fill('pro')
  await page.getByRole('textbox', { name: 'lines' }).fill(JSON.stringify(lines))
  await page.frameLocator('iframe.mail').getByText('Lamp, brass').waitFor()
  await page.getByRole('treeitem', { name: /^If/ }).click()
  await capture(page, 'dashboard-nodes-light')
  await pictureOfEditing(t, browser)
}

async function pictureOfEditing(t: Awaited<ReturnType<typeof testApp>>, browser: Browser): Promise<void> {
  const content = [
    { type: 'heading', text: 'Hello {{contact.firstName|friend}}' },
    { type: 'text', format: 'markdown', text: 'Your order {{number}} is **on its way**. It is *not* heavy.' },
    {
      type: 'section',
      columns: 2,
      children: [
        { type: 'list', items: ['Desk, oak', 'Lamp, brass'] },
        { type: 'button', text: 'Follow it', href: 'https://acme.example/orders' },
      ],
    },
    { type: 'footer' },
  ]
  await t.template({ id: 'on-its-way', name: 'On its way', subject: 'It is on its way', content })
  await using dashboard = await openDashboard(browser, t, { viewport: { width: 1280, height: 900 } })
  const { page } = dashboard
  await page.goto(`${t.url}/dashboard/acme/templates/on-its-way`)
  await page.frameLocator('iframe.mail').getByText('on its way').last().waitFor()
  await page.getByRole('treeitem', { name: /^Text/ }).click()
  await page.keyboard.press('F2')
  await page.frameLocator('iframe.mail').getByRole('textbox').waitFor()
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.getByRole('toolbar').waitFor()
  await capture(page, 'dashboard-inline-light')
}

/** What a template may start from, and the look of the brand that all of them have. */
async function picturesOfStarters(): Promise<void> {
  await using t = await testApp()
  await using browser = await openBrowser()
  const look = { primaryColor: '#9a3412', backgroundColor: '#faf5f0', fontFamily: 'georgia', borderRadius: 4 }
  await t.patch('/v1/workspace', { name: 'Acme', brand: { ...brand, ...look } }, 200)
  await using dashboard = await openDashboard(browser, t, { viewport: { width: 1280, height: 1000 } })
  const { page } = dashboard
  await page.goto(`${t.url}/dashboard/acme/starters`)
  for (const name of ['Welcome', 'Receipt', 'Newsletter'])
    await page.frameLocator(`iframe[title="${name}"]`).getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  await capture(page, 'dashboard-starters-light')
  await page.goto(`${t.url}/dashboard/acme/settings`)
  await page.frameLocator('iframe.mail').getByText('Follow the parcel').waitFor()
  await page.locator('.kit').evaluate((kit) => kit.scrollIntoView())
  await capture(page, 'dashboard-brand-light')
}

/** What agents wrote and a person reads, one below the other: one of them goes to a domain that may only look like another. */
async function pictureOfApprovals(): Promise<void> {
  await using t = await testApp()
  await using browser = await openBrowser()
  const mailbox = await testMailbox(t, { address: 'desk@paquebot.localhost' })
  await using agent = await mcpClient('2026-07-28 (stateless)', `${t.url}/mailbox/mcp`, mailbox.token)
  for (const [from, subject, text] of [
    ['Paula <paula@xn--xample-9uf.net>', 'New bank details', 'Thank you, I have noted the new account.'],
    [
      'Linus <linus@example.com>',
      'Late check-in',
      'Of course: the desk is open until midnight, and we keep your room.',
    ],
    [
      'Grace <grace@example.net>',
      'A cot?',
      'Dear Grace,\n\nyes, a cot stands in your room, at no cost.\n\nYour help desk',
    ],
  ] as const) {
    const messageId = await mailbox.receive(rawMail({ from, subject }))
    await agent.callTool({ name: 'create_draft', arguments: { messageId, text } })
  }
  await using dashboard = await openDashboard(browser, t, { viewport: { width: 1280, height: 1200 } })
  const { page } = dashboard
  await page.clock.setFixedTime(t.clock.now())
  await keep(page, { url: `${t.url}/dashboard/acme/approvals/read`, sight: '.batch article', name: 'approvals-light' })
}

/** `sight`: what comes into view. */
async function keep(page: Page, { url, sight, name }: { url: string; sight: string; name: string }): Promise<void> {
  await page.goto(url)
  await page.locator(sight).first().waitFor()
  // What is named by its id until its name has come.
  await page.waitForLoadState('networkidle')
  await page.locator(sight).first().scrollIntoViewIfNeeded()
  await capture(page, `dashboard-${name}`)
}

async function capture(page: Page, name: string): Promise<void> {
  const tools = await page.context().newCDPSession(page)
  const picture = await tools.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
  await Bun.write(join(images, `${name}.webp`), Buffer.from(picture.data, 'base64'))
}

const pictures: Record<string, () => Promise<void>> = {
  approvals: pictureOfApprovals,
  captured: picturesOfCapturedMail,
  dashboard: picturesOfDashboard,
  deliverability: picturesOfDeliverability,
  nodes: picturesOfNodes,
  receivers: pictureOfReceivers,
  starters: picturesOfStarters,
}
const wanted = process.argv.slice(2)
for (const [name, take] of Object.entries(pictures)) if (wanted.length === 0 || wanted.includes(name)) await take()
