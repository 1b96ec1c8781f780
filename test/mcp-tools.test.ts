// Every tool, whatever is added: the scope it needs, the schema that strict clients take, and what its hints promise.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from '../src/core/app.ts'
import { mailboxSurface } from '../src/doors/mcp/surfaces.ts'
import type { Tool } from '../src/doors/mcp/tool.ts'
import { declaredRoutes } from '../src/doors/server.ts'
import { visible } from '../src/kit/visible.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { scopes } from '../src/people/access/scopes.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { mcpClient, workspaceSurface } from './support/mcp.ts'

const modern = '2026-07-28 (stateless)'

let t: TestApp
let mailbox: TestMailbox

beforeAll(async () => {
  t = await testApp()
  mailbox = await testMailbox(t)
})
afterAll(() => t[Symbol.asyncDispose]())

const content = [{ type: 'text', text: 'Hello' }]

interface Call {
  method: string
  path: string
  body?: unknown
  args: Record<string, unknown>
}

/** What each tool that is written by hand stands for over REST, and arguments of both. */
const byHand: Record<string, Call> = {
  list_mailboxes: { method: 'GET', path: '/v1/mailboxes', args: {} },
  create_template: { method: 'POST', path: '/v1/transactional/create', body: {}, args: { name: 'A', subject: 'B' } },
  import_template: {
    method: 'POST',
    path: '/v1/transactional/create',
    body: {},
    args: { name: 'A', subject: 'B', kind: 'html', source: '<p>Hello</p>' },
  },
  update_template: { method: 'PUT', path: '/v1/transactional/update', body: {}, args: { id: 'none' } },
  delete_template: { method: 'POST', path: '/v1/transactional/delete', body: {}, args: { id: 'none' } },
  create_campaign: {
    method: 'POST',
    path: '/v1/campaigns',
    body: {},
    args: { name: 'A', subject: 'B', mailingListId: 'none', content },
  },
  send_campaign: { method: 'POST', path: '/v1/campaigns/none/send', body: {}, args: { campaignId: 'none' } },
  list_campaigns: { method: 'GET', path: '/v1/campaigns', args: {} },
  get_campaign: { method: 'GET', path: '/v1/campaigns/none', args: { campaignId: 'none' } },
  // It writes what create_campaign stores.
  generate_campaign: { method: 'POST', path: '/v1/campaigns', body: {}, args: { prompt: 'Hello' } },
  use_template_starter: {
    method: 'POST',
    path: '/v1/template-starters/none/use',
    body: {},
    args: { starterId: 'none' },
  },
  upload_media: { method: 'POST', path: '/v1/media', body: {}, args: { name: 'A', alt: 'A', data: 'AAAA' } },
  get_sequence: { method: 'GET', path: '/v1/sequences/none', args: { sequenceId: 'none' } },
  get_recurring_campaign: {
    method: 'GET',
    path: '/v1/recurring-campaigns/none',
    args: { recurringCampaignId: 'none' },
  },
  draft_recurring_campaign: {
    method: 'POST',
    path: '/v1/recurring-campaigns',
    body: {},
    args: { name: 'R', subject: 'S', mailingListId: 'none', schedule: { every: 'day', at: '09:00' }, content },
  },
  draft_sequence: { method: 'POST', path: '/v1/sequences', body: {}, args: { name: 'S', definition: {} } },
}

/** What a declared tool needs besides the ids of its path. */
const needed: Record<string, Record<string, unknown>> = {
  explain_message: { messageId: 'none' },
  preview_segment: { filter: { field: 'email', op: 'exists' } },
  create_segment: { name: 'S', filter: { field: 'email', op: 'exists' } },
  rehearse_sequence: { emails: ['ada@example.net'] },
}

/** Of one that is an operation that is its route. */
function standsFor(name: string): Call {
  const written = byHand[name]
  if (written) return written
  const route = (declaredRoutes() as Json[]).find(({ hooks }) => hooks?.detail?.tool?.name === name)
  if (!route) throw new Error(`${name} stands for no route`)
  const ids: [string, string][] = [...route.path.matchAll(/:(\w+)/g)].map(([, id = '']) => [id, 'none'])
  const rest = needed[name] ?? {}
  const path: string = route.path.replaceAll(/:\w+/g, 'none')
  const args = { ...Object.fromEntries(ids), ...rest }
  if (route.hooks.body) return { method: route.method, path, body: rest, args }
  return { method: route.method, path: `${path}?${new URLSearchParams(rest as Record<string, string>)}`, args }
}

