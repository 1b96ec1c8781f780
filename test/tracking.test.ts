// Opens and clicks of campaigns: off unless a workspace wants them, counted once, programs apart from people, and no open redirector.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { trackingToken } from '../src/features/sending/tracking/links.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { drafted, sendCampaign } from './support/campaign.ts'
import { whereIs } from './support/where-is.ts'

const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const offer = 'https://shop.example/offer?a=1&b="2"'
const second = 'https://shop.example/more'
const content: object[] = [
  { type: 'button', text: 'Offer', href: offer },
  { type: 'link', text: 'Terms', href: 'https://shop.example/terms', notrack: true },
  { type: 'link', text: 'You', href: 'https://shop.example/?u={{contact.userId|x}}' },
  { type: 'link', text: 'Write', href: 'mailto:help@shop.example' },
]

interface Sent {
  id: string
  /** Paths of the picture and of the links that lead over us, by mail. */
  mails: { html: string; picture: string | null; links: string[] }[]
  messageIds: string[]
}

async function sendTo(t: TestApp, people: number, settings: object, tree = content): Promise<Sent> {
  await t.patch('/v1/campaign-settings', settings, 200, { as: 'session' })
  const { id } = await drafted(t, people, { content: tree })
  await sendCampaign(t, id)
  const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200)
  const messageIds = data.map((row: { messageId: string }) => row.messageId)
  const mails = await Promise.all(
    messageIds.map(async (messageId: string) => {
      const { html } = (await t.get(`/v1/activity/${messageId}`, 200)).captured as { html: string }
      const picture = new RegExp(`<img src="${t.url}(/t/o/[^"]+)" width="1"`).exec(html)?.[1] ?? null
      return {
        html,
        picture,
        links: [...html.matchAll(new RegExp(`href="${t.url}(/t/c/[^"]+)"`, 'g'))].map(([, to]) => to ?? ''),
      }
    }),
  )
  await t.advance('1m')
  return { id, mails, messageIds }
}

const visit = (t: TestApp, path: string, headers: Record<string, string> = person, method = 'GET') =>
  t.request(method, path, undefined, { as: 'nobody', headers })

async function statsOf(t: TestApp, id: string): Promise<Json> {
  const { opened, machineOpened, clicked, machineClicked } = (await t.get(`/v1/campaigns/${id}`, 200)).stats
  return { opened, machineOpened, clicked, machineClicked }
}

const on = { trackOpens: true, trackClicks: true }
const nothing = { opened: 0, machineOpened: 0, clicked: 0, machineClicked: 0 }

test('nothing is tracked unless the workspace says so', async () => {
  await using t = await testApp()
  const { id, mails, messageIds } = await sendTo(t, 1, {})
  expect(mails).toMatchObject([{ picture: null, links: [] }])
  await visit(t, `/t/o/${trackingToken(t.app, messageIds[0] ?? '')}`)
  expect(await statsOf(t, id)).toEqual(nothing)
  expect((await t.get(`/v1/campaigns/${id}/links`, 200)).data).toEqual([])
})

test('a picture and the links of a mail lead over us; those marked notrack, with variables, and to leave do not', async () => {
  await using t = await testApp()
  const { mails } = await sendTo(t, 2, on)
  for (const { html, picture, links } of mails) {
    expect(picture).not.toBeNull()
    // The button stands in the mail twice: once for Outlook.
    expect(new Set(links).size).toBe(1)
    for (const direct of ['https://shop.example/terms', 'https://shop.example/?u=x', 'mailto:help@', `${t.url}/u/`])
      expect(html).toContain(`href="${direct}`)
    expect(html).not.toContain('shop.example/offer')
  }
  expect(mails[0]?.picture).not.toBe(mails[1]?.picture)
})

