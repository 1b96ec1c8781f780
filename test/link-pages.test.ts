// What answers at a link domain: the public pages of its workspace, and nothing else, however somebody asks.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { linkPages } from '../src/doors/link-pages.ts'
import { declaredRoutes } from '../src/doors/server.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import type { Json, TestApp } from './support/app.ts'
import { listOf, trust } from './support/campaign.ts'
import {
  claim,
  house,
  inPerson,
  links,
  proved,
  publishLink,
  stage,
  unfolded,
  type Visited,
  verify,
  visit,
} from './support/link-domain.ts'
import { png } from './support/picture.ts'
import { onTheWire } from './support/wire.ts'

const rivals = 'links.initech.example'
const routes = declaredRoutes() as { method: string; path: string }[]
/** Of every kind of page the path of one that exists, with its method. */
type Pages = [kind: string, path: string][]

async function pagesOf(t: TestApp, workspaceId: string, as: Json): Promise<Pages> {
  const upload = { headers: { 'content-type': 'application/octet-stream' }, ...as }
  const picture = await t.request('POST', '/v1/media', new Uint8Array(png({ width: 9, height: 9 })), upload)
  await write(t.app, (tx) => changeSettings(tx, workspaceId, { trackOpens: true, trackClicks: true }))
  const { list } = await listOf(t, 1, { workspaceId, domain: `${workspaceId.slice(-8)}.example` })
  await t.patch(`/v1/mailing-lists/${list.id}`, { hasPublicArchive: true, optIn: 'double' }, 200, as)
  const { id: sourceId } = await t.post(
    '/v1/subscription-sources/create',
    { name: 'Page', mailingListIds: [list.id], allowedOrigins: ['https://www.example.com'] },
    201,
    as,
  )
  const text = '[See]({{view_in_browser_url}}) [Leave]({{unsubscribe_url}}) [Choose]({{preferences_url}})'
  const body = {
    name: 'July',
    subject: 'News',
    mailingListId: list.id,
    content: [
      { type: 'text', text },
      { type: 'button', label: 'Shop', href: 'https://shop.example.com/' },
    ],
  }
  const { id } = await t.post('/v1/campaigns', body, 201, as)
  await t.post(`/v1/campaigns/${id}/send`, {}, 200, as)
  await t.settle()
  const campaign = unfolded((await t.sent()).at(-1)?.raw ?? '')
  await t.post(
    '/v1/contact-subscriptions/opt-in',
    { email: `ada@${workspaceId.slice(-8)}.example`, sourceId, mailingListIds: [list.id] },
    202,
    as,
  )
  await t.settle()
  const confirmation = unfolded((await t.sent()).at(-1)?.raw ?? '')
  const inMail = (raw: string, start: string) => {
    const [found] = new RegExp(`${start}[\\w./-]+`).exec(raw) ?? []
    if (found === undefined) throw new Error(`no ${start} in the mail`)
    return found
  }
  return [
    ...['/u/', '/preferences/', '/view/', '/t/o/', '/t/c/'].map((start): [string, string] => [
      start,
      inMail(campaign, start),
    ]),
    ['/confirm/', inMail(confirmation, '/confirm/')],
    ['/media/', new URL(picture.body.url).pathname],
    ['/archive/', `/archive/${list.id}`],
    ['/archive/', `/archive/${list.id}/feed.xml`],
    ['/archive/', `/archive/${list.id}/${id}`],
    ['/f/', `/f/${sourceId}`],
  ]
}

async function twoTenants() {
  const s = await stage()
  const { t } = s
  const { apiKey, workspace } = await t.stranger()
  const other = { as: { apiKey } }
  for (const one of [t.workspace, workspace]) await trust(t, 'M1', one)
  await proved(s)
  await proved(s, rivals, other)
  return { s, t, mine: await pagesOf(t, t.workspace.id, {}), theirs: await pagesOf(t, workspace.id, other) }
}

/** What somebody could tell two answers by. */
const seen = ({ status, text, headers }: Visited) => {
  const shown = Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'))
  return { status, text, shown }
}

