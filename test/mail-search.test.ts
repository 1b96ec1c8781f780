// Searching the mail of a mailbox: words of every script, filters, pages, and that nothing of another mailbox is ever found.

import { describe, expect, test } from 'bun:test'
import { isNull } from 'drizzle-orm'
import { receivedLabels, receivedTexts } from '../db/tables/mailboxes.ts'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { indexMail } from '../src/features/mailboxes/search-index.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'

async function found(t: TestApp, { id }: TestMailbox, query: Record<string, string>): Promise<string[]> {
  const { data } = await t.get(`/v1/mailboxes/${id}/messages?${new URLSearchParams(query)}`, 200, session)
  return data.map(({ subject }: { subject: string }) => subject)
}

describe('words', () => {
  test.each([
    ['invoice', 'Your INVOICE of May', 'Dear Sir'],
    ['uber', 'Über uns', ''],
    ['über', 'Uber receipt', ''],
    ['STRASSE', 'Neue Straße 5', ''],
    ['привет', 'ПРИВЕТ, мир', ''],
    ['كتاب', 'هذا كِتَاب جديد', ''],
    ['שלום', 'שָׁלוֹם', ''],
    ['हिन्दी', 'यह हिन्दी है', ''],
    ['東京', '会議は東京で', ''],
    ['ภาษา', 'ภาษาไทย', ''],
    ['한국어', '한국어 메일', ''],
    ['"engine works"', 'A', 'How the engine works today'],
    ['engine today', 'B', 'How the engine works today'],
    ['ada@example.net', 'C', 'x'],
    ['lovelace', 'D', 'x'],
  ])('%s is found', async (q, subject, text) => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await mailbox.receive(rawMail({ subject: `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`, text }))
    await mailbox.receive(rawMail({ from: 'bob@example.org', subject: 'Something else', text: 'Works the engine?' }))
    expect(await found(t, mailbox, { q })).toEqual([subject])
  })
})

/** How many mails the index itself knows. */
async function indexed(t: TestApp): Promise<number> {
  const [row] = await t.app.db.all<{ n: number }>('SELECT count(*) AS n FROM mail_search')
  return row?.n ?? -1
}

test('conditions all hold, and a page leads to the next', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  const start = t.clock.now().getTime()
  for (let number = 0; number < 5; number++) {
    await mailbox.receive(rawMail({ from: `p${number % 2}@shop${number % 2}.example`, subject: `Order ${number}` }))
    await t.advance('1h')
  }
  const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString()
  expect(await found(t, mailbox, { q: 'order' })).toEqual(['Order 4', 'Order 3', 'Order 2', 'Order 1', 'Order 0'])
  expect(await found(t, mailbox, { from: 'shop1.example' })).toEqual(['Order 3', 'Order 1'])
  expect(await found(t, mailbox, { q: 'order', after: at(1), before: at(3) })).toEqual(['Order 2', 'Order 1'])
  expect(await found(t, mailbox, { after: at(1), before: at(3) })).toEqual(['Order 2', 'Order 1'])
  expect(await found(t, mailbox, { q: 'order', hasAttachments: 'true' })).toEqual([])
  const path = `/v1/mailboxes/${mailbox.id}/messages`
  const first = await t.get(`${path}?q=order&perPage=2`, 200, session)
  const { nextCursor } = first.pagination
  const second = await t.get(`${path}?q=order&perPage=2&cursor=${nextCursor}`, 200, session)
  expect(second.data.map(({ subject }: Json) => subject)).toEqual(['Order 2', 'Order 1'])
  expect([first.pagination.totalResults, second.pagination.totalResults]).toEqual([2, 4])
  const third = await t.get(`${path}?q=order&perPage=2&cursor=${second.pagination.nextCursor}`, 200, session)
  expect([third.data.length, third.pagination.nextCursor]).toEqual([1, null])
  const [{ id }] = first.data
  await t.patch(`${path}/${id}`, { read: true }, 200, session)
  expect(await found(t, mailbox, { q: 'order', unread: 'false' })).toEqual(['Order 4'])
  expect(await found(t, mailbox, { unread: 'true' })).toHaveLength(4)
  const refused = await t.get(`${path}?cursor=${nextCursor}`, 400, session)
  expect(refused.code).toBe('invalid_cursor')
})