describe('what comes back', () => {
  test('is counted once a mail, programs apart from people', async () => {
    await using t = await testApp()
    const { id, mails } = await sendTo(t, 2, on)
    const [one, other] = mails
    for (let i = 0; i < 3; i++) {
      const shown = await visit(t, one?.picture ?? '')
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/gif'])
      expect(shown.headers.get('cache-control')).toContain('no-store')
    }
    for (const agent of ['Mozilla/5.0', '', 'Barracuda Sentinel', 'python-requests/2'])
      await visit(t, other?.picture ?? '', { 'user-agent': agent })
    await visit(t, other?.picture ?? '', { ...person, 'sec-purpose': 'prefetch' })
    expect(await statsOf(t, id)).toEqual({ ...nothing, opened: 1, machineOpened: 1 })
    for (let i = 0; i < 2; i++) {
      const led = await visit(t, one?.links[0] ?? '')
      expect([led.status, led.headers.get('location')]).toEqual([302, offer])
      expect(led.headers.get('referrer-policy')).toBe('no-referrer')
    }
    await visit(t, one?.links[0] ?? '', { 'user-agent': 'Slackbot' })
    expect(await statsOf(t, id)).toEqual({ opened: 1, machineOpened: 1, clicked: 1, machineClicked: 1 })
    expect((await t.get(`/v1/campaigns/${id}/links`, 200)).data).toEqual([{ url: offer, clicks: 2, machineClicks: 1 }])
  })

  test('is counted by class of device, of people alone, and no name of a browser is kept', async () => {
    await using t = await testApp()
    const agents = [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/137.0 Mobile Safari/537.36',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
      'Some Reader/1.0',
      'Mozilla/5.0',
    ]
    const { id, mails } = await sendTo(t, agents.length, on)
    for (const [at, agent] of agents.entries())
      for (let twice = 0; twice < 2; twice++) await visit(t, mails[at]?.picture ?? '', { 'user-agent': agent })
    await visit(t, mails[0]?.links[0] ?? '', { 'user-agent': agents[0] ?? '' })
    const { devices, stats } = await t.get(`/v1/campaigns/${id}`, 200)
    expect(devices).toEqual({
      opened: { mobile: 2, desktop: 1, proxy: 2, unknown: 1 },
      clicked: { mobile: 1, desktop: 0, proxy: 0, unknown: 0 },
    })
    expect([stats.opened, stats.machineOpened, stats.clicked]).toEqual([6, 1, 1])
    for (const word of ['iPhone', 'Pixel 9', 'GoogleImageProxy', 'Some Reader'])
      expect(await whereIs(t, word)).toEqual([])
  })

  test('within two seconds of the hand-over it is the receiving server', async () => {
    await using t = await testApp()
    await t.patch('/v1/campaign-settings', on, 200, { as: 'session' })
    const { id } = await drafted(t, 1, { content })
    await sendCampaign(t, id)
    const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200)
    await visit(t, `/t/o/${trackingToken(t.app, data[0].messageId)}`)
    expect(await statsOf(t, id)).toEqual({ ...nothing, machineOpened: 1 })
  })

  test('counts from when the mail left, whatever was reported of it since', async () => {
    await using t = await testApp()
    const { id, mails, messageIds } = await sendTo(t, 1, on)
    const now = t.clock.now().getTime()
    await write(t.app, (tx) =>
      tx.db.run(sql`UPDATE messages SET updated_at = ${now} WHERE id = ${messageIds[0] ?? ''}`),
    )
    await visit(t, mails[0]?.picture ?? '')
    expect(await statsOf(t, id)).toEqual({ ...nothing, opened: 1 })
  })

  test('stands in the timeline of whoever did it, at its first time', async () => {
    await using t = await testApp()
    const { id, mails, messageIds } = await sendTo(t, 2, on)
    const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200)
    await visit(t, mails[0]?.picture ?? '')
    const openedAt = t.clock.now().toISOString()
    for (let i = 0; i < 2; i++) {
      await t.advance('1h')
      await visit(t, mails[0]?.picture ?? '')
      await visit(t, mails[0]?.links[0] ?? '')
    }
    const clickedAt = new Date(t.clock.now().getTime() - 3_600_000).toISOString()
    const timelineOf = async (n: number) =>
      (await t.get(`/v1/contacts/${data[n].contactId}/timeline`, 200)).data.filter(
        ({ type }: Json) => type !== 'consent',
      )
    const about = { messageId: messageIds[0], campaignId: id, name: 'July' }
    expect(await timelineOf(0)).toMatchObject([
      { type: 'click', at: clickedAt, click: about },
      { type: 'open', at: openedAt, open: about },
      { type: 'mail', openedAt, clickedAt },
    ])
    expect(await timelineOf(1)).toMatchObject([{ type: 'mail', openedAt: null, clickedAt: null }])
    const [first] = (await t.get(`/v1/contacts/${data[0].contactId}/timeline?perPage=1`, 200)).data
    expect(first.type).toBe('click')
  })

  test('is told to webhooks once: the first open of a mail, the first click of each of its links', async () => {
    await using t = await testApp()
    const { mails } = await sendTo(t, 1, on, [...content, { type: 'link', text: 'More', href: second }])
    await t.endpoint({ url: 'https://hooks.example.com/', status: 'disabled', eventFilters: ['email.*'] })
    await visit(t, mails[0]?.links[0] ?? '', { 'user-agent': 'Slackbot' })
    for (let i = 0; i < 5; i++) {
      await visit(t, mails[0]?.picture ?? '')
      for (const link of new Set(mails[0]?.links)) await visit(t, link)
    }
    const { data } = await t.get('/v1/event-feed', 200)
    expect(data.map(({ type }: Json) => type)).toEqual(['email.opened', 'email.clicked', 'email.clicked'])
    const clicked = data.slice(1).map(({ payload }: Json) => payload.data)
    expect(clicked.map(({ url }: Json) => url).sort()).toEqual([second, offer])
    expect(clicked[0]).toMatchObject({ sourceType: 'campaign' })
  })

  test('is not counted any more when tracking was switched off, or the person was erased; links go on to work', async () => {
    await using t = await testApp()
    const { id, mails } = await sendTo(t, 2, on)
    const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200)
    await visit(t, mails[0]?.picture ?? '')
    await t.delete(`/v1/contacts/${data[0].contactId}/data`, undefined, 200)
    await visit(t, mails[0]?.links[0] ?? '')
    await t.patch('/v1/campaign-settings', { trackOpens: false, trackClicks: false }, 200, { as: 'session' })
    expect((await visit(t, mails[1]?.links[0] ?? '')).headers.get('location')).toBe(offer)
    expect(await statsOf(t, id)).toEqual({ ...nothing, opened: 1 })
  })
})

