// The campaign tools as agents meet them: the whole way of a campaign with clients of three generations, the question to a person before
// a send, and the client's own model.

import { describe, expect, test } from 'bun:test'
import { agentReads } from '../db/tables/agents.ts'
import { write } from '../src/core/app.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { content, listOf, trust } from './support/campaign.ts'
import { generations, type McpClient, mcpClient, type Offers } from './support/mcp.ts'

const modern = '2026-07-28 (stateless)'
const sse = '2024-11-05 (HTTP+SSE)'
/** Stateless Streamable HTTP of 2025 has no way from the server to the client. */
const canBeAsked = [modern, sse] as const

async function campaignOf(t: TestApp, client: McpClient, people = 3): Promise<string> {
  const { list } = await listOf(t, people)
  await trust(t, 'M1')
  const input = { name: 'July', subject: 'Hello', mailingListId: list.id, content }
  const { structuredContent } = await client.callTool({ name: 'create_campaign', arguments: input })
  expect(structuredContent).toMatchObject({ status: 'draft', estimatedRecipients: people, skipped: {} })
  return structuredContent.campaignId
}

const connect = (t: TestApp, generation: (typeof generations)[number] = modern, offers: Offers = {}) =>
  mcpClient(generation, `${t.url}/mcp`, t.apiKey, offers)

const send = (client: McpClient, args: object): Promise<Json> =>
  client.callTool({ name: 'send_campaign', arguments: { ...args } })

function problemOf(result: Json): Json {
  expect(result.isError).toBe(true)
  return JSON.parse(result.content[0].text)
}

describe.each([...generations])('a client of %s', (generation) => {
  test('writes, checks, sends once and reads a campaign', async () => {
    await using t = await testApp()
    await using client = await connect(t, generation)
    const campaignId = await campaignOf(t, client)
    const dry = await send(client, { campaignId, dryRun: true })
    expect(dry.structuredContent).toMatchObject({ campaignId, status: 'draft', recipients: 3, capRemaining: 2_000 })
    const key = { campaignId, idempotencyKey: 'agent-1' }
    const sent = await send(client, key)
    expect(sent.structuredContent).toMatchObject({ campaignId, status: 'sending' })
    expect((await send(client, key)).structuredContent).toEqual(sent.structuredContent)
    expect(problemOf(await send(client, { campaignId }))).toMatchObject({ code: 'invalid_state_transition' })
    await t.settle()
    expect(await t.sent()).toHaveLength(3)
    // The report may hold words of a feed: who asks for it has read.
    const countReaders = async () => (await t.app.db.select().from(agentReads)).length
    expect(await countReaders()).toBe(0)
    const { contents } = await client.readResource({ uri: `paquebot://campaigns/${campaignId}` })
    expect(contents[0].text).toContain('| sent | 3 |')
    expect(await countReaders()).toBeGreaterThan(0)
    const read = await client.callTool({ name: 'get_campaign', arguments: { campaignId } })
    expect(read.structuredContent).toMatchObject({ id: campaignId, status: 'sent', stats: { audience: 3, sent: 3 } })
    const listed = await client.callTool({ name: 'list_campaigns', arguments: { status: 'sent' } })
    expect(listed.structuredContent).toMatchObject({ campaigns: [{ id: campaignId }], nextCursor: null })
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'paquebot://campaigns/{id}', mimeType: 'text/markdown' }])
    await expect(client.readResource({ uri: 'paquebot://campaigns/cmp_none' })).rejects.toThrow('no resource')
  })
})

test('an agent drafts a test: a person is asked for all of its subjects, and the report has each variant', async () => {
  await using t = await testApp()
  const asked: string[] = []
  const person = (message: string) => {
    asked.push(message)
    return { action: 'accept', content: { confirm: true } }
  }
  await using client = await connect(t, modern, { person })
  const { list } = await listOf(t, 30)
  await trust(t, 'M1')
  const variants = [{ name: 'A' }, { name: 'B', subject: 'Bonjour' }]
  const tried = { variants, share: 90, holdOut: 10, winner: null }
  const input = { name: 'July', subject: 'Hello', mailingListId: list.id, content, test: tried }
  const { structuredContent } = await client.callTool({ name: 'create_campaign', arguments: input })
  const { campaignId, estimatedRecipients, skipped } = structuredContent
  // Who is held out is drawn, and may be nobody.
  expect(estimatedRecipients + (skipped.held_out ?? 0)).toBe(30)
  await send(client, { campaignId })
  expect(asked).toEqual([
    `Send the campaign “July” (subjects “Hello”, “Bonjour”, a test of 2 variants) to ${estimatedRecipients} recipients now? Sent mail cannot be recalled.`,
  ])
  await t.settle()
  const { variants: results } = (await t.get(`/v1/campaigns/${campaignId}`, 200)).testResult
  const { contents } = await client.readResource({ uri: `paquebot://campaigns/${campaignId}` })
  for (const { name, sent } of results) expect(contents[0].text).toContain(`| ${name} | ${sent} | 0 | 0 | 0 |`)
})

