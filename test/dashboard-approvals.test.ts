// What agents want to do outside, read by a person in a real browser: many at once with two keys, what has changed or gives reason to doubt,
// and calls of tools beside what is there now.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { trust } from './support/campaign.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const person = { as: 'session' } as const
const says = (text: string) => [{ type: 'text', text }]

describe.skipIf(!browserExpected || remoteDatabase)('approvals in the dashboard', () => {
  let browser: Browser
  let sink: Sink
  let t: TestApp
  beforeAll(async () => {
    browser = await openBrowser()
    sink = startSink()
    t = await testApp({ environment: { SMTP_URL: sink.url }, mailer: smtpTransport({ url: sink.url }) })
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  const article = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
  const tickOf = (page: Page, name: string) => article(page, name).getByRole('checkbox')

  /** A mail comes in, and the agent of the mailbox writes a draft that answers it. Returns the id of the draft. */
  async function drafted(
    mailbox: TestMailbox,
    given: Parameters<typeof rawMail>[0] & { answer: string },
  ): Promise<string> {
    const { answer, ...mail } = given
    const messageId = await mailbox.receive(rawMail({ to: mailbox.address, ...mail }))
    return await draftOf(mailbox, { messageId, text: answer })
  }

  async function draftOf(mailbox: TestMailbox, words: Record<string, unknown>): Promise<string> {
    await using agent = await mcpClient('2026-07-28 (stateless)', `${t.url}/mailbox/mcp`, mailbox.token)
    const { structuredContent } = await agent.callTool({ name: 'create_draft', arguments: words })
    return structuredContent.draftId
  }

  async function waiting(): Promise<string[]> {
    return (await t.get('/v1/approvals', 200, person)).data.map(({ subject }: Json) => subject)
  }

  test('ten drafts are read one below the other and leave with two keys, each as it was shown', async () => {
    const mailbox = await testMailbox(t)
    const names = Array.from({ length: 10 }, (_, number) => `guest-${number}`)
    for (const name of names)
      await drafted(mailbox, {
        from: `${name}@example.net`,
        subject: `From ${name}`,
        text: `Is there a room for ${name}?`,
        answer: `There is a room for ${name}.`,
      })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g v')
    await page.getByRole('link', { name: 'Re: From guest-9' }).waitFor()
    await judge(page, 'approvals-drafts')
    await press(page, 'b')
    await eventually(() => page.getByRole('article').count()).toBe(10)
    for (const name of names) {
      const one = article(page, `Re: From ${name}`)
      await one.locator('.leaving').getByText(`There is a room for ${name}.`).waitFor()
      await one.getByText(`${name}@example.net`).waitFor()
    }
    await article(page, 'Re: From guest-3').getByText('its agent wrote it as a draft').waitFor()
    await page.getByRole('button', { name: 'Approve 10' }).waitFor()
    // What it answers, of whom nothing is to be trusted, is there when it is asked for.
    await eventually(() => page.getByText('Is there a room for').count()).toBe(0)
    await article(page, 'Re: From guest-9').locator('summary').press('Enter')
    await page.getByText('Is there a room for guest-9?').waitFor()
    await page.getByText('From an untrusted sender').waitFor()
    await judge(page, 'approvals-read')
    await t.settle()
    expect(sink.received).toEqual([])
    await press(page, 'a')
    await page.getByRole('dialog').getByText('Approve what is ticked (10)').waitFor()
    await judge(page, 'approvals-ask')
    await press(page, 'Escape')

    await press(page, 'a Enter')
    await page.getByText('Nothing waits for you.').waitFor()
    await t.settle()
    expect(sink.received.map(({ to }) => to[0]).toSorted()).toEqual(names.map((name) => `${name}@example.net`))
    for (const { to, raw } of sink.received)
      expect(raw.toString()).toContain(`There is a room for ${to[0]?.split('@')[0]}.`)
    expect(await waiting()).toEqual([])
  })

  test('one that changed after it was read is shown again and stays, the others leave; one is refused, one is unticked, one is edited first', async () => {
    const mailbox = await testMailbox(t, { address: 'second@paquebot.localhost' })
    const ids = new Map<string, string>()
    for (const name of ['Left', 'Refused', 'Edited', 'Changed', 'Plain'])
      ids.set(name, await drafted(mailbox, { subject: name, answer: `${name}: the first words.` }))
    const at = (name: string) => `/v1/approvals/${ids.get(name)}`
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/approvals/read`)
    await page.getByRole('button', { name: 'Approve 5' }).waitFor()
    const came = sink.received.length
    const change = async (text: string) => {
      const { contentHash } = await t.get(at('Changed'), 200, person)
      await t.patch(at('Changed'), { contentHash, text }, 200, person)
    }
    await change('Changed: other words.')

    // Newest first: Plain, Changed, Edited, Refused, Left.
    await press(page, 'j j j k j j r')
    await eventually(() => page.getByRole('article').count()).toBe(4)
    expect((await t.get(at('Refused'), 200, person)).status).toBe('refused')
    const changed = article(page, 'Re: Changed')
    await changed.getByText('Changed after you had read it: nothing was sent.').waitFor()
    await changed.locator('.leaving').getByText('Changed: other words.').waitFor()
    await page.getByRole('button', { name: 'Approve 3' }).waitFor()

    const edited = article(page, 'Re: Edited')
    await edited.getByRole('link', { name: 'Re: Edited' }).focus()
    await press(page, 'e')
    await edited.getByLabel('The text').fill('Edited: by a person.')
    // Nothing leaves while words are being changed: neither by the button nor by the key.
    await eventually(() => page.getByRole('button', { name: /^Approve \d/ }).isDisabled()).toBe(true)
    await article(page, 'Re: Left').getByRole('link', { name: 'Re: Left' }).focus()
    await press(page, 'a')
    await eventually(() => page.getByRole('dialog').count()).toBe(0)
    await judge(page, 'approvals-edit')
    await edited.getByRole('button', { name: 'Save' }).press('Enter')
    await edited.locator('.leaving').getByText('Edited: by a person.').waitFor()
    await eventually(() => edited.getByRole('alert').count()).toBe(0)

    await tickOf(page, 'Re: Left').press('Space')
    await page.getByRole('button', { name: 'Approve 2' }).waitFor()
    await changed.getByRole('link', { name: 'Re: Changed' }).focus()
    await press(page, 'x')
    await page.getByRole('button', { name: 'Approve 3' }).waitFor()
    await change('Changed: once more.')
    await press(page, 'a Enter')
    await eventually(() => page.getByRole('article').count()).toBe(2)
    await changed.locator('.leaving').getByText('Changed: once more.').waitFor()
    await judge(page, 'approvals-changed')
    await page.getByRole('button', { name: 'Approve 0' }).waitFor()
    await t.settle()
    const sent = () => sink.received.slice(came).map(({ raw }) => /(\w+): (the|by|once|other) \w+/.exec(`${raw}`)?.[0])
    expect(sent().toSorted()).toEqual(['Edited: by a', 'Plain: the first'])
    await changed.getByRole('link', { name: 'Re: Changed' }).focus()
    await press(page, 'x a Enter')
    await eventually(() => page.getByRole('article').count()).toBe(1)
    await t.settle()
    expect(sent().toSorted()).toEqual(['Changed: once more', 'Edited: by a', 'Plain: the first'])
    expect(await waiting()).toEqual(['Re: Left'])
  })

  test('what gives reason to doubt is named, and begins without a tick', async () => {
    const mailbox = await testMailbox(t, { address: 'third@paquebot.localhost' })
    const answer = 'Of course.'
    await drafted(mailbox, { subject: 'Alike', from: 'Ada <ada@xn--pple-43d.example>', answer })
    await drafted(mailbox, { subject: 'Elsewhere', headers: ['Reply-To: other@example.net'], answer })
    await drafted(mailbox, { subject: 'Unseen', answer: 'Of\u200b course. \u2764\ufe0f' })
    await drafted(mailbox, { subject: 'Plainly', answer: 'Of course. \u2764\ufe0f' })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/approvals/read`)
    for (const [name, doubt] of [
      ['Re: Alike', 'it has letters of another alphabet'],
      ['Re: Elsewhere', 'names as its sender: ada@example.net'],
      ['Re: Unseen', 'It contains characters that nobody sees'],
    ] as const) {
      await article(page, name).getByText(doubt).waitFor()
      await eventually(() => tickOf(page, name).isChecked(), name).toBe(false)
    }
    await article(page, 'Re: Unseen').locator('mark').getByText('U+200B').waitFor()
    await eventually(() => tickOf(page, 'Re: Plainly').isChecked()).toBe(true)
    await eventually(() => article(page, 'Re: Plainly').locator('.notice').count()).toBe(0)
    await judge(page, 'approvals-doubts')
    await article(page, 'Re: Alike').getByRole('link', { name: 'Re: Alike' }).press('Enter')
    await page.getByRole('heading', { name: 'Re: Alike' }).waitFor()
    await page.locator('.notice').getByText('it has letters of another alphabet').waitFor()
    await judge(page, 'approval-doubt')
  })

  test('a call of a tool is shown with what it is called with beside what is there now, and is done or not', async () => {
    await trust(t, 'M1')
    await t.template({ id: 'welcome', name: 'Welcome', subject: 'Welcome', content: says('Warm words') })
    await t.template({ id: 'bye', name: 'Bye', subject: 'Bye', content: says('Farewell') })
    const { id: mailingListId } = await t.mailingList()
    const news = { name: 'July', subject: 'News', mailingListId, content: says('The news of July') }
    const { id: campaignId } = await t.post('/v1/campaigns', news, 201)
    const scopes = ['mcp', 'activity.read', 'transactional.write', 'campaigns.read', 'campaigns.send']
    const { apiKey } = await t.post('/v1/api-keys', { name: 'Helper', scopes, airlock: true }, 201, person)
    await using agent = await mcpClient('2026-07-28 (stateless)', `${t.url}/mcp`, apiKey)
    const call = async (name: string, given: Record<string, unknown>) =>
      (await agent.callTool({ name, arguments: given })).structuredContent
    await call('list_attention', {})
    const keys = (await t.get('/v1/api-keys', 200, person)).data
    const readBy = keys.filter(({ firstReadAt }: Json) => firstReadAt === t.clock.now().toISOString())
    expect(readBy.map(({ name }: Json) => name)).toEqual(['Helper'])
    const changed = await call('update_template', { id: 'welcome', subject: 'Hello', content: says('Cold words') })
    const deleted = await call('delete_template', { id: 'bye' })
    const sent = await call('send_campaign', { campaignId })
    expect([changed, deleted, sent].map(({ held }) => held)).toEqual([true, true, true])

    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g v')
    await page.getByRole('link', { name: 'Change a template that is in use: Welcome' }).press('Enter')
    await page.getByText('update_template').waitFor()
    await page.frameLocator('iframe >> nth=0').getByText('Warm words').waitFor()
    await page.frameLocator('iframe >> nth=1').getByText('Cold words').waitFor()
    await page.getByText('its agent has read what strangers wrote').waitFor()
    await judge(page, 'approval-action')
    await press(page, 'e')
    await eventually(() => page.getByRole('textbox').count()).toBe(0)
    await press(page, 'a')
    await page.locator('.notice').getByText('It was done, as you saw it.').waitFor()
    expect((await t.get('/v1/transactional/welcome', 200)).subject).toBe('Hello')

    await page.goto(`${t.url}/dashboard/acme/approvals/${deleted.approvalId}`)
    await page.frameLocator('iframe').getByText('Farewell').waitFor()
    await press(page, 'r')
    await page.locator('.notice').getByText('It will not be done.').waitFor()
    await t.get('/v1/transactional/bye', 200)

    await page.goto(`${t.url}/dashboard/acme/approvals/${sent.approvalId}`)
    await page.frameLocator('iframe').getByText('The news of July').waitFor()
    await page.getByRole('link', { name: 'Who gets it' }).waitFor()
    await judge(page, 'approval-send')
    // What its rules refuse waits on, and why stands there.
    await t.post(`/v1/campaigns/${campaignId}/cancel`, {}, 200, person)
    await press(page, 'a')
    await page.getByRole('alert').waitFor()
    await eventually(() => t.get(`/v1/approvals/${sent.approvalId}`, 200, person)).toMatchObject({ status: 'waiting' })
  })
})
