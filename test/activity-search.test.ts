// The activity is searched by one line, through an index that a job makes a little later: what is found must not depend on how far it is.

import { describe, expect, test } from 'bun:test'
import { inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { messageEvents, messages } from '../db/tables/messages.ts'
import { write } from '../src/core/app.ts'
import { isFound } from '../src/features/sending/activity/search.ts'
import { buildIndex, deleteOldTerms } from '../src/features/sending/activity/search-index.ts'
import { parseSearch } from '../src/features/sending/activity/search-language.ts'
import { newId } from '../src/kit/id.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'

type NewMail = Partial<typeof messages.$inferInsert>

/** Mails that have left, as many as the patterns say, a minute apart. */
async function mails(t: TestApp, list: NewMail[], workspaceId = t.workspace.id): Promise<void> {
  for (let from = 0; from < list.length; from += 50)
    await write(t.app, async (tx) => {
      const rows = list.slice(from, from + 50).map((mail, index) => {
        const createdAt = new Date(tx.now.getTime() + (from + index - list.length) * 60_000)
        const id = newId(tx, 'msg', createdAt)
        const plain = {
          kind: 'transactional',
          status: 'sent',
          email: 'ada@example.net',
          subject: 'Hello',
          locale: 'en',
        } as const
        const rest = { fromEmail: 'a@b.test', variables: {}, messageIdHeader: `${id}@b.test`, updatedAt: createdAt }
        return { id, workspaceId, createdAt, ...plain, ...rest, ...mail }
      })
      await tx.db.insert(messages).values(rows)
    })
}

async function found(t: TestApp, q: string, perPage = 100): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page: Json = await t.get(`/v1/activity?perPage=${perPage}&q=${encodeURIComponent(q)}${more}`, 200)
    all.push(...page.data)
    cursor = page.pagination.nextCursor
    if (cursor === null) expect(page.pagination.totalResults).toBe(all.length)
  }
  return all
}

const emails = ['ada@example.net', 'Bob@Example.net', 'carl@example.org', 'dora@mail.example.org']
const mail = fc.record({
  email: fc.constantFrom(...emails),
  templateId: fc.constantFrom(null, 'welcome', 'invoice'),
  campaignId: fc.constantFrom(null, 'cmp_1', 'cmp_2'),
  contactId: fc.constantFrom(null, 'con_1', 'con_2'),
  tags: fc.constantFrom<string[] | null>(null, ['vip'], ['vip', 'beta x'], []),
  status: fc.constantFrom('sent', 'delivered', 'bounced', 'failed', 'cancelled'),
  subject: fc.constantFrom('Your invoice', 'Äpfel and "pears"', 'HELLO there'),
  idempotencyKey: fc.constantFrom(null, 'k1', 'k2'),
})
const word = fc.constantFrom(
  'to:ada@example.net',
  'to:BOB@example.net',
  'domain:example.org',
  'template:welcome',
  'template:none',
  'campaign:cmp_1',
  'contact:con_2',
  'tag:vip',
  'tag:"beta x"',
  'status:bounced',
  'status:sent,failed',
  'key:k1',
  'invoice',
  '"and \\"pears"',
  'Äpfel',
  'after:3h',
  'before:90m',
)
const query = fc.array(
  fc.tuple(fc.boolean(), word).map(([not, one]) => (not && !/^(after|before)/.test(one) ? `-${one}` : one)),
  { minLength: 1, maxLength: 4 },
)

const refusals: [q: string, place: string, words: string][] = [
  ['stat:failed', 'q, character 1', 'did you mean status?'],
  ['hello  to:ada', 'q, character 8', 'a whole address'],
  ['status:lost', 'q, character 1', 'one of queued, sending'],
  ['after:yesterday', 'q, character 1', 'how long ago'],
  ['after:1h after:2h', 'q, character 10', 'one after'],
  ['-before:1h', 'q, character 1', 'after:1h'],
  ['tag:', 'q, character 1', 'no value'],
  ['say "hello', 'q, character 5', 'does not end'],
  ['a"b" "c"d', 'q, character 6', 'text behind one'],
  ['words:a', 'q, character 1', 'no field "words"'],
  ['x '.repeat(21), 'q, character 41', 'at most 20 values'],
  ['x'.repeat(1001), 'q', '1000'],
]