async function keyWith(granted: string[]): Promise<string> {
  return (await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: granted }))).apiKey
}

async function called(token: string, name: string, args: Record<string, unknown>, path = '/mcp'): Promise<Json> {
  await using client = await mcpClient(modern, t.url + path, token)
  const { isError, content: told } = await client.callTool({ name, arguments: args })
  return isError ? JSON.parse(told[0].text) : { code: 'ok' }
}

describe('a tool needs the scope of the route it stands for, beside mcp', () => {
  test.each(workspaceSurface.tools.map((tool) => [tool.name, tool] as const))('%s', async (name, { scope }) => {
    const { method, path, body, args } = standsFor(name)
    if (scope === null) throw new Error('a tool of the workspace stands for a route')
    const others = scopes.filter((one) => one !== 'full' && one !== scope)
    const [without, only] = [await keyWith([...others]), await keyWith(['mcp', scope])]
    const refused = await t.request(method, path, body, { as: { apiKey: without } })
    expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
    expect(await called(without, name, args)).toMatchObject({
      code: 'insufficient_scope',
      message: `This needs an API key with the scope ${scope}.`,
    })
    const allowed = await t.request(method, path, body, { as: { apiKey: only } })
    expect(allowed.status).not.toBe(403)
    expect((await called(only, name, args)).code).not.toBe('insufficient_scope')
  })

  test.each(workspaceSurface.tools.map(({ name }) => name))(
    '%s goes as far as the role of whoever made the key',
    async (name) => {
      const { method, path, body, args } = standsFor(name)
      const grantor = { userId: null, role: 'viewer' } as const
      const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { grantor }))
      const route = await t.request(method, path, body, { as: { apiKey } })
      const isRefused = route.body.code === 'insufficient_role'
      expect((await called(apiKey, name, args)).code === 'insufficient_role').toBe(isRefused)
    },
  )

  test('and so does the report of a campaign', async () => {
    await using client = await mcpClient(modern, `${t.url}/mcp`, await keyWith(['mcp']))
    const failure = await client.readResource({ uri: 'paquebot://campaigns/none' }).then(
      () => null,
      (error) => error,
    )
    expect(failure.message).toContain('This needs an API key with the scope campaigns.read.')
  })

  test.each(mailboxSurface.tools.map((tool) => [tool.name, tool.scope] as const))(
    'of a mailbox: %s',
    async (name, scope) => {
      const other = await testMailbox(t, {
        address: `${name.replaceAll('_', '-')}@paquebot.localhost`,
        scopes: [scope === 'read' ? 'reply' : 'read'],
      })
      const args = name === 'reply_to_email' ? { messageId: 'none', text: 'x' } : {}
      expect((await called(other.token, name, args, '/mailbox/mcp')).code).toBe(
        scope === null ? 'ok' : 'insufficient_scope',
      )
    },
  )
})

describe('docs/mcp.md says', () => {
  const documentPath = join(import.meta.dir, '../docs/mcp.md')
  const document = readFileSync(documentPath, 'utf8')

  const rowOf = ({ name, title, scope, touches: { reads, acts } }: Tool<never>) =>
    `| \`${name}\` | ${title} | ${scope === null ? '' : `\`${scope}\``} | ${acts} | ${reads === 'untrusted' ? 'yes' : ''} |`
  const head = '| Tool | | Scope | Changes | Words of strangers |\n|---|---|---|---|---|'

  test.each([
    ['/mcp', workspaceSurface.tools],
    ['/mailbox/mcp', mailboxSurface.tools],
  ] as const)('which tools there are at %s (UPDATE_DOCS=1 writes them)', (path, tools) => {
    const [begin, end] = [`<!-- tools ${path} -->\n`, '\n<!-- end of tools -->']
    const place = document.indexOf(begin) + begin.length
    expect(place).toBeGreaterThan(begin.length)
    const table = [head, ...tools.map(rowOf)].join('\n')
    const written = document.slice(place, document.indexOf(end, place))
    if (process.env['UPDATE_DOCS']) {
      const now = readFileSync(documentPath, 'utf8')
      writeFileSync(documentPath, now.replace(`${begin}${written}${end}`, `${begin}${table}${end}`))
    } else expect(written).toBe(table)
  })

  test('what of a mailbox an agent of the workspace is told', async () => {
    const [, said = ''] = /`list_mailboxes` is an inventory: (.*?`), whether/.exec(document) ?? []
    const words = said.replaceAll('`', '').replace('when it was made', 'createdAt')
    await using client = await mcpClient(modern, `${t.url}/mcp`, await keyWith(['mcp', 'mailboxes.read']))
    const { structuredContent } = await client.callTool({ name: 'list_mailboxes', arguments: {} })
    const [told] = (structuredContent as Json).mailboxes
    expect(Object.keys(told).sort()).toEqual(words.split(/, (?:and )?/).sort())
  })
})

