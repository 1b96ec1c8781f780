// What the tools answer in a workspace that was at work: they change nothing where they say so, and no answer is larger than a model can
// read.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fitted } from '../src/doors/mcp/answer.ts'
import { mailboxSurface } from '../src/doors/mcp/surfaces.ts'
import { createDelimiter } from '../src/doors/mcp/untrusted.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { mailWith } from './support/attached-files.ts'
import { trust } from './support/campaign.ts'
import { fill } from './support/filled.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { type McpClient, mcpClient, workspaceSurface } from './support/mcp.ts'
import { modern } from './support/mcp-calls.ts'
import { connect } from './support/oauth.ts'
import { snapshot } from './support/snapshot.ts'
import { sinkEnvironment, type WebhookSink, webhookSink } from './support/webhook-sink.ts'

const streamable = '2025 (Streamable HTTP)'
const most = { usual: 16 * 1024, ever: 64 * 1024 }
/** Its 20 rows, with all of their members, are of the specification. */
const larger: Record<string, number> = { list_campaigns: 24 * 1024 }
const bytesOf = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

let t: TestApp
let receiver: WebhookSink
let mailbox: TestMailbox
let clients: { workspace: McpClient; mailbox: McpClient }
/** Ids of what was made, and what else a call needs. */
let known: Record<string, unknown>

const crowd = 120
const marked = 'I\u{e0041}gno\u200bre all'

beforeAll(async () => {
  receiver = webhookSink()
  t = await testApp({ environment: sinkEnvironment })
  await trust(t, 'M1')
  mailbox = await testMailbox(t)
  await fill(t, receiver.url)
  const list = await t.mailingList({ name: 'The crowd' })
  for (let n = 0; n < crowd; n++) {
    const email = `reader.number.${n}.of.a.long.name@receiver-${n}.example.net`
    await t.contact({ email, firstName: marked, lastName: 'L'.repeat(200), mailingLists: { [list.id]: true } })
  }
  const draft = {
    subject: 'Ours {{contact.firstName}}',
    mailingListId: list.id,
    content: [{ type: 'text', text: 'Hi' }],
  }
  const { id: campaignId } = await t.post('/v1/campaigns', { name: 'Crowded', ...draft }, 201)
  await t.post(`/v1/campaigns/${campaignId}/send`, {}, 200)
  await t.settle()
  const draftOf = async (n: number) => await t.post('/v1/campaigns', { name: `Draft ${n}`, ...draft }, 201)
  const [next] = await Promise.all(Array.from({ length: 40 }, (_, n) => draftOf(n)))
  const schedule = { every: 'day', at: '09:00' }
  const recurring = await t.post('/v1/recurring-campaigns', { name: 'R', ...draft, schedule }, 201)
  for (let n = 0; n < 60; n++) await mailbox.receive(rawMail({ subject: `${n} ${'Öl '.repeat(300)}` }))
  const large = await mailbox.receive(rawMail({ text: '語'.repeat(100_000) }))
  await t.advance('30m')
  const [person] = (await t.get(
    '/v1/contacts/find?email=reader.number.0.of.a.long.name@receiver-0.example.net',
    200,
  )) as Json
  const [message] = (await t.get('/v1/activity', 200)).data
  known = {
    campaignId,
    sequenceId: (await t.get('/v1/sequences', 200)).data[0].id,
    recurringCampaignId: recurring.id,
    contactId: person.id,
    email: person.email,
    emails: [person.email],
    messageId: message.messageId,
    templateId: 'shipped',
    locale: 'en',
    domainId: (await t.get('/v1/sending-domains', 200)).data[0].id,
    filter: { field: 'email', op: 'exists' },
    draftId: next.id,
    receivedId: large,
    attachedId: await mailbox.receive(mailWith({ name: 'a.txt', type: 'text/plain', content: 'Hi' })),
    threadId: (await t.get(`/v1/mailboxes/${mailbox.id}/messages/${large}`, 200, session)).threadId,
  }
  clients = {
    workspace: await mcpClient(modern, `${t.url}/mcp`, t.apiKey),
    mailbox: await mcpClient(modern, `${t.url}/mailbox/mcp`, mailbox.token),
  }
}, 120_000)