describe('a search of the activity', () => {
  test('finds what a look at every mail would find, however far the index is', async () => {
    await using t = await testApp()
    const list = fc.sample(mail, { numRuns: 330, seed: 7 })
    const other = await t.stranger()
    await mails(t, list.slice(0, 150))
    await mails(t, list.slice(0, 100), other.workspace.id)
    expect(await buildIndex(t.app)).toBe(1)
    await mails(t, list.slice(150))
    const rows = await t.app.db.select().from(messages).where(sql`workspace_id = ${t.workspace.id}`)
    const check = async (queries: string[][]) => {
      for (const words of queries) {
        const once = words.filter(
          (one, index) => words.findIndex((two) => two.slice(0, 5) === one.slice(0, 5)) === index,
        )
        const q = once.join(' ')
        const search = parseSearch(q, t.app.clock.now())
        const expected = rows.filter((row) => isFound(row, search)).map(({ id }) => id)
        const ids = (await found(t, q)).map(({ messageId }) => messageId)
        expect(ids.toSorted(), q).toEqual(expected.toSorted())
      }
    }
    await check(fc.sample(query, { numRuns: 12, seed: 1 }))
    expect(await buildIndex(t.app)).toBe(2)
    await check(fc.sample(query, { numRuns: 24, seed: 2 }))
  })

  test('is read in pages, newest first, which may be short where there is much to look at', async () => {
    await using t = await testApp()
    await mails(t, [{ email: 'first@example.net' }, ...Array.from({ length: 250 }, () => ({ templateId: 'welcome' }))])
    await buildIndex(t.app)
    const pages = await found(t, 'template:welcome', 33)
    expect(pages).toHaveLength(250)
    expect(pages.map(({ messageId }) => messageId)).toEqual(
      pages
        .map(({ messageId }) => messageId)
        .toSorted()
        .reverse(),
    )
    expect(await found(t, 'to:first@example.net')).toHaveLength(1)
    const page = await t.get('/v1/activity?perPage=1&q=welcome%20-nothing', 200)
    expect(page).toMatchObject({ data: [], pagination: { totalResults: 0, nextCursor: null } })
    const first = await t.get('/v1/activity?perPage=1&q=hello', 200)
    await t.get(`/v1/activity?cursor=${first.pagination.nextCursor}`, 400)
  })

  test('that is wrong is refused, with the place and what is allowed there', async () => {
    await using t = await testApp()
    for (const [q, place, words] of refusals) {
      const { detail, errors } = await t.get(`/v1/activity?q=${encodeURIComponent(q)}`, 422)
      expect(errors[0].path).toBe('q')
      expect(detail).toContain(place)
      expect(detail).toContain(words)
    }
  })

  test('reads the words of query languages as plain ones', async () => {
    await using t = await testApp()
    const subject = `Say 'OR' 1=1 -- 100% snow_man* NEAR(a b) ^x`
    await mails(t, [{ subject: 'Hello' }, { subject }])
    await buildIndex(t.app)
    const none = [
      `' OR 1=1 --`,
      '%',
      '_',
      '*',
      'Hel*',
      'H_llo',
      'Hello OR welcome',
      '"subject : Hello"',
      '^Hello',
      '(Hello)',
    ]
    for (const q of none)
      expect(
        (await found(t, q)).map((one) => one.subject),
        q,
      ).not.toContain('Hello')
    for (const q of ['1=1', '100%', 'snow_man*', '"NEAR(a b)"'])
      expect(
        (await found(t, q)).map((one) => one.subject),
        q,
      ).toEqual([subject])
  })

  test('finds new mail where a deletion freed the place of older mail', async () => {
    await using t = await testApp()
    await mails(
      t,
      Array.from({ length: 300 }, () => ({ email: 'old@example.net' })),
    )
    await buildIndex(t.app)
    await write(t.app, (tx) => tx.db.delete(messages).where(sql`rowid > 100`))
    await mails(
      t,
      Array.from({ length: 300 }, () => ({ email: 'new@example.net' })),
    )
    expect(await found(t, 'to:new@example.net')).toHaveLength(300)
    await buildIndex(t.app)
    expect(await found(t, 'to:new@example.net')).toHaveLength(300)
    expect(await found(t, 'to:old@example.net')).toHaveLength(100)
  })

  test('keeps nothing of mails that were deleted, and of a person who was erased', async () => {
    await using t = await testApp()
    const { id } = await t.contact({ email: 'gone@example.net' })
    await mails(
      t,
      Array.from({ length: 600 }, (_, number) => ({ email: number < 400 ? 'a@example.net' : 'gone@example.net' })),
    )
    await buildIndex(t.app)
    const terms = async () => (await t.app.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM activity_terms`))[0]?.n
    const all = await terms()
    await write(t.app, async (tx) => {
      const old = tx.db.select({ id: messages.id }).from(messages).where(sql`rowid < 400`)
      await tx.db.delete(messageEvents).where(inArray(messageEvents.messageId, old))
      await tx.db.delete(messages).where(sql`rowid < 400`)
    })
    await deleteOldTerms(t.app, new AbortController().signal)
    expect(await terms()).toBeLessThan((all ?? 0) / 2)
    expect(await found(t, 'to:gone@example.net')).toHaveLength(200)
    const before = await terms()
    await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
    expect(await terms()).toBeLessThan(before ?? 0)
    expect(await found(t, 'to:gone@example.net')).toEqual([])
  })

  test('is what the filters of the list are, too', async () => {
    await using t = await testApp()
    await mails(t, [{ status: 'failed' }, { email: 'Bob@example.net', idempotencyKey: 'k' }, {}])
    for (const filter of ['status=failed', 'email=bob@EXAMPLE.net', 'idempotencyKey=k'])
      expect((await t.get(`/v1/activity?${filter}`, 200)).data).toHaveLength(1)
    expect((await t.get('/v1/activity?status=failed&q=to:bob@example.net', 200)).data).toEqual([])
  })

  test('is asked on the command line, too', async () => {
    using paquebot = await cli()
    await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@acme.test'])
    const found = await paquebot.run(['activity', 'to:ada@example.net -tag:beta', '--workspace', 'acme', '--json'])
    expect(found).toMatchObject({ code: 0, json: { mails: [] } })
    const wrong = await paquebot.run(['activity', 'staus:failed', '--workspace', 'acme'])
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain('q, character 1: there is no field "staus"; did you mean status?')
    expect(await paquebot.run(['activity', '--workspace', 'acme', '--limit', '0'])).toMatchObject({ code: 2 })
  })
})