test('a mail is marked as read by a person, and by its answer', async () => {
  const id = await mailbox.receive(rawMail())
  const path = `/v1/mailboxes/${mailbox.id}/messages/${id}`
  expect((await t.get(path, 200, session)).readAt).toBeNull()
  expect((await t.patch(path, { read: true }, 200, session)).readAt).toBe(t.clock.now().toISOString())
  expect((await t.get(path, 200, session)).readAt).toBe(t.clock.now().toISOString())
  expect((await t.patch(path, { read: false }, 200, session)).readAt).toBeNull()
  await t.patch(path, { read: true }, 401)
  expect(await called(mailbox.token, 'reply_to_email', { messageId: id, text: 'Thanks.' }, '/mailbox/mcp')).toEqual({
    code: 'ok',
  })
  expect((await t.get(path, 200, session)).readAt).not.toBeNull()
})

test('a problem names the request that it answers', async () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_campaign', arguments: { campaignId: 'none' } },
  }
  const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
  const reply = await t.request('POST', '/mcp', message, { headers: { ...accept, 'x-request-id': 'mine-4711' } })
  expect(reply.text).toContain('mine-4711')
  const own = await t.request('POST', '/mcp', message, { headers: accept })
  expect(own.text).toContain(String(own.headers.get('x-request-id')))
  expect(own.headers.get('x-request-id')).toMatch(/^req_/)
})

describe('untrusted text is shown as a person sees it', () => {
  test('every default-ignorable code point is left out', () => {
    const ignorable = /^\p{Default_Ignorable_Code_Point}$/u
    let count = 0
    for (let point = 0; point <= 0x10ffff; point++) {
      const char = String.fromCodePoint(point)
      if (!ignorable.test(char)) continue
      count++
      expect(visible(`a${char}b`), point.toString(16)).toBe('ab')
    }
    expect(count).toBeGreaterThan(4_000)
  })

  test.each([
    ['variation selectors after a picture', '😀\u{e0101}\u{e0123}\ufe01', '😀'],
    ['fillers', 'a\u3164\u115f\u1160\uffa0b', 'ab'],
    ['joiners in a row', '👨\u200d\u200d\u200c👩', '👨👩'],
    ['joiners between Latin letters', 'o\u200db\u200ce\u200dy', 'obey'],
    ['a joiner at the end', '👨\u200d', '👨'],
    ['annotations', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ])('%s', (_, text, seen) => expect(visible(text)).toBe(seen))

  test.each(['👨‍👩‍👧', '👩🏽‍🚀', 'می‌خواهم', 'क्‍ष', 'Grüße, Ελλάδα, Привет, 日本語, שלום'])('%s stays as it is', (text) =>
    expect(visible(text)).toBe(text),
  )
})

test('a tool that is a route answers as it is listed, also once the route was asked', async () => {
  const filter = { field: 'email', op: 'contains', value: '@' }
  const listing = async () => {
    await using client = await mcpClient(modern, `${t.url}/mcp`, t.apiKey)
    const { tools } = await client.listTools()
    // The client holds it against what was listed.
    await client.callTool({ name: 'preview_segment', arguments: { filter } })
    return tools
  }
  expect(await listing()).toEqual(await listing())
})
