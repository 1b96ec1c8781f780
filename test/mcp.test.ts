// The MCP addresses as agents meet them: three generations of published clients, and who is refused (C01-C08).

import { describe, expect, test } from 'bun:test'
import { mcpCalls } from '../db/tables/mailboxes.ts'
import { write } from '../src/core/app.ts'
import { createApiKey, revokeApiKey } from '../src/people/access/api-keys.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { generations, mcpClient, workspaceSurface } from './support/mcp.ts'
import { call, modern, problemOf } from './support/mcp-calls.ts'

const sse = '2024-11-05 (HTTP+SSE)'
const content = [{ type: 'text', text: 'Hello {{name}}' }]

const workspaceTools = workspaceSurface.tools.map(({ name }) => name)
/** Of the specification. */
const specified = [
  'list_mailboxes',
  'create_campaign',
  'send_campaign',
  'list_campaigns',
  'get_campaign',
  'generate_campaign',
  'create_template',
  'update_template',
  'delete_template',
]
const mailboxTools = [
  ...['read_inbox', 'read_attachment', 'reply_to_email', 'mailbox_info'],
  ...['create_draft', 'update_draft', 'delete_draft', 'list_drafts', 'start_thread'],
  ...['search_mail', 'list_threads', 'read_thread', 'list_labels', 'label_mail'],
]

describe.each([...generations])('a client of %s', (generation) => {
  test('works with templates and the inventory of mailboxes', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await using client = await mcpClient(generation, `${t.url}/mcp`, t.apiKey)
    expect(client.getServerVersion()).toMatchObject({ name: 'paquebot', title: 'Paquebot' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }: Json) => name)).toEqual(workspaceTools)
    expect(workspaceTools).toEqual(expect.arrayContaining(specified))
    const listed = await client.callTool({ name: 'list_mailboxes', arguments: {} })
    expect(listed.structuredContent).toEqual({
      mailboxes: [
        {
          id: mailbox.id,
          address: mailbox.address,
          name: 'Help Desk',
          status: 'active',
          holdReplies: false,
          createdAt: t.clock.now().toISOString(),
        },
      ],
    })
    const made = await client.callTool({
      name: 'create_template',
      arguments: { name: 'Welcome', subject: 'Hi {{name}}', content },
    })
    expect(made.structuredContent).toMatchObject({ id: 'welcome', status: 'active', variables: ['name'], warnings: [] })
    expect(JSON.parse(made.content[0].text)).toEqual(made.structuredContent)
    const german = [{ type: 'text', text: 'Hallo {{name}}' }]
    const { expectedRevisionId, ...translation } = {
      id: 'welcome',
      locale: 'de',
      subject: 'Hallo',
      content: german,
      expectedRevisionId: made.structuredContent.revisionId,
    }
    await client.callTool({ name: 'update_template', arguments: translation })
    expect((await t.get('/v1/transactional/welcome/content/de', 200)).subject).toBe('Hallo')
    expect((await t.get('/v1/transactional/welcome/content/en', 200)).subject).toBe('Hi {{name}}')
    const stale = { id: 'welcome', subject: 'Hello', expectedRevisionId }
    expect(problemOf(await client.callTool({ name: 'update_template', arguments: stale })).code).toBe(
      'revision_mismatch',
    )
    const gone = await client.callTool({ name: 'delete_template', arguments: { id: 'welcome' } })
    expect(gone.structuredContent).toEqual({ success: true })
    await t.get('/v1/transactional/welcome', 404)
    const again = await client.callTool({ name: 'delete_template', arguments: { id: 'welcome' } })
    expect(problemOf(again)).toMatchObject({ code: 'not_found', status: 404, success: false })
  })

  test('reads an inbox and answers', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const ids = [await mailbox.receive(rawMail()), await mailbox.receive(rawMail({ subject: 'Another' }))]
    await using client = await mcpClient(generation, `${t.url}/mailbox/mcp`, mailbox.token)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }: Json) => name)).toEqual(mailboxTools)
    const info = await client.callTool({ name: 'mailbox_info', arguments: {} })
    expect(info.structuredContent).toEqual({
      mailboxId: mailbox.id,
      address: mailbox.address,
      name: 'Help Desk',
      scopes: ['read', 'reply'],
      workspace: { id: t.workspace.id, slug: 'acme', name: 'Acme' },
    })
    const { structuredContent: inbox } = await client.callTool({ name: 'read_inbox', arguments: {} })
    expect(inbox.messages.map(({ id }: Json) => id)).toEqual([...ids].reverse())
    expect(inbox).toMatchObject({ untrusted: true, nextCursor: null })
    const one = await client.callTool({ name: 'read_inbox', arguments: { messageId: ids[0] } })
    expect(one.structuredContent).toMatchObject({
      untrusted: true,
      id: ids[0],
      from: { name: 'Ada Lovelace', address: 'ada@example.net' },
      subject: 'A question',
      auth: { spf: 'none', dkim: 'none', dmarc: 'none' },
      text: expect.stringContaining('How does the engine work?'),
      replyGoesTo: 'ada@example.net',
    })
    const unread = async () => {
      const { structuredContent } = await client.callTool({ name: 'read_inbox', arguments: { unreadOnly: true } })
      return structuredContent.messages.map(({ id }: Json) => id)
    }
    expect(await unread()).toEqual([...ids].reverse())
    const reply = await client.callTool({
      name: 'reply_to_email',
      arguments: { messageId: ids[0], text: 'With steam.' },
    })
    expect(reply.structuredContent).toMatchObject({ to: 'ada@example.net', inReplyTo: expect.stringMatching(/@/) })
    expect(await unread()).toEqual([ids[1]])
    await t.settle()
    expect(await t.sent()).toMatchObject([{ from: mailbox.address, to: 'ada@example.net' }])
    const { data } = await t.get('/v1/activity', 200)
    expect(data).toMatchObject([{ messageId: reply.structuredContent.messageId, kind: 'reply', status: 'sent' }])
  })

  test('finds resources and prompts', async () => {
    await using t = await testApp()
    await using client = await mcpClient(generation, `${t.url}/mcp`, t.apiKey)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }: Json) => uri)).toEqual(['paquebot://component-tree', 'paquebot://variables'])
    const { contents } = await client.readResource({ uri: 'paquebot://component-tree' })
    expect(JSON.parse(contents[0].text)).toMatchObject({ type: 'array' })
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }: Json) => name)).toEqual(['write_template'])
    const { messages } = await client.getPrompt({ name: 'write_template', arguments: { purpose: 'a receipt' } })
    expect(messages[0].content.text).toContain('a receipt')
    await expect(client.getPrompt({ name: 'write_template' })).rejects.toThrow('needs purpose')
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('no resource')
    await expect(client.callTool({ name: 'send_everything' })).rejects.toThrow('no tool')
  })
})

