// Threads and labels of a mailbox, as people and agents see them, and tools whose answers fit a context.

import { describe, expect, test } from 'bun:test'
import { type Json, session, testApp } from './support/app.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { call, problemOf } from './support/mcp-calls.ts'

const answerTo = (id: string) => [`In-Reply-To: <${id}>`, `References: <${id}>`]
const bytesOf = (result: Json) => Buffer.byteLength(result.content[0].text)

describe('threads', () => {
  test('the one that received last comes first, with who wrote and how much', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const first = await mailbox.receive(rawMail({ id: 'a@example.net', subject: 'First' }))
    await t.advance('1m')
    await mailbox.receive(rawMail({ subject: 'Second', from: 'Bob <bob@example.org>' }))
    await t.advance('1m')
    await call(t, mailbox, 'reply_to_email', { messageId: first, text: 'Like this.' })
    await t.advance('1m')
    const again = rawMail({ subject: 'Re: First', from: 'Eve <eve@example.org>', headers: answerTo('a@example.net') })
    const last = await mailbox.receive(again)
    await call(t, mailbox, 'label_mail', { messageIds: [first], add: ['Todo'] })
    const { threads, hasMore } = (await call(t, mailbox, 'list_threads')).structuredContent
    expect(hasMore).toBeFalse()
    expect(threads.map(({ subject }: Json) => subject)).toEqual(['Re: First', 'Second'])
    expect(threads[0]).toMatchObject({
      people: [
        { name: 'Eve', address: 'eve@example.org' },
        { name: 'Ada Lovelace', address: 'ada@example.net' },
      ],
      received: 2,
      sent: 1,
      unread: 1,
      labels: ['Todo'],
      lastMessageId: last,
    })
    const labelled = (await call(t, mailbox, 'list_threads', { label: 'todo' })).structuredContent.threads
    expect(labelled.map(({ id }: Json) => id)).toEqual([threads[0].id])
    const page = await t.get(`/v1/mailboxes/${mailbox.id}/threads?perPage=1`, 200, session)
    expect(page.data[0]).toMatchObject({ id: threads[0].id, received: 2, labels: ['Todo'], last: { id: last } })
    const { nextCursor } = page.pagination
    const rest = await t.get(`/v1/mailboxes/${mailbox.id}/threads?perPage=1&cursor=${nextCursor}`, 200, session)
    expect([rest.data[0].last.subject, rest.pagination.nextCursor]).toEqual(['Second', null])
    const thread = (await call(t, mailbox, 'read_thread', { threadId: threads[0].id })).structuredContent
    expect(thread.mails.map(({ kind, text }: Json) => [kind, text])).toEqual([
      ['received', 'How does the engine work?'],
      ['sent', 'Like this.'],
      ['received', 'How does the engine work?'],
    ])
  })

  test('is read in pages that fit, and what is left out is said', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const text = `${'"\\ é 漢 '.repeat(3_000)}`
    for (let number = 0; number < 6; number++) {
      const headers = number === 0 ? [] : answerTo('m0@example.net')
      await mailbox.receive(
        rawMail({ id: `m${number}@example.net`, headers, text: number === 2 ? text : `Mail ${number}` }),
      )
      await t.advance('1s')
    }
    const [{ id: threadId }] = (await call(t, mailbox, 'list_threads')).structuredContent.threads
    const seen: Json[] = []
    for (let cursor: string | undefined; ; ) {
      const result = await call(t, mailbox, 'read_thread', { threadId, ...(cursor && { cursor }) })
      expect(bytesOf(result)).toBeLessThan(8_192)
      const { mails, hasMore, nextCursor } = result.structuredContent
      seen.push(...mails)
      expect(hasMore).toBe(nextCursor !== null)
      if (nextCursor === null) break
      cursor = nextCursor
    }
    expect(seen).toHaveLength(6)
    expect(seen[2].cutChars).toBeGreaterThan(text.length / 2)
    expect(seen.filter(({ cutChars }) => cutChars > 0)).toHaveLength(1)
    expect(seen[5].text).toStartWith('Mail 5')
    const largest = await call(t, mailbox, 'read_thread', { threadId, maxBytes: 31_000 })
    expect(bytesOf(largest)).toBeLessThan(32_768)
  })

  test('of another mailbox is not there', async () => {
    await using t = await testApp()
    const mine = await testMailbox(t)
    const theirs = await testMailbox(t, { address: 'theirs@paquebot.localhost' })
    const messageId = await theirs.receive(rawMail())
    const [{ id: threadId }] = (await call(t, theirs, 'list_threads')).structuredContent.threads
    expect(problemOf(await call(t, mine, 'read_thread', { threadId })).code).toBe('not_found')
    expect((await call(t, mine, 'list_threads')).structuredContent.threads).toEqual([])
    expect((await call(t, mine, 'search_mail', { query: 'engine' })).structuredContent.messages).toEqual([])
    const labelling = { messageIds: [messageId], add: ['Mine'] }
    expect(problemOf(await call(t, mine, 'label_mail', labelling)).code).toBe('not_found')
    await t.post(`/v1/mailboxes/${mine.id}/labels`, labelling, 404, session)
    expect((await call(t, theirs, 'list_labels')).structuredContent.labels).toEqual([])
  })
})

