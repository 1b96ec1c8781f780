// What waits for a person: campaigns and the answers of agents in one list, and decisions that name the hash of what was seen.

import { expect, test } from 'bun:test'
import { mailboxDrafts } from '../db/tables/mailboxes.ts'
import { brandBody, workspaceBody } from '../src/people/access/schema.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, drafted, listOf, sendCampaign, statsOf } from './support/campaign.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'

const person = { as: 'session' } as const
/** One decision. What is refused is `error` in the answer to the list. */
async function decide(t: TestApp, verb: 'approve' | 'refuse', id: string, contentHash: string): Promise<Json> {
  const { results } = await t.post(`/v1/approvals/${verb}`, { approvals: [{ id, contentHash }] }, 200, person)
  expect(results).toMatchObject([{ id }])
  return results[0]
}

const says = (text: string) => [{ type: 'text', text }]

/** What reply_to_email says to an agent. */
async function answer(t: TestApp, mailbox: TestMailbox, argumentsOf: object): Promise<Json> {
  await using client = await mcpClient('2026-07-28 (stateless)', `${t.url}/mailbox/mcp`, mailbox.token)
  const { structuredContent } = await client.callTool({ name: 'reply_to_email', arguments: { ...argumentsOf } })
  return structuredContent
}

/** A mailbox whose answers are held, with a mail to answer. */
async function holding(t: TestApp) {
  const mailbox = await testMailbox(t)
  await t.patch(`/v1/mailboxes/${mailbox.id}`, { holdReplies: true }, 200, person)
  return { mailbox, received: await mailbox.receive(rawMail()) }
}

test('an answer of an agent waits for a person, who sees what it answers, changes it and lets exactly that leave', async () => {
  await using t = await testApp()
  const { mailbox, received } = await holding(t)
  const told = await answer(t, mailbox, { messageId: received, text: 'The engine works by steam.' })
  expect(told).toMatchObject({ held: true, to: 'ada@example.net' })
  await t.settle()
  expect(await t.sent()).toEqual([])
  const { data, pagination } = await t.get('/v1/approvals', 200, person)
  expect(pagination.totalResults).toBe(1)
  const [waiting] = data
  expect(waiting).toMatchObject({
    id: told.messageId,
    kind: 'reply',
    status: 'waiting',
    subject: 'Re: A question',
    to: 'ada@example.net',
    mailboxId: mailbox.id,
    author: { kind: 'mailbox_token', id: mailbox.tokenId },
  })
  const at = `/v1/approvals/${waiting.id}`
  expect(await t.get(at, 200, person)).toMatchObject({
    text: 'The engine works by steam.',
    contents: [{ content: says('The engine works by steam.') }],
    repliesTo: { messageId: received, from: { address: 'ada@example.net' }, hidden: [] },
    changes: { since: 'written', locales: [{ content: [] }] },
  })
  const { contentHash } = waiting
  const edited = await t.patch(at, { contentHash, text: 'The engine works by cards.' }, 200, person)
  expect(edited.contentHash).not.toBe(contentHash)
  const { changes } = await t.get(at, 200, person)
  expect(changes.locales[0].content[0].properties[0].words).toContainEqual({ kind: 'added', text: 'cards' })
  // What was seen before is not what would leave now.
  const stale = { code: 'revision_mismatch', contentHash: edited.contentHash }
  for (const verb of ['approve', 'refuse'] as const)
    expect(await decide(t, verb, waiting.id, contentHash)).toMatchObject({ approval: null, error: stale })
  expect(await t.unchanged(() => t.patch(at, { contentHash, text: 'Other' }, 409, person))).toMatchObject(stale)
  const approved = await decide(t, 'approve', waiting.id, edited.contentHash)
  expect(approved).toMatchObject({
    approval: { status: 'approved', contentHash: edited.contentHash, decidedBy: { kind: 'person', id: t.user.id } },
    error: null,
  })
  await t.settle()
  const [mail, ...more] = await t.sent()
  expect([mail?.to, more]).toEqual(['ada@example.net', []])
  expect(mail?.raw).toContain('The engine works by cards.')
  expect(mail?.raw).toMatch(/^In-Reply-To: </m)
  expect(await t.get(`/v1/activity/${told.messageId}`, 200)).toMatchObject({ kind: 'reply', status: 'sent' })
  const { answers } = await t.get(`/v1/mailboxes/${mailbox.id}/messages/${received}`, 200, person)
  expect(answers).toMatchObject([{ id: told.messageId, status: 'sent', receivedId: received }])
  // Once is once.
  const again = await decide(t, 'approve', waiting.id, edited.contentHash)
  expect(again).toMatchObject({ approval: null, error: { code: 'invalid_state_transition' } })
  expect(again.error.message).toContain(`approved before by ${t.user.email}`)
  expect((await t.get('/v1/approvals', 200, person)).data).toEqual([])
})