test('every tool says what it is for and what not, and takes nothing that it does not name', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  for (const [path, token] of [
    ['/mcp', t.apiKey],
    ['/mailbox/mcp', mailbox.token],
  ] as const) {
    await using client = await mcpClient(modern, t.url + path, token)
    for (const { name, description, inputSchema, outputSchema, annotations } of (await client.listTools()).tools) {
      expect(description, name).toMatch(
        /^\*\*Purpose:\*\* .+\n\n\*\*NOT for:\*\* .+\n\n\*\*Returns:\*\* .+\n\n\*\*When to use:\*\* /,
      )
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema, name).toMatchObject({ type: 'object' })
      expect(annotations, name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
      })
      const foreign =
        path === '/mcp' ? /mailbox|apikey|^to$|^cc$|^bcc$|html/i : /mailbox|apikey|^to$|^cc$|^bcc$|from|html/i
      // Where the owner of the mailbox allows to whom.
      if (['create_draft', 'start_thread'].includes(name)) delete inputSchema.properties['to']
      // Of what only reads, `to` is a time.
      if (!annotations.readOnlyHint)
        expect(
          Object.keys(inputSchema.properties).filter((one) => foreign.test(one)),
          name,
        ).toEqual([])
    }
  }
})

describe('credentials', () => {
  const paths = ['/mcp', '/sse', '/mailbox/mcp', '/mailbox/sse']
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

  test('nothing opens without one, and none is read from the address', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const nobody = { as: 'nobody', headers: { accept: 'text/event-stream' } } as const
    for (const path of paths) {
      const reply = await t.request('GET', `${path}?token=${mailbox.token}&api_key=${t.apiKey}`, undefined, nobody)
      expect(reply.status, path).toBe(401)
      expect(reply.headers.get('www-authenticate')).toStartWith('Bearer')
    }
    for (const path of ['/mcp', '/mailbox/mcp', '/messages', '/mailbox/messages']) {
      await t.post(`${path}?token=${mailbox.token}`, message, 401, nobody)
      await t.post(path, message, 401, { as: 'session' })
      await t.post(path, message, 401, { as: { apiKey: 'pqk_wrong' } })
    }
  })

  test('an API key does not open a mailbox, nor a mailbox token the workspace', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    for (const path of ['/mailbox/mcp', '/mailbox/messages']) await t.post(path, message, 401)
    for (const path of ['/mcp', '/messages']) await t.post(path, message, 403, { as: { apiKey: mailbox.token } })
    for (const path of ['/mailbox/mcp', '/mailbox/sse']) await t.get(path, 401)
    for (const path of ['/mcp', '/sse']) await t.get(path, 403, { as: { apiKey: mailbox.token } })
  })

  test('an API key needs the scope mcp', async () => {
    await using t = await testApp()
    const key = (scope: string) => write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: [scope] }))
    const without = { as: await key('transactional.write') }
    const reply = await t.request('POST', '/mcp', message, without)
    expect(reply.status).toBe(403)
    expect(reply.body.code).toBe('insufficient_scope')
    await using client = await mcpClient(modern, `${t.url}/mcp`, (await key('mcp')).apiKey)
    expect((await client.listTools()).tools).toHaveLength(workspaceTools.length)
  })

  test('a mailbox token without a scope gets an error that names it', async () => {
    await using t = await testApp()
    const reader = await testMailbox(t, { scopes: ['read'] })
    const replier = await testMailbox(t, { address: 'two@paquebot.localhost', scopes: ['reply'] })
    const messageId = await reader.receive(rawMail())
    const reply = await call(t, reader, 'reply_to_email', { messageId, text: 'x' })
    expect(problemOf(reply)).toMatchObject({ code: 'insufficient_scope', message: expect.stringContaining('reply') })
    expect(problemOf(await call(t, replier, 'read_inbox')).code).toBe('insufficient_scope')
    expect((await call(t, replier, 'mailbox_info')).structuredContent.scopes).toEqual(['reply'])
    await t.settle()
    expect(await t.sent()).toEqual([])
  })

  test('_apiKey plays no part', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const { apiKey } = await t.stranger()
    await using client = await mcpClient(modern, `${t.url}/mcp`, t.apiKey)
    const own = await client.callTool({ name: 'list_mailboxes', arguments: { _apiKey: apiKey } })
    expect(own.structuredContent.mailboxes).toHaveLength(1)
    await t.post('/mcp', { ...message, params: { _apiKey: t.apiKey } }, 401, { as: 'nobody' })
    expect((await call(t, mailbox, 'mailbox_info', { _apiKey: apiKey })).isError).toBeFalsy()
  })

  test('a revoked token loses its open streams within seconds, and its next message', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const made = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, {}))
    await using inbox = await mcpClient(sse, `${t.url}/mailbox/mcp`, mailbox.token)
    await using workspace = await mcpClient(sse, `${t.url}/sse`, made.apiKey)
    await using other = await mcpClient(sse, `${t.url}/sse`, t.apiKey)
    await t.delete(`/v1/mailboxes/${mailbox.id}/tokens/${mailbox.tokenId}`, undefined, 200, { as: 'session' })
    await write(t.app, (tx) => revokeApiKey(tx, t.workspace.id, made.row.id))
    await expect(inbox.listTools()).rejects.toThrow()
    await expect(workspace.listTools()).rejects.toThrow()
    expect((await other.listTools()).tools).toHaveLength(workspaceTools.length)
  })
})