describe('a query is words and never syntax', () => {
  test.each([
    ['"', 422],
    ['***', 422],
    ['🎉 👩‍👩‍👧', 422],
    [' ', 422],
    ['x'.repeat(201), 422],
    ['x'.repeat(10_240), 422],
    [Array.from({ length: 17 }, (_, number) => `w${number}`).join(' '), 422],
  ])('%s is refused', async (q, status) => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await mailbox.receive(rawMail())
    for (const name of ['q', 'from']) {
      const query = new URLSearchParams({ [name]: q })
      const problem = await t.get(`/v1/mailboxes/${mailbox.id}/messages?${query}`, status, session)
      expect(problem.errors[0].path).toContain(name)
    }
  })

  test.each([
    'subject : question',
    'question NOT engine',
    'question OR nothing',
    'NEAR(question engine, 5)',
    'quest*',
    '^question nothing',
    '- question nothing',
    "question' OR 1=1 --",
    '{subject sender} : nothing',
    'mailbox : question',
    'rank MATCH 1',
    '\u202equestion\u202c nothing',
  ])('%s finds what has all its words', async (q) => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await mailbox.receive(rawMail())
    expect(await found(t, mailbox, { q })).toEqual([])
    await mailbox.receive(rawMail({ subject: 'All', text: q.replaceAll(/[\u202e\u202c]/g, '') }))
    expect(await found(t, mailbox, { q })).toEqual(['All'])
  })

  test('a phrase without its end, and words right to left', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await mailbox.receive(rawMail())
    expect(await found(t, mailbox, { q: '"how does the eng' })).toEqual([])
    expect(await found(t, mailbox, { q: '"how does the engine' })).toEqual(['A question'])
    expect(await found(t, mailbox, { q: '\u202eeng\u0000ine' })).toEqual(['A question'])
  })
})

test('what is not shown to a person is not found', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  const html = '<p>Hello friend</p><p style="display:none">zanzibar</p>'
  await mailbox.receive(rawMail({ text: html }).replace('text/plain', 'text/html'))
  expect(await found(t, mailbox, { q: 'friend' })).toHaveLength(1)
  expect(await found(t, mailbox, { q: 'zanzibar' })).toEqual([])
})

test('no mail of another mailbox is found', async () => {
  await using t = await testApp()
  const mine = await testMailbox(t)
  const theirs = await testMailbox(t, { address: 'theirs@paquebot.localhost' })
  const stranger = await t.stranger()
  const foreign = await testMailbox(t, { address: 'foreign@paquebot.localhost', workspaceId: stranger.workspace.id })
  for (const mailbox of [theirs, foreign]) await mailbox.receive(rawMail({ subject: `To ${mailbox.address}` }))
  for (const q of ['engine', theirs.id, foreign.id, `mailbox:"${theirs.id}"`, 'paquebot'])
    expect(await found(t, mine, { q }), q).toEqual([])
  expect(await found(t, mine, { from: 'ada' })).toEqual([])
  expect(await found(t, theirs, { q: 'engine' })).toEqual(['To theirs@paquebot.localhost'])
  await t.get(`/v1/mailboxes/${foreign.id}/messages?q=engine`, 404, session)
})

test('what retention or the end of a mailbox deletes is in no index any more', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  const other = await testMailbox(t, { address: 'other@paquebot.localhost' })
  for (const one of [mailbox, other]) {
    const id = await one.receive(rawMail({ text: 'zanzibar' }))
    await t.post(`/v1/mailboxes/${one.id}/labels`, { messageIds: [id], add: ['L'] }, 200, session)
  }
  expect(await indexed(t)).toBe(2)
  await t.delete(`/v1/mailboxes/${other.id}`, undefined, 200, session)
  await t.cleanUp()
  expect([await indexed(t), (await t.app.db.select().from(receivedTexts)).length]).toEqual([1, 1])
  expect(await found(t, mailbox, { q: 'zanzibar' })).toHaveLength(1)
  await t.advance('91d')
  await t.cleanUp()
  expect(await indexed(t)).toBe(0)
  expect(await t.app.db.select().from(receivedTexts)).toEqual([])
  expect(await t.app.db.select().from(receivedLabels)).toEqual([])
})

test('mail from before there was an index is added by a job', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  for (const subject of ['Old one', 'Old two']) await mailbox.receive(rawMail({ subject }))
  const rows = await t.app.db.select().from(receivedTexts)
  // As the migration leaves it.
  await write(t.app, async (tx) => {
    await tx.db.delete(receivedTexts)
    await tx.db.insert(receivedTexts).values(rows.map((row) => ({ ...row, subject: '', sender: '', body: null })))
  })
  expect([await indexed(t), await found(t, mailbox, { q: 'old' })]).toEqual([0, []])
  await write(t.app, (tx) => enqueue(tx, indexMail, { workspaceId: '', payload: {} }))
  await t.settle()
  expect(await t.app.db.select().from(receivedTexts).where(isNull(receivedTexts.body))).toEqual([])
  expect(await found(t, mailbox, { q: 'old engine' })).toEqual(['Old two', 'Old one'])
  expect(await found(t, mailbox, { from: 'ada@example.net' })).toHaveLength(2)
})