test('each page of the workspace answers, with the headers of BASE_URL and without a cookie', async () => {
  const { s, t, mine } = await twoTenants()
  await using _ = s
  expect(new Set(mine.map(([kind]) => kind))).toEqual(new Set(Object.keys(linkPages)))
  for (const [, path] of mine) {
    const [there, here] = [await visit(t, links, path), await visit(t, house, path)]
    expect([200, 302], path).toContain(there.status)
    expect(there.headers.get('set-cookie'), path).toBeNull()
    const named = (reply: Visited) => Object.keys(seen(reply).shown).sort()
    expect(named(there), path).toEqual(named(here))
    for (const name of [
      'content-security-policy',
      'strict-transport-security',
      'x-content-type-options',
      'cache-control',
    ])
      expect(there.headers.get(name), `${path} ${name}`).toBe(here.headers.get(name))
    expect(there.text, path).not.toContain(house)
  }
})

test('a page of another workspace is as one that does not exist, on both', async () => {
  const { s, t, mine, theirs } = await twoTenants()
  await using _ = s
  const unknown = seen(await visit(t, links, '/u/invented'))
  expect([unknown.status, unknown.text.includes('This link does not work')]).toEqual([404, true])
  expect(unknown.text).not.toContain(house)
  await t.unchanged(async () => {
    for (const [, path] of theirs) expect(seen(await visit(t, links, path)), path).toEqual(unknown)
    for (const [, path] of mine) expect(seen(await visit(t, rivals, path)), path).toEqual(unknown)
    for (const [, path] of theirs)
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const reply = await visit(t, links, path, {
          method,
          ...(method === 'POST'
            ? { body: 'from=all', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
            : {}),
        })
        expect(reply.status, `${method} ${path}`).toBe(404)
      }
  })
})

test('unsubscribing, confirming and signing up work there', async () => {
  const { s, t, mine } = await twoTenants()
  await using _ = s
  const pathOf = (start: string) => mine.find(([kind]) => kind === start)?.[1] ?? ''
  const send = (path: string, fields: Record<string, string>, origin = `https://${links}`) =>
    visit(t, links, path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    })
  expect((await send(pathOf('/u/'), { 'List-Unsubscribe': 'One-Click' })).text).toContain('Acme')
  expect((await send(pathOf('/confirm/'), { answer: 'confirm' })).status).toBe(200)
  const shown = await visit(t, links, pathOf('/f/'))
  expect(shown.text).toContain(`action="https://${links}${pathOf('/f/')}"`)
  const seenAt = /name="seen" value="([^"]+)"/.exec(shown.text)?.[1] ?? ''
  t.clock.advance(60_000)
  const wish = { email: 'grace@example.net', seen: seenAt }
  expect((await send(pathOf('/f/'), wish)).status).toBe(200)
  expect((await send(pathOf('/f/'), wish, `https://${rivals}`)).status).toBe(404)
})

test('no other route of the product answers', async () => {
  const s = await stage()
  await using _ = s
  const { t } = s
  await proved(s)
  const unknown = seen(await visit(t, links, '/u/invented'))
  const credentials = { authorization: `Bearer ${t.apiKey}`, cookie: t.sessionCookie, origin: `https://${links}` }
  expect(routes.length).toBeGreaterThan(300)
  await t.unchanged(async () => {
    for (const { method, path } of routes) {
      t.clock.advance(100)
      const asked = path.replaceAll(/:\w+|\*/g, 'x')
      const isBodiless = ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)
      const reply = await visit(t, links, asked, {
        method,
        headers: credentials,
        ...(isBodiless ? {} : { body: '{}' }),
      })
      expect({ ...seen(reply), route: `${method} ${path}` }).toEqual({ ...unknown, route: `${method} ${path}` })
    }
  })
})