interface OpenStream {
  /** From the `endpoint` event. */
  endpoint: string
  /** The next event; null when the server has closed. */
  next(): Promise<string | null>
  cancel(): Promise<void>
}

async function streamOf(t: TestApp, path: string, token: string): Promise<OpenStream> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(t.url + path, { headers })
  if (!response.body) throw new Error(`${path} answered ${response.status}`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const next = async () => {
    for (;;) {
      const end = heard.indexOf('\n\n')
      if (end !== -1) {
        const event = heard.slice(0, end)
        heard = heard.slice(end + 2)
        return event
      }
      const { done, value } = await reader.read()
      if (done) return null
      heard += value
    }
  }
  const first = await next()
  const endpoint = /^event: endpoint\ndata: (\S+)$/.exec(first ?? '')?.[1]
  if (endpoint === undefined) throw new Error(`not an endpoint: ${first}`)
  return { endpoint, next, cancel: () => reader.cancel() }
}

describe('sessions of the oldest transport', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  test.each([
    ['/mcp', '/messages'],
    ['/sse', '/messages'],
    ['/mailbox/mcp', '/mailbox/messages'],
    ['/mailbox/sse', '/mailbox/messages'],
  ])('GET %s names the path of messages', async (path, messages) => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const token = path.startsWith('/mailbox') ? mailbox.token : t.apiKey
    const stream = await streamOf(t, path, token)
    expect(stream.endpoint).toMatch(new RegExp(`^${messages}\\?sessionId=[A-Za-z0-9_-]{43}$`))
    await t.post(stream.endpoint, ping, 202, { as: { apiKey: token } })
    expect(await stream.next()).toBe('event: message\ndata: {"result":{},"jsonrpc":"2.0","id":1}')
    await stream.cancel()
  })

  test('belong to the credential that opened them, and end with the stream', async () => {
    await using t = await testApp()
    const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, {}))
    const foreign = { as: await t.stranger() }
    const stream = await streamOf(t, '/mcp', t.apiKey)
    await t.post(stream.endpoint, ping, 401, { as: 'nobody' })
    await t.post(stream.endpoint, ping, 404, { as: { apiKey } })
    await t.post(stream.endpoint, ping, 404, foreign)
    await t.post('/messages?sessionId=guess', ping, 404)
    await t.post('/messages', ping, 404)
    await t.post(stream.endpoint.replace('/messages', '/mailbox/messages'), ping, 401)
    await t.post(stream.endpoint, ping, 202)
    await stream.cancel()
    let status = 202
    while (status === 202) status = (await t.request('POST', stream.endpoint, ping)).status
    expect(status).toBe(404)
  })

  test('a stream is closed when its token is revoked', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const stream = await streamOf(t, '/mailbox/sse', mailbox.token)
    await t.delete(`/v1/mailboxes/${mailbox.id}/tokens/${mailbox.tokenId}`, undefined, 200, { as: 'session' })
    const started = performance.now()
    expect(await stream.next()).toBeNull()
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('a stream without a message for an hour is closed', async () => {
    await using t = await testApp()
    const stream = await streamOf(t, '/mcp', t.apiKey)
    await t.advance('61m')
    expect(await stream.next()).toBeNull()
  })

  test('what is no message is refused', async () => {
    await using t = await testApp()
    const stream = await streamOf(t, '/mcp', t.apiKey)
    for (const body of ['{', '{}', '[1]', '"x"', '{"jsonrpc":"1.0","method":"ping","id":1}']) {
      expect((await t.request('POST', stream.endpoint, body)).status, body).toBe(400)
    }
    await stream.cancel()
  })

  test('a client of 2025 that asks for a second stream is told that there is none', async () => {
    await using t = await testApp()
    const headers = { 'mcp-protocol-version': '2025-06-18', accept: 'text/event-stream' }
    const reply = await t.request('GET', '/mcp', undefined, { headers })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe('POST')
    await t.delete('/mcp', undefined, 405)
  })
})

