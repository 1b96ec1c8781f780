// Every tool, whatever is added: the scope it needs, the schema that strict clients take, and what its hints promise.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from '../src/core/app.ts'
import { mailboxSurface, workspaceSurface as surfaceOf } from '../src/doors/mcp/surfaces.ts'
import { visible } from '../src/kit/visible.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { scopes } from '../src/people/access/scopes.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'

const workspaceSurface = surfaceOf({ kinds: jobKinds })
const modern = '2026-07-28 (stateless)'

let t: TestApp
let mailbox: TestMailbox

beforeAll(async () => {
  t = await testApp()
  mailbox = await testMailbox(t)
})
afterAll(() => t[Symbol.asyncDispose]())

const content = [{ type: 'text', text: 'Hello' }]

/** What each tool stands for over REST, and arguments of both. */
const standsFor: Record<string, { method: string; path: string; body?: unknown; args: Record<string, unknown> }> = {
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
  list_attention: { method: 'GET', path: '/v1/attention', args: {} },
  explain_standstill: { method: 'GET', path: '/v1/activity/why?messageId=none', args: { messageId: 'none' } },
  list_template_starters: { method: 'GET', path: '/v1/template-starters', args: {} },
  use_template_starter: {
    method: 'POST',
    path: '/v1/template-starters/none/use',
    body: {},
    args: { starterId: 'none' },
  },
  list_blocks: { method: 'GET', path: '/v1/blocks', args: {} },
  list_segments: { method: 'GET', path: '/v1/segments', args: {} },
  preview_segment: { method: 'POST', path: '/v1/segments/preview', body: {}, args: { filter: {} } },
  create_segment: { method: 'POST', path: '/v1/segments', body: {}, args: { name: 'S', filter: {} } },
  list_media: { method: 'GET', path: '/v1/media', args: {} },
  upload_media: { method: 'POST', path: '/v1/media', body: {}, args: { name: 'A', alt: 'A', data: 'AAAA' } },
  list_sequences: { method: 'GET', path: '/v1/sequences', args: {} },
  get_sequence: { method: 'GET', path: '/v1/sequences/none', args: { sequenceId: 'none' } },
  list_recurring_campaigns: { method: 'GET', path: '/v1/recurring-campaigns', args: {} },
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
    const { method, path, body, args } = standsFor[name] ?? { method: '', path: '', args: {} }
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
      const { method, path, body, args } = standsFor[name] ?? { method: '', path: '', args: {} }
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
  const document = readFileSync(join(import.meta.dir, '../docs/mcp.md'), 'utf8')

  test('which scope each tool needs', () => {
    const rows = [...document.matchAll(/^\| (`\w+`.*) \| `([\w.]+)` \|$/gm)].flatMap(([, tools = '', scope]) =>
      // What is in brackets is about the tool before it.
      [...tools.replaceAll(/\(.*?\)/g, '').matchAll(/`(\w+)`/g)].map(([, tool]) => `${tool} ${scope}`),
    )
    expect(rows.sort()).toEqual(workspaceSurface.tools.map(({ name, scope }) => `${name} ${scope}`).sort())
  })

  test('what of a mailbox an agent of the workspace is told', async () => {
    const [, said = ''] = /\(an inventory: (.*?`), whether/.exec(document) ?? []
    const words = said.replaceAll('`', '').replace('when it was made', 'createdAt')
    await using client = await mcpClient(modern, `${t.url}/mcp`, await keyWith(['mcp', 'mailboxes.read']))
    const { structuredContent } = await client.callTool({ name: 'list_mailboxes', arguments: {} })
    const [told] = (structuredContent as Json).mailboxes
    expect(Object.keys(told).sort()).toEqual(words.split(/, (?:and )?/).sort())
  })
})

describe('the schema of every tool is one that strict clients take', () => {
  const keywords =
    'type title description enum required additionalProperties items properties anyOf minimum maximum minLength maxLength minItems maxItems'.split(
      ' ',
    )

  function faults(schema: Json, at: string, isInput: boolean): string[] {
    const found = Object.keys(schema)
      .filter((keyword) => !keywords.includes(keyword))
      .map((keyword) => `${at}: ${keyword}`)
    if (schema.anyOf) {
      if (schema.type !== undefined) found.push(`${at}: type beside anyOf`)
      if (schema.anyOf.length < 2) found.push(`${at}: anyOf of one`)
      for (const [n, option] of schema.anyOf.entries()) {
        if (isInput && option.type === 'null') found.push(`${at}: null`)
        if (typeof option.type !== 'string') found.push(`${at}: an option without a type`)
        found.push(...faults(option, `${at}|${n}`, isInput))
      }
    } else if (Object.keys(schema).length > 0 && typeof schema.type !== 'string') found.push(`${at}: no type`)
    if (schema.type === 'array' && (!schema.items || Object.keys(schema.items).length === 0))
      found.push(`${at}: no items`)
    if (schema.enum && (schema.type !== 'string' || schema.enum.some((one: unknown) => typeof one !== 'string')))
      found.push(`${at}: enum of what is no text`)
    for (const name of schema.required ?? [])
      if (!schema.properties?.[name]) found.push(`${at}: ${name} is required and not there`)
    for (const [name, one] of Object.entries(schema.properties ?? {}))
      found.push(...faults(one, `${at}.${name}`, isInput))
    if (schema.items) found.push(...faults(schema.items, `${at}[]`, isInput))
    if (typeof schema.additionalProperties === 'object')
      found.push(...faults(schema.additionalProperties, `${at}{}`, isInput))
    return found
  }

  test('what a strict client refuses is seen', () => {
    const bad = {
      type: 'object',
      properties: {
        a: { type: 'array' },
        b: { anyOf: [{ const: 1 }, { type: 'null' }] },
        c: { type: 'string', format: 'uri' },
      },
    }
    expect(faults(bad, '', true)).toEqual([
      '.a: no items',
      '.b: an option without a type',
      '.b|0: const',
      '.b|0: no type',
      '.b: null',
      '.c: format',
    ])
  })

  test.each(['/mcp', '/mailbox/mcp'])('at %s', async (path) => {
    await using client = await mcpClient(modern, t.url + path, path === '/mcp' ? t.apiKey : mailbox.token)
    const { tools } = await client.listTools()
    expect(tools.length).toBe((path === '/mcp' ? workspaceSurface : mailboxSurface).tools.length)
    for (const { name, inputSchema, outputSchema } of tools) {
      expect(faults(inputSchema, name, true)).toEqual([])
      expect(faults(outputSchema, name, false)).toEqual([])
    }
  })
})

describe('hints are kept', () => {
  test('what says readOnlyHint changes nothing', async () => {
    const messageId = await mailbox.receive(rawMail())
    const readOnly = [...workspaceSurface.tools, ...mailboxSurface.tools].filter(({ hints }) => hints.readOnlyHint)
    expect(readOnly.map(({ name }) => name)).toEqual([
      'list_mailboxes',
      'list_campaigns',
      'get_campaign',
      'list_template_starters',
      'list_blocks',
      'list_segments',
      'preview_segment',
      'list_media',
      'list_sequences',
      'get_sequence',
      'list_recurring_campaigns',
      'get_recurring_campaign',
      'list_attention',
      'explain_standstill',
      'read_inbox',
      'mailbox_info',
    ])
    const ofMailbox = mailboxSurface.tools.map(({ name }) => name)
    const list = await t.mailingList()
    const draft = { name: 'A', subject: 'B', mailingListId: list.id, content }
    const { id: campaignId } = await t.post('/v1/campaigns', draft, 201)
    const rows = async () => [
      await t.get(`/v1/mailboxes/${mailbox.id}/messages`, 200, session),
      await t.get('/v1/campaigns', 200),
    ]
    const definition = { steps: [{ id: 'a', type: 'webhook' }] }
    const { id: sequenceId } = await t.post('/v1/sequences', { name: 'A', definition }, 201)
    const schedule = { every: 'day', at: '09:00' }
    const { id: recurringCampaignId } = await t.post('/v1/recurring-campaigns', { ...draft, schedule }, 201)
    const before = await rows()
    for (const { name } of readOnly) {
      const isOfMailbox = ofMailbox.includes(name)
      const filter = { field: 'email', op: 'exists' }
      const argsOf: Record<string, object> = {
        read_inbox: { messageId },
        get_campaign: { campaignId },
        explain_standstill: { campaignId },
        preview_segment: { filter },
        get_sequence: { sequenceId },
        get_recurring_campaign: { recurringCampaignId },
      }
      const args = { ...argsOf[name] }
      const [token, path] = isOfMailbox ? [mailbox.token, '/mailbox/mcp'] : [t.apiKey, '/mcp']
      expect(await called(token, name, args, path), name).toEqual({ code: 'ok' })
    }
    expect(await rows()).toEqual(before)
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