describe.each([...canBeAsked])('a client of %s with a person before it', (generation) => {
  test('is asked before a send, and nothing leaves without a yes', async () => {
    await using t = await testApp()
    const asked: string[] = []
    const answers: Json[] = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirm: false } },
      { action: 'accept', content: { confirm: true } },
    ]
    const person = (message: string) => {
      asked.push(message)
      return answers[asked.length - 1]
    }
    await using client = await connect(t, generation, { person })
    const campaignId = await campaignOf(t, client)
    expect((await send(client, { campaignId, dryRun: true })).structuredContent.recipients).toBe(3)
    expect(asked).toEqual([])
    for (let i = 0; i < 3; i++) {
      const refused = problemOf(await send(client, { campaignId }))
      expect(refused).toMatchObject({ code: 'forbidden', errors: [{ code: 'declined' }] })
    }
    await t.settle()
    expect(await t.sent()).toEqual([])
    expect((await send(client, { campaignId, idempotencyKey: 'k' })).structuredContent.status).toBe('sending')
    expect(asked).toHaveLength(4)
    expect(asked[3]).toBe(
      'Send the campaign “July” (subject “Hello”) to 3 recipients now? Sent mail cannot be recalled.',
    )
    // A repeat is not a new send: nobody is asked again.
    expect((await send(client, { campaignId, idempotencyKey: 'k' })).structuredContent.status).toBe('sending')
    expect(asked).toHaveLength(4)
  })

  test('is not asked for what would be refused, and a yes is no approval', async () => {
    await using t = await testApp()
    let asked = 0
    const person = () => ({ action: 'accept', content: { confirm: ++asked > 0 } })
    await using client = await connect(t, generation, { person })
    const campaignId = await campaignOf(t, client)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { agentsNeedApproval: true }))
    const refused = problemOf(await send(client, { campaignId }))
    expect(refused).toMatchObject({ code: 'forbidden', errors: [{ code: 'approval_required' }] })
    expect(asked).toBe(0)
    const { contentHash } = await t.get(`/v1/campaigns/${campaignId}`, 200)
    await t.post(`/v1/campaigns/${campaignId}/approve`, { contentHash }, 200, { as: 'session' })
    expect((await send(client, { campaignId })).structuredContent.status).toBe('sending')
    expect(asked).toBe(1)
  })

  test('lends its model, whose words are checked', async () => {
    await using t = await testApp()
    const answers = [
      `Here you are:\n\`\`\`json\n${JSON.stringify({ name: 'Sale', subject: 'Sale!', content })}\n\`\`\``,
      JSON.stringify({ name: 'Sale', subject: 'Sale!', content: [{ type: 'html', text: '<script>' }] }),
      'I would rather not.',
    ]
    const requests: Json[] = []
    const model = (request: Json) => answers[requests.push(request) - 1] ?? ''
    await using client = await connect(t, generation, { model })
    const generate = (): Promise<Json> =>
      client.callTool({ name: 'generate_campaign', arguments: { prompt: 'Summer sale', tone: 'warm', locale: 'de' } })
    const { structuredContent } = await generate()
    expect(structuredContent).toMatchObject({ name: 'Sale', subject: 'Sale!', content, placeholder: false })
    expect(structuredContent.locale).toBe('de')
    expect(requests[0].systemPrompt).toContain('language de')
    expect(requests[0].messages[0].content.text).toBe('Summer sale\n\nTone: warm')
    for (const reason of ['content', 'not']) {
      const outline = (await generate()).structuredContent
      expect(outline).toMatchObject({ placeholder: true, subject: 'Summer sale' })
      expect(outline.next).toContain('could not be used')
      expect(outline.next).toContain(reason)
    }
  })
})

test('a yes holds for the campaign as it was shown: a change, or a made-up state, is asked about again', async () => {
  await using t = await testApp()
  await using plain = await connect(t)
  const campaignId = await campaignOf(t, plain)
  let asked = 0
  const person = async () => {
    asked++
    if (asked === 1) await t.request('PATCH', `/v1/campaigns/${campaignId}`, { subject: 'Other' })
    return { action: 'accept', content: { confirm: true } }
  }
  await using client = await connect(t, modern, { person: person as () => Json })
  t.clock.advance(1_000)
  expect((await send(client, { campaignId })).structuredContent.status).toBe('sending')
  expect(asked).toBe(2)
})

test('without a model there is an outline, the same for the same prompt, and it is fit for a draft', async () => {
  await using t = await testApp()
  await using client = await connect(t)
  const { list } = await listOf(t, 1)
  const call = { name: 'generate_campaign', arguments: { prompt: 'Summer sale', mailingListId: list.id } }
  const { structuredContent: outline } = await client.callTool(call)
  expect(outline).toMatchObject({ placeholder: true, mailingListId: list.id, subject: 'Summer sale' })
  expect((await client.callTool(call)).structuredContent).toEqual(outline)
  const { name, subject, previewText, content: tree, mailingListId } = outline
  const args = { name, subject, previewText, content: tree, mailingListId }
  expect((await client.callTool({ name: 'create_campaign', arguments: args })).isError).toBeUndefined()
})

test('another workspace’s campaign is not there, and what only a member may say is refused', async () => {
  await using t = await testApp()
  const { apiKey } = await t.stranger()
  await using client = await connect(t)
  await using stranger = await mcpClient(modern, `${t.url}/mcp`, apiKey)
  const campaignId = await campaignOf(t, client)
  for (const name of ['send_campaign', 'get_campaign'])
    expect(problemOf(await stranger.callTool({ name, arguments: { campaignId } })).code).toBe('not_found')
  const { list } = await listOf(t, 1, { domain: 'more.example.net' })
  const input = { name: 'X', subject: 'X', mailingListId: list.id, ignoreGuardrail: true }
  expect(problemOf(await client.callTool({ name: 'create_campaign', arguments: input })).code).toBe('validation_failed')
})