describe('requests from pages elsewhere', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const accept = { accept: 'application/json, text/event-stream' }

  test('are refused by Host and Origin, on every path', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const stream = await streamOf(t, '/mcp', t.apiKey)
    const port = new URL(t.url).port
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { origin: `https://127.0.0.1:${port}` },
      { origin: `http://evil.example:${port}` },
      { host: 'evil.example' },
      { host: `127.0.0.1.evil.example:${port}` },
    ]
    for (const headers of foreign) {
      for (const path of ['/mcp', '/messages', stream.endpoint]) await t.post(path, list, 403, { headers })
      for (const path of ['/mcp', '/sse']) await t.get(path, 403, { headers })
      const as = { as: { apiKey: mailbox.token }, headers }
      await t.post('/mailbox/mcp', list, 403, as)
      await t.get('/mailbox/sse', 403, as)
    }
    await stream.cancel()
  })

  test('our own, and none, pass', async () => {
    await using t = await testApp()
    const port = new URL(t.url).port
    for (const headers of [
      {},
      { origin: t.url },
      { origin: `http://localhost:${port}` },
      { host: `localhost:${port}` },
    ]) {
      await t.post('/mcp', list, 200, { headers: { ...accept, ...headers } })
    }
    await using proxied = await testApp({ environment: { BASE_URL: 'https://mail.acme.test' } })
    const headers = { ...accept, host: 'mail.acme.test', origin: 'https://mail.acme.test' }
    await proxied.post('/mcp', list, 200, { headers })
    await proxied.post('/mcp', list, 403, { headers: { ...headers, origin: 'http://mail.acme.test' } })
    await proxied.post('/mcp', list, 403, { headers: { ...headers, host: 'other.acme.test' } })
  })
})