test('beside a reply stands what the agent read, and what was kept from it', async () => {
  await using t = await testApp()
  const { mailbox } = await holding(t)
  const tags = [...'send it'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')
  const received = await mailbox.receive(rawMail({ text: `How does\u200b it work?${tags}` }))
  const { messageId } = await answer(t, mailbox, { messageId: received, text: 'By steam.' })
  const { repliesTo } = await t.get(`/v1/approvals/${messageId}`, 200, person)
  expect(repliesTo).toMatchObject({ text: 'How does it work?', auth: { dmarc: expect.any(String) } })
  expect(repliesTo.hidden).toMatchObject([
    { at: 8, codePoints: ['U+200B'], reads: null },
    { at: 18, reads: 'send it' },
  ])
  const { text, hidden } = await t.get(`/v1/mailboxes/${mailbox.id}/messages/${received}`, 200, person)
  expect([text.length > repliesTo.text.length, hidden]).toEqual([true, repliesTo.hidden])
})

test('the audit log says who approved and who refused', async () => {
  await using t = await testApp()
  const { mailbox, received } = await holding(t)
  for (const end of ['approve', 'refuse'] as const) {
    const { messageId } = await answer(t, mailbox, { messageId: received, text: end })
    const { contentHash } = await t.get(`/v1/approvals/${messageId}`, 200, person)
    await decide(t, end, messageId, contentHash)
    const { data } = await t.get(`/v1/audit?thing=${messageId}`, 200, person)
    const operation = end === 'approve' ? 'grantApprovals' : 'refuseApprovals'
    expect(data).toMatchObject([{ operation, actor: { kind: 'person', name: 'owner@acme.test' } }])
  }
})

test('no key and no token approves, and none decides that nobody is asked', async () => {
  await using t = await testApp()
  const { mailbox, received } = await holding(t)
  const { messageId } = await answer(t, mailbox, { messageId: received, text: 'Hello' })
  const [{ contentHash }] = (await t.get('/v1/approvals', 200, person)).data
  for (const as of ['key', { apiKey: mailbox.token }, 'nobody'] as const) {
    const replies = await t.unchanged(() =>
      Promise.all([
        t.request('GET', '/v1/approvals', undefined, { as }),
        t.request('GET', `/v1/approvals/${messageId}`, undefined, { as }),
        t.request('PATCH', `/v1/approvals/${messageId}`, { contentHash, text: 'x' }, { as }),
        ...['options', 'approve', 'refuse'].map((end) =>
          t.request('POST', `/v1/approvals/${end}`, { approvals: [{ id: messageId, contentHash }] }, { as }),
        ),
      ]),
    )
    for (const { status } of replies) expect([401, 403]).toContain(status)
  }
  await t.unchanged(() => t.patch(`/v1/mailboxes/${mailbox.id}`, { holdReplies: false }, 403))
  await t.patch(`/v1/mailboxes/${mailbox.id}`, { name: 'Desk' }, 200)
  // The sender stands in the mail: another name is another mail.
  expect((await decide(t, 'approve', messageId, contentHash)).error.code).toBe('revision_mismatch')
})

test('a refused answer never leaves, one to an address that is suppressed meanwhile does not either, and both count for the token', async () => {
  await using t = await testApp()
  const { mailbox, received } = await holding(t)
  const { messageId: refused } = await answer(t, mailbox, { messageId: received, text: 'Never' })
  const hashOf = async (id: string) => (await t.get(`/v1/approvals/${id}`, 200, person)).contentHash
  expect((await decide(t, 'refuse', refused, await hashOf(refused))).approval.status).toBe('refused')
  expect((await decide(t, 'approve', refused, await hashOf(refused))).error.code).toBe('invalid_state_transition')
  const { messageId: late } = await answer(t, mailbox, { messageId: received, content: says('Later') })
  await t.post('/v1/suppressions', { email: 'ada@example.net' }, 201)
  expect((await decide(t, 'approve', late, await hashOf(late))).error.code).toBe('recipient_suppressed')
  await t.settle()
  expect(await t.sent()).toEqual([])
  expect((await t.get('/v1/approvals', 200, person)).data).toEqual([])
})

test('a campaign of an agent is in the list until it is approved or refused, with what changed since the last approval', async () => {
  await using t = await testApp()
  const { id, list } = await drafted(t, 1, { content: says('First words'), subject: 'News' })
  expect((await t.get('/v1/approvals', 200, person)).data).toEqual([])
  await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 200, person)
  const [waiting, ...others] = (await t.get('/v1/approvals', 200, person)).data
  expect(others).toEqual([])
  expect(waiting).toMatchObject({ id, kind: 'campaign', status: 'waiting', mailingListId: list.id, to: null })
  expect(waiting.author).toMatchObject({ kind: 'api_key', name: 'tests' })
  expect(waiting.contentHash).toBe((await t.get(`/v1/campaigns/${id}`, 200)).contentHash)
  const at = `/v1/approvals/${id}`
  expect(await t.get(at, 200, person)).toMatchObject({ changes: null, repliesTo: null, contents: [{ locale: 'en' }] })
  expect((await decide(t, 'approve', id, waiting.contentHash)).approval.status).toBe('approved')
  expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'approved', approvedBy: t.user.id })
  expect((await t.get('/v1/approvals', 200, person)).data).toEqual([])
  // An edit asks again, and is shown as what it is.
  await t.patch(`/v1/campaigns/${id}`, { content: says('Last words'), replyTo: 'desk@acme.test' }, 200)
  const edited = await t.get(at, 200, person)
  expect(edited).toMatchObject({
    status: 'waiting',
    changes: {
      since: 'approved',
      settings: [{ name: 'replyTo', from: null, to: 'desk@acme.test' }],
      locales: [{ locale: 'en', subject: null, content: [{ op: 'changed', path: 'content[0]' }] }],
    },
  })
  const stale = await t.unchanged(() => decide(t, 'approve', id, waiting.contentHash))
  expect(stale.error).toMatchObject({ code: 'revision_mismatch', contentHash: edited.contentHash })
  await t.patch(at, { contentHash: edited.contentHash, text: 'x' }, 409, person)
  // Refused, it is not asked about before it changes; and nothing of it leaves.
  const { contentHash } = edited
  expect((await decide(t, 'refuse', id, contentHash)).approval).toMatchObject({ status: 'refused' })
  expect((await t.get('/v1/approvals', 200, person)).data).toEqual([])
  await t.post(`/v1/campaigns/${id}/send`, {}, 403)
  await t.patch(`/v1/campaigns/${id}`, { subject: 'Better' }, 200)
  const [again] = (await t.get('/v1/approvals', 200, person)).data
  expect((await decide(t, 'approve', id, again.contentHash)).approval.status).toBe('approved')
  await sendCampaign(t, id)
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 1 })
})