test('a link that was made up or edited leads nowhere', async () => {
  await using t = await testApp()
  const { id, mails, messageIds } = await sendTo(t, 2, on)
  const [one = '', other = ''] = mails.map(({ links }) => links[0] ?? '')
  const [, , , token = ''] = one.split('/')
  const bad = [
    one.replace(/\d+$/, '7'),
    one.replace(/\d+$/, '-1'),
    one.replace(/\d+$/, encodeURIComponent('https://evil.example')),
    `/t/c/${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}/0`,
    `/t/c/${token.slice(0, 32)}${other.split('/')[3]?.slice(32)}/0`,
    `/t/c/${messageIds[0]}/0`,
    `/t/o/${token.slice(0, -1)}`,
  ]
  await t.unchanged(async () => {
    for (const path of bad) {
      const { status, headers } = await visit(t, path)
      expect([status, headers.get('location')], path).toEqual([404, null])
    }
  })
  expect(await statsOf(t, id)).toEqual(nothing)
})

test('pictures and links are limited per address, apart from the ways to leave', async () => {
  await using t = await testApp()
  const { id, mails } = await sendTo(t, 1, on)
  const link = mails[0]?.links[0] ?? ''
  const statuses = await Promise.all(Array.from({ length: 260 }, async () => (await visit(t, link)).status))
  expect(statuses.filter((status) => status === 302)).toHaveLength(200)
  expect(statuses.filter((status) => status === 429)).toHaveLength(60)
  const { headers, status } = await visit(t, mails[0]?.picture ?? '')
  expect([status, Number(headers.get('retry-after'))]).toEqual([429, 1])
  expect((await t.get(`/v1/campaigns/${id}/links`, 200)).data).toMatchObject([{ clicks: 200 }])
  const leave = /href="[^"]*(\/u\/[^"]+)"/.exec(mails[0]?.html ?? '')?.[1] ?? ''
  expect((await visit(t, leave)).status).toBe(200)
})