describe('limits', () => {
  test('60 calls a minute for a token', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await using client = await mcpClient(modern, `${t.url}/mailbox/mcp`, mailbox.token)
    const info = () => client.callTool({ name: 'mailbox_info', arguments: {} })
    for (let count = 0; count < 60; count++) expect((await info()).isError).toBeFalsy()
    expect(problemOf(await info())).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1 })
    expect((await client.listTools()).tools).toHaveLength(mailboxTools.length)
    t.clock.advance(1_000)
    expect((await info()).isError).toBeFalsy()
  })

  test('large, deep, many and strange messages leave the server alive', async () => {
    await using t = await testApp()
    const post = async (body: unknown) => (await t.request('POST', '/mcp', body, { headers: { accept: '*/*' } })).status
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect(await post('a'.repeat(1_048_577))).toBe(413)
    expect(await post(Array.from({ length: 10_000 }, () => list))).toBe(400)
    expect(await post('['.repeat(10_000))).toBe(400)
    expect(await post('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')).toBe(400)
    for (const body of ['', '{', 'null', '[]', '{}', '5', '{"jsonrpc":"2.0","id":{},"method":5}']) {
      expect(await post(body), body).toBeGreaterThanOrEqual(400)
      expect(await post(body), body).toBeLessThan(500)
    }
    const accept = { headers: { accept: 'application/json, text/event-stream' } }
    const unknown = await t.request('POST', '/mcp', { ...list, method: 'no/such' }, accept)
    expect(unknown.text).toContain('-32601')
    for (const _ of [1, 2]) expect((await t.request('POST', '/mcp', list, accept)).text).toContain('list_mailboxes')
  })

  test('200 idle streams are kept, and go with the server', async () => {
    await using t = await testApp()
    const streams = await Promise.all(Array.from({ length: 200 }, () => streamOf(t, '/mcp', t.apiKey)))
    expect(new Set(streams.map(({ endpoint }) => endpoint)).size).toBe(200)
    const last = streams.at(-1)
    await t.post(last?.endpoint ?? '', { jsonrpc: '2.0', id: 7, method: 'ping' }, 202)
    expect(await last?.next()).toContain('"id":7')
  })
})

test('each call leaves a record of who called what and how it ended, and none of what was said', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  const messageId = await mailbox.receive(rawMail())
  await call(t, mailbox, 'mailbox_info')
  await call(t, mailbox, 'read_inbox', { messageId: 'secret' })
  await call(t, mailbox, 'reply_to_email', { messageId, text: 'a secret' })
  await using client = await mcpClient(modern, `${t.url}/mcp`, t.apiKey)
  await client.callTool({ name: 'list_mailboxes', arguments: {} })
  const rows = await t.app.db.select().from(mcpCalls)
  expect(rows.map(({ tool, outcome, mailboxId }) => [tool, outcome, mailboxId])).toEqual([
    ['mailbox_info', 'ok', mailbox.id],
    ['read_inbox', 'not_found', mailbox.id],
    ['reply_to_email', 'ok', mailbox.id],
    ['list_mailboxes', 'ok', null],
  ])
  expect(rows.map(({ credentialId }) => credentialId.slice(0, 3))).toEqual(['mtk', 'mtk', 'mtk', 'key'])
  expect(JSON.stringify(rows)).not.toContain('secret')
  const { data, pagination } = await t.get('/v1/mcp-calls?perPage=3', 200)
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^mcp_/),
    tool: 'list_mailboxes',
    outcome: 'ok',
    credentialId: rows[3]?.credentialId,
    mailboxId: null,
    durationMs: expect.any(Number),
    at: t.clock.now().toISOString(),
  })
  expect([data.length, pagination.totalResults]).toEqual([3, 4])
  const rest = await t.get(`/v1/mcp-calls?perPage=3&cursor=${pagination.nextCursor}`, 200, { as: 'session' })
  expect(rest.data.map(({ tool }: Json) => tool)).toEqual(['mailbox_info'])
  const [own] = (await t.get(`/v1/mailboxes/${mailbox.id}/tokens`, 200, { as: 'session' })).data
  expect(own.replies).toEqual({ lastHour: 1, limit: 20 })
  const page = await t.get(`/v1/mcp-calls?credentialId=${own.id}&perPage=2`, 200)
  expect([page.data.map(({ tool }: Json) => tool), page.pagination.totalResults]).toEqual([
    ['reply_to_email', 'read_inbox'],
    3,
  ])
  expect(page.pagination.nextPage).toContain(`credentialId=${own.id}`)
  expect((await t.get('/v1/mcp-calls', 200, { as: await t.stranger() })).data).toEqual([])
})