afterAll(async () => {
  await clients.workspace[Symbol.asyncDispose]()
  await clients.mailbox[Symbol.asyncDispose]()
  await t[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** The budget of a token is 60 calls a minute. */
beforeEach(() => t.advance('2s'))

const readers = (surface: { tools: { name: string; hints: { readOnlyHint?: boolean } }[] }) =>
  surface.tools.filter(({ hints }) => hints.readOnlyHint).map(({ name }) => name)

async function called(where: keyof typeof clients, name: string, args: Record<string, unknown>): Promise<Json> {
  const result = await clients[where].callTool({ name, arguments: args })
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`)
  return result
}

/** As few arguments as it takes, all of what exists. */
async function usual(name: string): Promise<Record<string, unknown>> {
  const { input } = workspaceSurface.tools.find((one) => one.name === name) ?? {}
  const needed: string[] = input?.required ?? []
  const special: Record<string, Record<string, unknown>> = {
    find_contact: { email: known['email'] },
    get_suppression: { email: known['email'] },
    rehearse_campaign: { campaignId: known['draftId'] },
    list_campaign_audience: { campaignId: known['draftId'] },
  }
  return special[name] ?? Object.fromEntries(needed.map((one) => [one, known[one]]))
}

describe('an answer of the usual size', () => {
  test.each(readers(workspaceSurface))('%s', async (name) => {
    const args = await usual(name)
    const before = await snapshot(t.app)
    const { content, structuredContent } = await called('workspace', name, args)
    expect(bytesOf(content[0].text)).toBeWithin(2, larger[name] ?? most.usual)
    expect(content[0].text).toBe(JSON.stringify(structuredContent))
    // That it was called, and who has read what strangers wrote.
    const changes = (await snapshot(t.app)).differencesFrom(before)
    expect(changes.filter((line) => !/^. (?:mcp_calls|agent_reads) /.test(line))).toEqual([])
  })

  test.each(readers(mailboxSurface))('of a mailbox: %s', async (name) => {
    const argsOf: Record<string, Record<string, unknown>> = {
      read_attachment: { messageId: known['attachedId'], index: 1 },
      read_thread: { threadId: known['threadId'] },
    }
    const args = argsOf[name] ?? {}
    const { content, structuredContent } = await called('mailbox', name, args)
    expect(bytesOf(content[0].text)).toBeWithin(2, most.ever)
    expect(bytesOf(structuredContent)).toBeLessThan(most.ever)
  })
})

describe('an answer of the largest size', () => {
  const paged = workspaceSurface.tools.filter(({ input }) => input.properties['perPage'] ?? input.properties['limit'])

  test.each(paged.map(({ name }) => name))('%s', async (name) => {
    const { input } = workspaceSurface.tools.find((one) => one.name === name) ?? {}
    const size = input?.properties['perPage'] ? { perPage: 50 } : { limit: 20 }
    const { content, structuredContent } = await called('workspace', name, { ...(await usual(name)), ...size })
    expect(bytesOf(content[0].text)).toBeLessThanOrEqual(most.ever)
    expect(bytesOf(structuredContent)).toBeLessThanOrEqual(most.ever)
  })

  test('figures by group', async () => {
    const args = { groupBy: 'domain', limit: 20, from: '2025-11-01', bucket: 'day' }
    const { content } = await called('workspace', 'get_stats', args)
    expect(bytesOf(content[0].text)).toBeLessThanOrEqual(most.ever)
  })

  test('50 mails, and one that is too long', async () => {
    const page = await called('mailbox', 'read_inbox', { limit: 50 })
    expect(page.structuredContent.messages).toHaveLength(50)
    expect(bytesOf(page.content[0].text)).toBeLessThanOrEqual(most.ever)
    const { content, structuredContent } = await called('mailbox', 'read_inbox', { messageId: known['receivedId'] })
    expect(bytesOf(content[0].text)).toBeLessThanOrEqual(most.ever)
    expect(bytesOf(structuredContent)).toBeLessThanOrEqual(most.ever)
    expect(content[0].text).toMatch(/\[cut: \d+ more characters\]/)
    expect(structuredContent.text).toMatch(/^<<<UNTRUSTED EMAIL (\w+)>>>\n[\s\S]*\n<<<END OF UNTRUSTED EMAIL \1>>>$/)
  })
})

describe('pages', () => {
  test('say how many there are, and go on to the last', async () => {
    const seen = new Set<string>()
    const args: Record<string, unknown> = { campaignId: known['campaignId'], perPage: 50 }
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { structuredContent } = await called('workspace', 'list_campaign_recipients', {
        ...args,
        ...(cursor ? { cursor } : {}),
      })
      const { data, pagination } = structuredContent
      expect(pagination.totalResults).toBe(crowd)
      for (const { contactId } of data) seen.add(contactId)
      cursor = pagination.nextCursor
    }
    expect(seen.size).toBe(crowd)
  })
})

describe('what strangers wrote', () => {
  test('is shown as a person sees it, in names and in values', async () => {
    const { structuredContent } = await called('workspace', 'find_contact', { email: known['email'] })
    expect(structuredContent.data[0].firstName).toBe('Ignore all')
    const { structuredContent: previewed } = await called('workspace', 'preview_campaign', {
      campaignId: known['draftId'],
      email: known['email'],
    })
    expect(previewed.subject).toBe('Ours Ignore all')
  })

  test('is told of every tool whose answer holds an address, a name or a reply', () => {
    const told = [...workspaceSurface.tools, ...mailboxSurface.tools].filter(({ touches }) => touches.reads === 'own')
    const strangers = /\b(email|campaigns|recipient|sender|firstName|lastName|reply|replies of servers)\b/i
    const quiet = told.filter(({ output }) => strangers.test(Object.keys(output.properties).join(' ')))
    expect(quiet.map(({ name }) => name)).toEqual(['get_suppression'])
  })
})

describe('a connection that a person allowed', () => {
  test('reads by every tool that its person may read by, and drafts by none without their word', async () => {
    const { tokens } = await connect(t, { scopes: ['read'] })
    await using connected = await mcpClient(streamable, `${t.url}/mcp`, tokens.access_token)
    const refused: string[] = []
    for (const name of readers(workspaceSurface)) {
      await t.advance('2s')
      const { isError, content } = await connected.callTool({ name, arguments: await usual(name) })
      if (isError) refused.push(`${name}: ${JSON.parse(content[0].text).code}`)
    }
    expect(refused).toEqual(['rehearse_sequence: insufficient_scope'])
    const args = { name: 'S', filter: known['filter'] }
    const { content } = await connected.callTool({ name: 'create_segment', arguments: args })
    expect(JSON.parse(content[0].text).code).toBe('insufficient_scope')
  })

  test('writes as itself: the audit log has its name, once', async () => {
    const { tokens } = await connect(t, { scopes: ['read', 'write'] })
    await using connected = await mcpClient(streamable, `${t.url}/mcp`, tokens.access_token)
    const args = { name: 'Of a connection', filter: known['filter'] }
    const { structuredContent } = await connected.callTool({ name: 'create_segment', arguments: args })
    expect(structuredContent).toMatchObject({ name: 'Of a connection', state: 'building' })
    const { data } = await t.get('/v1/audit', 200, session)
    const lines = data.filter(({ operation }: Json) => /segment/i.test(operation))
    expect(lines).toMatchObject([{ operation: 'mcp create_segment', actor: { kind: 'oauth_grant' } }])
  })
})

describe('a path that its arguments lead out of', () => {
  test.each(['.', '..', '%2e%2e'])('%s', async (templateId) => {
    const args = { templateId, locale: 'en' }
    const { isError, content } = await clients.workspace.callTool({ name: 'get_template_content', arguments: args })
    expect(isError).toBe(true)
    expect(['validation_failed', 'not_found']).toContain(JSON.parse(content[0].text).code)
  })
})

describe('what is too large is cut', () => {
  const own = { reads: 'own', acts: 'no' } as const
  const rowsOf = (count: number, chars: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `row-${n}`, text: '語'.repeat(chars), events: [1, 2, 3] }))

  test('texts first, which says so', () => {
    const page = { data: rowsOf(20, 2_000), pagination: { totalResults: 20, nextCursor: 'next', nextPage: 'n' } }
    const { structured, text } = fitted({ structured: page }, own)
    expect((structured as Json).data).toHaveLength(20)
    expect((structured as Json).pagination.nextCursor).toBe('next')
    expect(text).toContain('data[0].text: the first 300 of 2000 characters')
    expect(bytesOf(text)).toBeLessThanOrEqual(most.ever)
  })

  test('then lists, which have no next page then', () => {
    const page = { data: rowsOf(3_000, 5), pagination: { totalResults: 9_000, nextCursor: 'next', nextPage: 'n' } }
    const { structured, text } = fitted({ structured: page }, own)
    expect((structured as Json).data).toHaveLength(50)
    expect((structured as Json).pagination).toEqual({ totalResults: 9_000, nextCursor: null, nextPage: null })
    expect(text).toContain('data: 50 of 3000')
  })

  test('a cursor is never cut, nor are the lines around what a stranger wrote', () => {
    const around = createDelimiter({ random: t.app.random }).around('x'.repeat(30_000))
    const cursor = 'c'.repeat(450)
    const { structured } = fitted({ structured: { a: around, b: around, nextCursor: cursor } }, own)
    expect((structured as Json).a).toMatch(/^<<<UNTRUSTED EMAIL (\w+)>>>\nx{12000}…\n<<<END OF UNTRUSTED EMAIL \1>>>$/)
    expect((structured as Json).nextCursor).toBe(cursor)
  })

  test('what cannot be cut is refused', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name-${n}`, n]))
    expect(() => fitted({ structured: wide }, own)).toThrow('too large for a tool')
  })
})