test('answers fit a context, whatever senders write', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  const name = '漢'.repeat(300)
  for (let number = 0; number < 30; number++)
    await mailbox.receive(
      rawMail({ subject: `"${name}\\"`, from: `"${name}" <ada@example.net>`, text: `zebra ${name}` }),
    )
  for (const [tool, args] of [
    ['search_mail', { query: 'zebra' }],
    ['list_threads', {}],
  ] as const) {
    const result = await call(t, mailbox, tool, args)
    expect(bytesOf(result), tool).toBeLessThan(8_192)
    expect(result.structuredContent.hasMore).toBeTrue()
    const large = await call(t, mailbox, tool, { ...args, limit: 50 })
    expect(bytesOf(large), tool).toBeLessThan(32_768)
    expect(result.content[0].text).toMatch(/^The text between the lines <<<UNTRUSTED EMAIL/)
    const ids = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { structuredContent } = await call(t, mailbox, tool, { ...args, ...(cursor && { cursor }) })
      for (const { id } of structuredContent.messages ?? structuredContent.threads) ids.add(id)
      cursor = structuredContent.nextCursor
    }
    expect(ids.size, tool).toBe(30)
  }
})

describe('labels', () => {
  test('are added, found, counted and taken away, in any case', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const ids = [await mailbox.receive(rawMail({ subject: 'One' })), await mailbox.receive(rawMail({ subject: 'Two' }))]
    const path = `/v1/mailboxes/${mailbox.id}/labels`
    const made = await call(t, mailbox, 'label_mail', { messageIds: ids, add: [' To  do ', 'Später'], markRead: true })
    expect(made.structuredContent.labels).toEqual([
      { label: 'Später', messages: 2 },
      { label: 'To do', messages: 2 },
    ])
    expect(await t.post(path, { messageIds: [ids[0]], add: ['TO DO', 'x'], remove: ['SPÄTER'] }, 200, session)).toEqual(
      {
        data: [
          { label: 'Später', messages: 1 },
          { label: 'To do', messages: 2 },
          { label: 'x', messages: 1 },
        ],
        warnings: [],
      },
    )
    const { messages } = (await call(t, mailbox, 'search_mail', { label: 'X', query: 'engine' })).structuredContent
    expect(messages).toMatchObject([{ id: ids[0], labels: ['To do', 'x'], unread: false }])
    const listed = await t.get(`/v1/mailboxes/${mailbox.id}/messages?label=sp%C3%A4ter`, 200, session)
    expect(listed.data).toMatchObject([{ subject: 'Two', labels: ['Später', 'To do'] }])
    const one = await t.get(`/v1/mailboxes/${mailbox.id}/messages/${ids[0]}`, 200, session)
    expect(one.labels).toEqual(['To do', 'x'])
    await t.post(path, { messageIds: ids, remove: ['to do', 'x', 'Später'], read: false }, 200, session)
    expect(await t.get(path, 200, session)).toEqual({ data: [] })
    const unread = (await call(t, mailbox, 'search_mail', { unread: true })).structuredContent
    expect(unread.messages).toHaveLength(2)
  })

  test.each([
    [{ add: [' '] }, 'add.0'],
    [{ add: ['a\u202eb'] }, 'add.0'],
    [{ add: ['a\u0000b'] }, 'add.0'],
    [{ add: ['a'], remove: ['A'] }, 'remove'],
    [{ add: Array.from({ length: 20 }, (_, number) => `l${number}`) }, 'add'],
  ])('%j is refused, and nothing is labelled', async (labelling, path) => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const id = await mailbox.receive(rawMail())
    const at = `/v1/mailboxes/${mailbox.id}/labels`
    await t.post(at, { messageIds: [id], add: ['kept'] }, 200, session)
    const problem = await t.unchanged(() => t.post(at, { messageIds: [id], ...labelling }, 422, session))
    expect(problem.errors[0].path).toBe(path)
  })

  test('a mailbox has at most 200 different ones', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const at = `/v1/mailboxes/${mailbox.id}/labels`
    const ids: string[] = []
    for (let number = 0; number < 11; number++) ids.push(await mailbox.receive(rawMail()))
    const labelsOf = (number: number) => Array.from({ length: 20 }, (_, one) => `l${number * 20 + one}`)
    for (let number = 0; number < 10; number++)
      await t.post(at, { messageIds: [ids[number]], add: labelsOf(number) }, 200, session)
    const problem = await t.unchanged(() => t.post(at, { messageIds: [ids[10]], add: ['one more'] }, 422, session))
    expect(problem.detail).toContain('at most 200')
    await t.post(at, { messageIds: [ids[10]], add: ['l0'] }, 200, session)
  })

  test('a tool that only reads does not label, and a token without the scope does nothing', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t, { scopes: ['reply'] })
    const messageId = await mailbox.receive(rawMail())
    const args = { messageIds: [messageId], add: ['x'] }
    expect(problemOf(await call(t, mailbox, 'label_mail', args)).code).toBe('insufficient_scope')
    expect(problemOf(await call(t, mailbox, 'search_mail', {})).code).toBe('insufficient_scope')
  })

  test('the answer of labelling holds nothing that a sender wrote', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(
      rawMail({ subject: 'zanzibar', text: 'zanzibar', from: 'zanzibar@example.net' }),
    )
    const result = await call(t, mailbox, 'label_mail', { messageIds: [messageId], add: ['done'] })
    expect(JSON.stringify(result)).not.toContain('zanzibar')
  })
})