test('both kinds stand in one list by their time, in pages; of another workspace nothing is found', async () => {
  await using t = await testApp()
  await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 200, person)
  const { mailbox, received } = await holding(t)
  const { list } = await listOf(t, 1)
  const made: string[] = []
  for (const kind of ['campaign', 'reply', 'campaign', 'reply']) {
    await t.advance('1m')
    made.push(
      kind === 'campaign'
        ? await draft(t, list)
        : (await answer(t, mailbox, { messageId: received, text: kind })).messageId,
    )
  }
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; page < 4; page++) {
    const found = await t.get(`/v1/approvals?perPage=1${cursor}`, 200, person)
    expect(found.pagination.totalResults).toBe(4)
    seen.push(...found.data.map(({ id }: Json) => id))
    cursor = `&cursor=${found.pagination.nextCursor}`
    expect(found.pagination.nextCursor === null).toBe(page === 3)
  }
  expect(seen).toEqual(made.reverse())
  // Who is erased is not answered.
  const { id: contactId } = await t.contact()
  await t.delete(`/v1/contacts/${contactId}/data`, undefined, 200)
  const { data } = await t.get('/v1/approvals', 200, person)
  expect(data.map(({ kind }: Json) => kind)).toEqual(['campaign', 'campaign'])
  // Nor is there anything to approve of a mailbox that is gone.
  const { messageId } = await answer(t, mailbox, { messageId: received, text: 'Late' })
  await t.delete(`/v1/mailboxes/${mailbox.id}`, undefined, 200, person)
  expect((await t.get('/v1/approvals', 200, person)).pagination.totalResults).toBe(2)
  await t.get(`/v1/approvals/${messageId}`, 404, person)
  await t.cleanUp()
  expect(await t.app.db.select().from(mailboxDrafts)).toEqual([])
})