describe('however the host is written', () => {
  const ask = async (t: TestApp, head: string) => {
    const answer = await onTheWire(t, [`${head}\r\nAuthorization: Bearer ${t.apiKey}\r\nConnection: close\r\n\r\n`])
    return Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
  }
  test.each([
    ['in capitals', 'GET /v1/workspace HTTP/1.1\r\nHost: LINKS.Globex.EXAMPLE', 404],
    ['with a port', `GET /v1/workspace HTTP/1.1\r\nHost: ${links}:8443`, 404],
    ['with the port of the scheme', `GET /v1/workspace HTTP/1.1\r\nHost: ${links}:80`, 404],
    ['with an empty port', `GET /v1/workspace HTTP/1.1\r\nHost: ${links}:`, 400],
    ['with a final dot', `GET /v1/workspace HTTP/1.1\r\nHost: ${links}.`, 404],
    ['with two, and a port', `GET /v1/workspace HTTP/1.1\r\nHost: ${links}..:443`, 404],
    [
      'beside another in X-Forwarded-Host',
      `GET /v1/workspace HTTP/1.1\r\nHost: ${links}\r\nX-Forwarded-Host: ${house}`,
      404,
    ],
    ['beside another in Forwarded', `GET /v1/workspace HTTP/1.1\r\nHost: ${links}\r\nForwarded: host=${house}`, 404],
    [
      'in X-Forwarded-Host only, which names no host here',
      `GET /v1/workspace HTTP/1.1\r\nHost: ${house}\r\nX-Forwarded-Host: ${links}`,
      200,
    ],
    ['with a target that names another', `GET http://${house}/v1/workspace HTTP/1.1\r\nHost: ${links}`, 404],
    ['twice', `GET /v1/workspace HTTP/1.1\r\nHost: ${links}\r\nHost: ${house}`, 400],
    ['twice, the other way round', `GET /v1/workspace HTTP/1.1\r\nHost: ${house}\r\nHost: ${links}`, 400],
    ['as a list', `GET /v1/workspace HTTP/1.1\r\nHost: ${house}, ${links}`, 400],
    ['behind a name', `GET /v1/workspace HTTP/1.1\r\nHost: ${house}@${links}`, 400],
    ['with the path of the alias', `GET /api/v1/workspace HTTP/1.1\r\nHost: ${links}`, 404],
    ['with a path that climbs', `GET /u/../v1/workspace HTTP/1.1\r\nHost: ${links}`, 404],
    ['with a path that climbs, encoded', `GET /u/%2e%2e/v1/workspace HTTP/1.1\r\nHost: ${links}`, 404],
    ['with two slashes', `GET //v1/workspace HTTP/1.1\r\nHost: ${links}`, 404],
    ['not at all', 'GET /v1/workspace HTTP/1.0', 400],
  ])('%s', async (_, head, status) => {
    await using s = await stage()
    await proved(s)
    expect(await ask(s.t, head)).toBe(status)
  })

  test('in another script, it is the name that the DNS has', async () => {
    await using s = await stage()
    const { t } = s
    await proved(s, 'links.bücher.example')
    expect(await ask(t, 'GET /v1/workspace HTTP/1.1\r\nHost: links.xn--bcher-kva.example')).toBe(404)
    expect(await ask(t, 'GET /v1/workspace HTTP/1.1\r\nHost: links.bücher.example')).toBe(400)
    expect(await ask(t, 'GET /v1/workspace HTTP/1.1\r\nHost: links.bucher.example')).toBe(200)
  })
})

test('a domain that nobody has proved is a name like any other', async () => {
  await using s = await stage()
  const { t } = s
  publishLink(s, await claim(t, links))
  expect((await visit(t, links, '/healthz')).status).toBe(200)
  await verify(t)
  expect((await visit(t, links, '/healthz')).status).toBe(404)
  await claim(t, null, inPerson)
  // Its pages go on answering for the mails that were sent, and the rest does not come back.
  expect((await visit(t, links, '/healthz')).status).toBe(404)
})

test('what is not there is limited by network, and says nothing of the installation', async () => {
  await using s = await stage()
  const { t } = s
  await proved(s)
  const statuses: number[] = []
  let last: Visited | null = null
  for (let n = 0; n < 1_100 && last?.status !== 429; n++) {
    last = await visit(t, links, '/v1/contacts')
    statuses.push(last.status)
  }
  expect(new Set(statuses)).toEqual(new Set([404, 429]))
  expect(last?.headers.get('retry-after')).toBe('1')
  expect(last?.text).toBe('')
})
