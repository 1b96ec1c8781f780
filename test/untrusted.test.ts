// Where the words of strangers come out: a canary in every field that somebody outside can fill, and every tool called. Whoever sees it has
// read what a stranger wrote, so the tool must say so (`touches.reads`): what the airlock does rests on that.

import { expect, test } from 'bun:test'
import { mailboxSurface } from '../src/doors/mcp/surfaces.ts'
import { validInput } from './airlock/inputs.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { trust } from './support/campaign.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { mcpClient, workspaceSurface } from './support/mcp.ts'
import { call, modern } from './support/mcp-calls.ts'
import { startSink } from './support/smtp-sink.ts'

const canary = 'canary-5e1f'
const address = `${canary}@example.net`

/** Everything that a stranger can fill. Returns the ids of what came of it, by the names of arguments. */
async function fill(t: TestApp): Promise<Record<string, string>> {
  await trust(t, 'M1')
  const mailbox = await testMailbox(t, { address: 'desk@in.example.net' })
  const attached = [
    ...[`From: ${canary} <w-${address}>`, `To: ${canary} <desk@in.example.net>`, `Cc: ${canary} <c@example.net>`],
    ...[`Reply-To: ${canary} <w-${address}>`, `Subject: ${canary}`, `Message-ID: <${canary}@example.net>`],
    ...[`References: <${canary}-2@example.net>`, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', ''],
    ...['--b', 'Content-Type: text/plain', '', canary],
    ...[
      '--b',
      `Content-Type: text/csv; name="${canary}.csv"`,
      `Content-Disposition: attachment; filename="${canary}.csv"`,
      '',
    ],
    ...[canary, '--b--', ''],
  ]
  const messageId = await mailbox.receive(attached)
  // What an agent wrote down of it is no better.
  await call(t, mailbox, 'label_mail', { messageIds: [messageId], add: [canary] })
  await mailbox.receive(rawMail({ from: `${canary} <mailer-daemon@example.net>`, subject: canary, text: canary }))
  const properties = [{ key: canary.replace('-', '_'), name: 'Answer', type: 'string' }]
  for (const one of properties) await t.request('POST', '/v1/contacts/properties', one)
  const { listId, sourceId } = await t.form('single')
  const visitor = { as: { apiKey: sourceId }, headers: { origin: 'https://acme.test' } }
  const body = { email: address, firstName: canary, lastName: canary, mailingLists: { [listId]: true } }
  await t.request('POST', '/v1/contacts/opt-in', body, visitor)
  const contact = await t.contact({
    email: `c-${address}`,
    userId: 'c1',
    firstName: canary,
    mailingLists: { [listId]: true },
  })
  const event = { email: address, eventName: 'ordered', eventProperties: { note: canary } }
  await t.request('POST', '/v1/events/send', event)
  await t.template({ id: 'receipt', text: 'Hello {{contact.firstName}}' })
  const { messageId: sentId } = await t.mail({ email: address, templateId: 'receipt' })
  const content = [{ type: 'text', text: 'News' }]
  const campaign = { name: 'July', subject: 'News', mailingListId: listId, content }
  const { id: campaignId } = await t.post('/v1/campaigns', campaign, 201)
  await t.post(`/v1/campaigns/${campaignId}/send`, {}, 200)
  const definition = { start: null, steps: [{ id: 'one', type: 'send', templateId: 'receipt', next: null }] }
  const { id: sequence } = await t.post('/v1/sequences', { name: 'Welcome', definition }, 201)
  await t.post('/v1/suppressions', { email: `s-${address}`, note: canary }, 201).catch(() => null)
  await t.settle()
  return {
    mailbox: mailbox.token,
    message: messageId,
    sent: sentId,
    campaign: campaignId,
    list: listId,
    sequence,
    contact: contact.id,
  }
}

test('a canary of a stranger comes out of no tool that says that it reads what is ours', async () => {
  await using sink = startSink({ answer: (stage) => (stage === 'rcpt' ? `550 5.1.1 ${canary}` : undefined) })
  await using t = await testApp({ environment: { SMTP_URL: sink.url, INBOUND_DOMAIN: 'in.example.net' } })
  const ids = await fill(t)
  const surfaces = [
    { surface: mailboxSurface, path: '/mailbox/mcp', token: ids.mailbox ?? '' },
    { surface: workspaceSurface, path: '/mcp', token: t.apiKey },
  ]
  const seen = new Set<string>()
  const lying = new Set<string>()
  for (const { surface, path, token } of surfaces) {
    await using client = await mcpClient(modern, t.url + path, token)
    const { tools } = await client.listTools()
    for (const { name, inputSchema } of tools) {
      const touches = surface.tools.find((one) => one.name === name)?.touches
      for (const input of inputsFor(inputSchema, ids, path)) {
        t.clock.advance(2_000)
        const result = await client.callTool({ name, arguments: input })
        // What the caller wrote itself is no news to it.
        if (!JSON.stringify(result).includes(canary) || JSON.stringify(input).includes(canary)) continue
        seen.add(name)
        if (touches?.reads === 'own')
          lying.add(`${name} ${JSON.stringify(input)}: ${JSON.stringify(result).slice(0, 2_000)}`)
      }
    }
    // Nothing is noted for these.
    for (const { uriTemplate } of (await client.listResourceTemplates()).resourceTemplates) {
      const report = await client.readResource({ uri: uriTemplate.replace('{id}', ids.campaign) })
      if (JSON.stringify(report).includes(canary)) lying.add(uriTemplate)
    }
  }
  expect([...lying]).toEqual([])
  for (const name of [
    'read_inbox',
    'reply_to_email',
    'create_draft',
    'read_attachment',
    'list_labels',
    'find_contact',
    'search_activity',
    'list_campaign_recipients',
    'explain_message',
  ])
    expect([...seen]).toContain(name)
})

/** With all arguments and with the least, about each thing that a name may stand for. */
function inputsFor(schema: Json, ids: Record<string, string>, path: string): Record<string, unknown>[] {
  const known: Record<string, string> = {
    ...ids,
    message: (path === '/mcp' ? ids.sent : ids.message) ?? '',
    template: 'receipt',
  }
  return (['all', 'least'] as const).map((how) => {
    const text = JSON.stringify(validInput(schema, how)).replace(/\$(\w+)/g, (whole, name) => known[name] ?? whole)
    const input = JSON.parse(text)
    if ('contactId' in input) input.contactId = ids.contact
    if ('templateId' in input) input.templateId = 'receipt'
    for (const name of [
      'state',
      'status',
      'outcome',
      'q',
      'from',
      'to',
      'bucket',
      'groupBy',
      'domain',
      'search',
      'filename',
    ])
      if (path === '/mcp' || name !== 'to') delete input[name]
    // By the name that the caller gave, for what holds the canary is no news to it.
    return 'userId' in input ? { userId: 'c1' } : 'email' in input ? { ...input, email: 'nobody@example.net' } : input
  })
}