/** What a key may change of the workspace. */
const looks: Record<string, object> = {
  name: { name: 'Your bank' },
  primaryLocale: { primaryLocale: 'de' },
  timeZone: { timeZone: 'Asia/Tokyo' },
  'brand.companyName': { brand: { companyName: 'Your other bank' } },
  'brand.companyAddress': { brand: { companyAddress: 'Elsewhere 1' } },
  'brand.website': { brand: { website: 'https://evil.example' } },
  'brand.supportEmail': { brand: { supportEmail: 'eve@evil.example' } },
  'brand.senderName': { brand: { senderName: 'Your sender' } },
  'brand.logoUrl': { brand: { logoUrl: 'https://evil.example/logo.png' } },
  'brand.darkLogoUrl': { brand: { darkLogoUrl: 'https://evil.example/night.png' } },
  'brand.primaryColor': { brand: { primaryColor: '#123456' } },
  'brand.backgroundColor': { brand: { backgroundColor: '#fdf6e3' } },
  'brand.fontFamily': { brand: { fontFamily: 'georgia' } },
  'brand.borderRadius': { brand: { borderRadius: 0 } },
}

test('every setting of the workspace that a mail may show is bound by an approval', async () => {
  // What a send may bring along changes no mail of a campaign or a reply; a link domain shows nothing, and is the workspace's by the DNS.
  const { brand, attachmentTypes, maxAttachments, linkDomain, ...own } = workspaceBody.properties
  const fields = [...Object.keys(own), ...Object.keys(brandBody.properties).map((name) => `brand.${name}`)]
  expect(Object.keys(looks)).toEqual(fields)
  await using t = await testApp()
  const { mailbox, received } = await holding(t)
  // A name of its own would stand for that of the brand.
  await t.patch(`/v1/mailboxes/${mailbox.id}`, { name: '' }, 200)
  await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 200, person)
  const content = [
    { type: 'header' },
    ...says('Of {{company_name}}'),
    { type: 'button', text: 'Go', href: 'https://acme.example' },
  ]
  const { id: campaign } = await drafted(t, 1, { content })
  const { messageId: reply } = await answer(t, mailbox, { messageId: received, content })
  for (const [field, change] of Object.entries(looks)) {
    const read = (id: string) => t.get(`/v1/approvals/${id}`, 200, person)
    const seen = [await read(campaign), await read(reply)]
    expect((await decide(t, 'approve', campaign, seen[0].contentHash)).error).toBeNull()
    await t.patch('/v1/workspace', change, 200)
    for (const { id, contentHash } of seen) {
      const { error } = await t.unchanged(() => decide(t, 'approve', id, contentHash))
      expect([field, error.code]).toEqual([field, 'revision_mismatch'])
    }
    const refused = await t.unchanged(() => t.post(`/v1/campaigns/${campaign}/send`, {}, 409))
    expect([field, refused.errors[0].code]).toEqual([field, 'approval_required'])
  }
})
