// Files of contacts: what an import makes of each row, that it never upgrades consent, that it can be repeated and interrupted, and
// that an export comes back as it was.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { importPieces } from '../db/tables/contacts.ts'
import { write } from '../src/core/app.ts'
import { deleteOldImports, importContacts } from '../src/features/contacts/imports/imports.ts'
import { csvCells, csvRecords, csvRow } from '../src/kit/csv.ts'
import { newId } from '../src/kit/id.ts'
import { type Json, type Reply, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { countOn, makeList } from './support/lists.ts'
import { contactAt } from './support/people.ts'

const path = '/v1/contacts'
const csv = { headers: { 'content-type': 'text/csv' } }

/** Says that everybody of a file agreed, where the file itself does not. */
const agreed = `consent=${encodeURIComponent('{"subscribed":true,"statement":"Signed up at the fair."}')}`

const upload = (t: TestApp, file: string | Uint8Array, query = '', options: RequestOptions = csv): Promise<Reply> =>
  t.request('POST', `${path}/import${query === '' ? '?' : `${query}&`}${agreed}`, file, options)

/** The import at its end. */
async function imported(t: TestApp, file: string | Uint8Array, query = ''): Promise<Json> {
  const { status, body, text, headers } = await upload(t, file, query)
  if (status !== 202) throw new Error(text)
  expect(headers.get('location')).toBe(`/v1/contact-imports/${body.id}`)
  await t.settle()
  return await t.get(`/v1/contact-imports/${body.id}`, 200)
}

const countsOf = ({ created, updated, unchanged, consentKept, bad }: Json) => [
  created,
  updated,
  unchanged,
  consentKept,
  bad,
]
const reasonsOf = ({ badRows }: Json) => badRows.map(({ line, reason }: Json) => `${line}: ${reason}`)

describe('an import', () => {
  test('makes and changes contacts with typed properties; the same file again changes nothing', async () => {
    await using t = await testApp()
    await t.contact({ email: 'bob@example.net', firstName: 'Bob', plan: 'free' })
    const file =
      '\ufeffE-Mail,First name,user_id,plan,seats:number,trial:boolean,renewsAt:date,phone\r\n' +
      'ada@example.net,Ada,u-1,pro,3,true,2026-03-01,+44 20\r\n' +
      'BOB@example.net,,u-2,pro,,,,\r\n' +
      '"cyd@bücher.example","Cyd ""C"", 3rd",,"multi\r\nline",,,,\r\n'
    const first = await imported(t, file)
    expect(first).toMatchObject({
      state: 'done',
      sizeBytes: Buffer.byteLength(file),
      readBytes: Buffer.byteLength(file),
    })
    expect(countsOf(first)).toEqual([2, 1, 0, 0, 0])
    expect(await contactAt(t, 'ada@example.net')).toMatchObject({
      firstName: 'Ada',
      userId: 'u-1',
      seats: 3,
      trial: true,
      renewsAt: '2026-03-01T00:00:00.000Z',
      phone: '+44 20',
      subscribed: true,
    })
    expect(await contactAt(t, 'bob@example.net')).toMatchObject({ firstName: 'Bob', userId: 'u-2', plan: 'pro' })
    expect(await contactAt(t, 'cyd@bücher.example')).toMatchObject({ firstName: 'Cyd "C", 3rd', plan: 'multi\nline' })
    const before = await t.get(path, 200)
    t.clock.advance(60_000)
    expect(countsOf(await imported(t, file))).toEqual([0, 0, 3, 0, 0])
    expect(await t.get(path, 200)).toEqual(before)
    expect((await t.get(`${path}?property=seats&value=3`, 200)).data).toHaveLength(1)
  })

  test('takes semicolons and tabs, no line end at the end, and empty lines', async () => {
    await using t = await testApp()
    for (const [n, delimiter] of [';', '\t', ','].entries()) {
      const file = `email${delimiter}firstName\n\n\na${n}@example.net${delimiter}A\n\nb${n}@example.net${delimiter}B`
      expect(countsOf(await imported(t, file)), delimiter).toEqual([2, 0, 0, 0, 0])
    }
  })

  test('finds by userId where there is no email, and changes no addresses', async () => {
    await using t = await testApp()
    await t.contact({ email: 'ada@example.net', userId: 'u-1' })
    await t.contact({ email: 'bob@example.net' })
    const file =
      'userId,email,firstName\nu-1,,Ada\nu-9,,Nobody\nu-1,new@example.net,Ada\nu-1,bob@example.net,Ada\nu-2,ada@example.net,A\n,,X\nu-2,bob@example.net,Bob\n'
    const done = await imported(t, file)
    expect(countsOf(done)).toEqual([0, 2, 0, 0, 5])
    expect(reasonsOf(done)).toEqual([
      '3: no contact has this userId, and the row has no email',
      '4: another contact has this userId; an import changes no addresses',
      '5: another contact has this userId; an import changes no addresses',
      '6: the contact with this email has another userId',
      '7: has no email',
    ])
    expect(await contactAt(t, 'bob@example.net')).toMatchObject({ userId: 'u-2', firstName: 'Bob' })
  })

  test('an address that is there twice is one contact, the later row on top', async () => {
    await using t = await testApp()
    const done = await imported(
      t,
      'email,firstName,plan\na@example.net,First,x\nA@example.net,Second,\na@example.net,Second,\n',
    )
    expect(countsOf(done)).toEqual([1, 1, 1, 0, 0])
    expect(await contactAt(t, 'a@example.net')).toMatchObject({
      email: 'a@example.net',
      firstName: 'Second',
      plan: 'x',
    })
    expect((await t.get(path, 200)).pagination.totalResults).toBe(1)
  })

  test('a dry run reports the same and changes no contact', async () => {
    await using t = await testApp()
    await t.contact({ email: 'bob@example.net', subscribed: false })
    const listId = await makeList(t)
    const file =
      'email,seats:number,subscribed\nada@example.net,3,true\nbob@example.net,,true\nbad,,\ncyd@example.net,x,\n'
    const before = await t.get(path, 200)
    const dry = await imported(t, file, `?dryRun=true&mailingListId=${listId}`)
    expect(await t.get(path, 200)).toEqual(before)
    expect(await t.get('/api/v1/contacts/properties?list=custom', 200)).toEqual([])
    expect(await countOn(t, listId)).toBe(0)
    const real = await imported(t, file, `?mailingListId=${listId}`)
    expect(countsOf(real)).toEqual(countsOf(dry))
    expect(reasonsOf(real)).toEqual(reasonsOf(dry))
    expect([dry.dryRun, real.dryRun]).toEqual([true, false])
    // Not bob, who is not subscribed to anything.
    expect(await countOn(t, listId)).toBe(1)
  })

  test('bad rows are named by number and reason, kept as a file, and import once they are corrected', async () => {
    await using t = await testApp()
    await t.contact({ email: 'typed@example.net', seats: 1 })
    const file =
      'email,firstName,seats,note\r\n' +
      'good@example.net,G,1,=SUM(A1)\r\n' +
      'bad,B,1,=cmd\r\n' +
      'c@example.net,C,many,\r\n' +
      'd@example.net,D\r\n' +
      `e@example.net,"E\r\nE",1,\r\n` +
      `f@example.net,${'F'.repeat(201)},1,\r\n` +
      'g@example.net,"G"x,1,\r\n' +
      'h@example.net,\u0007,1,\r\n' +
      'i@example.net,I,1,"never closed\r\n'
    const done = await imported(t, file)
    expect(countsOf(done)).toEqual([1, 0, 0, 0, 8])
    expect(done.badRows.map(({ line }: Json) => line)).toEqual([3, 4, 5, 6, 8, 9, 10, 11])
    expect(done.badRows[1].reason).toBe('seats must be a number')
    expect(await contactAt(t, 'good@example.net')).toMatchObject({ note: '=SUM(A1)' })
    const bad = await t.request('GET', `/v1/contact-imports/${done.id}/bad-rows`)
    expect(bad.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(bad.text).toContain("3,email must have exactly one @ between two parts,bad,B,1,'=cmd\r\n")
    expect(bad.text.split('\r\n')[0]).toBe('importLine,importReason,email,firstName,seats,note')
    const corrected = bad.text
      .split('\r\n')
      .filter((line) => /^(importLine|3|4),/.test(line))
      .join('\r\n')
      .replace('bad,', 'bad@example.net,')
      .replace('many', '7')
    expect(countsOf(await imported(t, corrected))).toEqual([2, 0, 0, 0, 0])
    expect(await contactAt(t, 'bad@example.net')).toMatchObject({ note: '=cmd' })
    expect(await contactAt(t, 'c@example.net')).toMatchObject({ seats: 7 })
  })

  test('a file that is not UTF-8 says so by row', async () => {
    await using t = await testApp()
    const done = await imported(
      t,
      Buffer.from('email,firstName\na@example.net,J\u00f6rg\nb@example.net,Bob\n', 'latin1'),
    )
    expect(reasonsOf(done)).toEqual(['2: firstName is not UTF-8'])
    expect(countsOf(done)).toEqual([1, 0, 0, 0, 1])
  })

  test('no row of another workspace is touched', async () => {
    await using t = await testApp()
    const { apiKey } = await t.stranger()
    const as = { as: { apiKey } }
    await t.post(`${path}/create`, { email: 'ada@example.net', userId: 'u-1', firstName: 'Theirs' }, 200, as)
    await imported(t, 'email,userId,firstName\nada@example.net,u-1,Mine\n')
    expect((await t.get(`${path}/find?userId=u-1`, 200, as))[0]).toMatchObject({ firstName: 'Theirs' })
    expect(await contactAt(t, 'ada@example.net')).toMatchObject({ firstName: 'Mine' })
    expect((await t.get('/v1/contact-imports', 200, as)).data).toEqual([])
    expect((await t.get('/v1/contact-imports', 200)).data).toHaveLength(1)
  })
})

describe('consent', () => {
  test('is never upgraded by a file: not for who unsubscribed, was deleted after that, or left a list', async () => {
    await using t = await testApp()
    const listId = await makeList(t)
    const double = await makeList(t, { optIn: 'double' })
    const off = 'off@example.net'
    const gone = 'gone@example.net'
    await t.contact({ email: off })
    await t.put(`${path}/update`, { email: off, subscribed: false, mailingLists: { [listId]: true } }, 200)
    await t.put(`${path}/update`, { email: off, mailingLists: { [listId]: false } }, 200)
    await t.contact({ email: gone })
    await t.put(`${path}/update`, { email: gone, subscribed: false }, 200)
    await t.post(`${path}/delete`, { email: gone }, 200)
    const file = `email,subscribed,mailingLists\n${off},true,${listId}\n${gone},true,\nnew@example.net,true,${listId} ${double}\n`
    const done = await imported(t, file)
    expect(countsOf(done)).toEqual([2, 0, 1, 2, 0])
    expect(await contactAt(t, off)).toMatchObject({ subscribed: false, mailingLists: {} })
    expect(await contactAt(t, gone)).toMatchObject({ subscribed: false })
    const fresh = await contactAt(t, 'new@example.net')
    expect(fresh).toMatchObject({ subscribed: true, mailingLists: { [listId]: true } })
    const { data } = await t.get(`${path}/${fresh.id}/consent`, 200)
    expect(data.map(({ action, method }: Json) => `${action} ${method}`)).toEqual([
      'granted import',
      'granted import',
      'requested import',
    ])
    expect([await countOn(t, listId), await countOn(t, double)]).toEqual([1, 0])
    expect(countsOf(await imported(t, file))).toEqual([0, 0, 3, 2, 0])
  })

  test('can be taken back by a file, and that is in the ledger', async () => {
    await using t = await testApp()
    const { id } = await t.contact({ email: 'ada@example.net' })
    await imported(t, 'email,subscribed\nada@example.net,FALSE\n')
    expect(await contactAt(t, 'ada@example.net')).toMatchObject({ subscribed: false })
    const { data } = await t.get(`${path}/${id}/consent`, 200)
    expect(data.slice(1)).toMatchObject([
      { action: 'withdrawn', method: 'import', mailingListId: null, consentText: null },
    ])
  })

  test('unknown and archived lists are bad rows', async () => {
    await using t = await testApp()
    const archived = await makeList(t, { status: 'archived' })
    const done = await imported(t, `email,mailingLists\na@example.net,lst_x\nb@example.net,${archived}\n`)
    expect(countsOf(done)).toEqual([0, 0, 0, 0, 2])
    await t.unchanged(() => t.get(`${path}/find?email=a@example.net`, 200))
  })
})

describe('what is refused before anything is read', () => {
  const files: [what: string, file: string, at: string][] = [
    ['nothing', '', ''],
    ['no email', 'firstName,lastName\nA,B\n', 'columns'],
    ['a column twice', 'email,Email\na@example.net,b@example.net\n', 'columns[1]'],
    ['two columns that become the same', 'email,First name,FNAME\n', 'columns[2]'],
    ['a wrong quote', 'email,"x\n', 'columns'],
    ['a binary', `${'\0'.repeat(100)}\n`, 'columns'],
    ['a long line', 'x'.repeat(30_000), 'columns'],
  ]
  for (const [what, file, at] of files) {
    test(`${what}: 422 naming ${at || 'the file'}`, async () => {
      await using t = await testApp()
      const { status, body } = await t.unchanged(() => upload(t, file))
      expect([status, body.code]).toEqual([422, 'validation_failed'])
      expect(body.errors[0].path).toBe(at)
    })
  }

  test('another content type, a compressed body, a wrong query, another workspace’s list', async () => {
    await using t = await testApp()
    const { apiKey } = await t.stranger()
    const listId = await makeList(t)
    const archived = await makeList(t, { status: 'archived' })
    const ok = 'email\na@example.net\n'
    const asked: [query: string, options: RequestOptions, status: number][] = [
      ['', { headers: { 'content-type': 'application/json' } }, 415],
      ['', { headers: { 'content-type': 'text/csv; charset=latin1' } }, 415],
      ['', { headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' } }, 415],
      ['?dryRun=perhaps', csv, 422],
      ['?mailingListId=lst_x', csv, 422],
      [`?mailingListId=${archived}`, csv, 422],
      [`?mailingListId=${listId}`, { as: { apiKey }, ...csv }, 422],
      ['', { as: 'nobody', ...csv }, 401],
    ]
    for (const [query, options, status] of asked) {
      const reply = await t.unchanged(() => upload(t, ok, query, options))
      expect(reply.status, query).toBe(status)
    }
    expect((await upload(t, ok, '', { headers: { 'content-type': 'Text/CSV; charset=UTF-8' } })).status).toBe(202)
  })
})

describe('over several transactions', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.net,${n % 7}\n`).join('')

  test('a file of several pieces and batches is read whole, in its order', async () => {
    await using t = await testApp()
    const filler = 'x'.repeat(1_000)
    const count = 2_500
    const body = Array.from(
      { length: count },
      (_, n) => `p${n}@example.net,${n % 10 === 0 ? `"${filler}\n${n}"` : filler}\n`,
    )
    const left: Promise<Json[]>[] = []
    t.app.onWake(() => left.push(Promise.resolve(t.app.db.all<Json>(sql`SELECT count(*) AS count FROM import_pieces`))))
    const done = await imported(t, `email,note\n${body.join('')}`)
    expect(countsOf(done)).toEqual([count, 0, 0, 0, 0])
    expect((await t.get(path, 200)).pagination.totalResults).toBe(count)
    expect((await contactAt(t, 'p2490@example.net')).note).toBe(`${filler}\n2490`)
    // Each piece goes with the rows that were read of it.
    const counts = (await Promise.all(left)).map(([row]) => Number(row?.count))
    expect(counts.slice(counts.indexOf(3)).filter((count, at, all) => count !== all[at - 1])).toEqual([3, 2, 1, 0])
  }, 240_000)

  test('stopped in the middle it goes on where it was, and counts every row once', async () => {
    await using t = await testApp()
    const { body } = await upload(t, `email,seats:number\n${rows(3_500)}`)
    const stop = new AbortController()
    const [found] = await t.app.db.all<{ id: string }>(sql`SELECT id FROM contact_imports`)
    const control = { signal: stop.signal, handOver: async () => null, progressed: async () => {} }
    const job = { payload: { importId: found?.id ?? '' } } as Parameters<typeof importContacts.run>[1]
    const stopAfterTwo = t.app.onWake(async () => {
      const { readLines } = await t.get(`/v1/contact-imports/${body.id}`, 200)
      if (readLines > 600) stop.abort('stopping')
    })
    const result = await importContacts.run(t.app, job, control)
    stopAfterTwo()
    expect(result.outcome).toBe('defer')
    const half = await t.get(`/v1/contact-imports/${body.id}`, 200)
    expect(half.state).toBe('running')
    expect(half.readBytes).toBeLessThan(half.sizeBytes)
    expect(half.created).toBeGreaterThan(0)
    await t.settle()
    const done = await t.get(`/v1/contact-imports/${body.id}`, 200)
    expect(done.state).toBe('done')
    expect(countsOf(done)).toEqual([3_500, 0, 0, 0, 0])
    expect((await t.get(path, 200)).pagination.totalResults).toBe(3_500)
  }, 240_000)

  test('a failure of the database undoes its batch; the next attempt goes on', async () => {
    await using t = await testApp()
    const { body } = await upload(t, `email,seats:number\n${rows(2_500)}`)
    await write(t.app, (tx) =>
      tx.db.run(
        sql`CREATE TRIGGER broken BEFORE INSERT ON contacts WHEN NEW.email = 'p1500@example.net' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
      ),
    )
    await t.settle()
    const half = await t.get(`/v1/contact-imports/${body.id}`, 200)
    expect(half.created).toBe((await t.get(path, 200)).pagination.totalResults)
    expect(half.created).toBeGreaterThan(0)
    expect(half.created).toBeLessThanOrEqual(1_500)
    await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER broken`))
    await t.advance('2m')
    expect(await t.get(`/v1/contact-imports/${body.id}`, 200)).toMatchObject({
      state: 'done',
      created: 2_500,
      unchanged: 0,
    })
  }, 240_000)

  test('one that gets on between its failures is never given up', async () => {
    await using t = await testApp()
    await write(t.app, async ({ db }) => {
      await db.run(sql`CREATE TABLE broken (email TEXT)`)
      await db.run(
        sql`CREATE TRIGGER breaks BEFORE INSERT ON contacts WHEN NEW.email IN (SELECT email FROM broken) BEGIN SELECT RAISE(ABORT, 'broken'); END`,
      )
      for (let n = 1; n <= 6; n++) await db.run(sql`INSERT INTO broken VALUES (${`p${n * 300}@example.net`})`)
    })
    const { body } = await upload(t, `email,seats:number\n${rows(2_000)}`)
    await t.settle()
    for (let n = 1; n <= 6; n++) {
      expect((await t.get(`/v1/contact-imports/${body.id}`, 200)).state).toBe('running')
      await write(t.app, ({ db }) => db.run(sql`DELETE FROM broken WHERE email = ${`p${n * 300}@example.net`}`))
      await t.advance('2m')
    }
    expect(await t.get(`/v1/contact-imports/${body.id}`, 200)).toMatchObject({ state: 'done', created: 2_000 })
  }, 240_000)
})

describe('an end', () => {
  test('an import that cannot be read fails in the end, says why, and keeps no file', async () => {
    await using t = await testApp()
    await write(t.app, (tx) =>
      tx.db.run(sql`CREATE TRIGGER broken BEFORE INSERT ON contacts BEGIN SELECT RAISE(ABORT, 'broken'); END`),
    )
    const { body } = await upload(t, 'email\nada@example.net\n')
    for (let n = 0; n < 6; n++) await t.advance('3h')
    const failed = await t.get(`/v1/contact-imports/${body.id}`, 200)
    expect(failed).toMatchObject({ state: 'failed', created: 0 })
    expect(failed.detail).toContain('broken')
    expect(failed.detail).not.toContain('ada')
    expect(await t.app.db.all(sql`SELECT number FROM import_pieces`)).toEqual([])
  })

  test('imports go after 30 days, and what an upload left that broke off after a day', async () => {
    await using t = await testApp()
    const { id } = await imported(t, 'email\nbad\n')
    await write(t.app, (tx) => {
      const importId = newId(tx, 'imp', tx.now)
      return tx.db.insert(importPieces).values({ importId, number: 0, data: Buffer.from('email') })
    })
    const retain = async () => {
      for (let more = 1; more > 0; )
        more = await write(t.app, (tx) => deleteOldImports(tx, new Date(tx.now.getTime() - 30 * 86_400_000)))
    }
    const pieces = () => t.app.db.all(sql`SELECT number FROM import_pieces`)
    await retain()
    expect(await pieces()).toHaveLength(1)
    t.clock.advance(86_400_001)
    await retain()
    expect(await pieces()).toEqual([])
    await t.get(`/v1/contact-imports/${id}`, 200)
    t.clock.advance(30 * 86_400_000)
    await retain()
    await t.get(`/v1/contact-imports/${id}`, 404)
    expect(await t.app.db.all(sql`SELECT line FROM import_faults`)).toEqual([])
  })

  test('a client of the family may send its file to /api/v1, too', async () => {
    await using t = await testApp()
    expect((await t.request('POST', `/api${path}/import?${agreed}`, 'email\nada@example.net\n', csv)).status).toBe(202)
    await t.settle()
    expect(await contactAt(t, 'ada@example.net')).toMatchObject({ subscribed: true })
  })
})

describe('an export', () => {
  test('imports again as it is, into the same workspace and another', async () => {
    await using t = await testApp()
    const listId = await makeList(t)
    await t.post('/api/v1/contacts/properties', { name: 'since', type: 'date' }, 200)
    const odd = [
      '=1+1',
      '+49 30',
      '-5',
      '@x',
      "'=quoted",
      "''@twice",
      ' padded ',
      'a,b;c',
      'say "hi"',
      'two\nlines',
      '\ttab',
      "it's",
      '0',
      'true',
    ]
    for (const [n, note] of odd.entries()) {
      await t.contact({
        email: `p${n}@example.net`,
        note,
        seats: n - 7,
        since: '2026-01-01',
        vip: n % 2 === 0,
        subscribed: n % 3 !== 0,
        firstName: note.trim() === note && !/[\n\t]/.test(note) ? note : 'x',
      })
    }
    await t.put(`${path}/update`, { email: 'p1@example.net', mailingLists: { [listId]: true } }, 200)
    const { text, headers } = await t.request('GET', `${path}/export`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"')
    for (const cell of text.split(/[,\r\n]+/)) expect(cell, 'a formula').not.toMatch(/^"?[=+\-@]/)
    const before = await t.get(`${path}?perPage=100`, 200)
    expect(countsOf(await imported(t, text))).toEqual([0, 0, odd.length, 0, 0])
    expect(await t.get(`${path}?perPage=100`, 200)).toEqual(before)

    const { apiKey } = await t.stranger()
    const as = { as: { apiKey } }
    const elsewhere = text.replaceAll(listId, '')
    expect((await upload(t, elsewhere, '', { ...csv, ...as })).status).toBe(202)
    await t.settle()
    const { data } = await t.get(`${path}?perPage=100`, 200, as)
    const told = (all: Json[]) =>
      all
        .map(({ id: _, createdAt: __, updatedAt: ___, mailingLists: ____, ...rest }) => rest)
        .sort((a, b) => (a.email < b.email ? -1 : 1))
    expect(told(data)).toEqual(told(before.data))
  })

  test('an empty workspace exports a header', async () => {
    await using t = await testApp()
    const { text } = await t.request('GET', `${path}/export`)
    expect(text).toStartWith('id,email,userId,')
    expect(text.trim().split('\r\n')).toHaveLength(1)
  })
})

describe('CSV itself', () => {
  async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }

  test('any cells come back, however the file is cut into pieces', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll(/\r\n?/g, '\n'))
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const seen: string[][] = []
        let last = 0
        for await (const records of csvRecords(inPieces(rows.map(csvRow).join(''), size), { bytes: 0, lines: 0 })) {
          for (const { text, endBytes } of records) {
            const cells = csvCells(text, ',')
            if ('fault' in cells) throw new Error(cells.fault)
            seen.push(cells)
            expect(endBytes).toBeGreaterThan(last)
            last = endBytes
          }
        }
        expect(seen).toEqual(rows)
      }),
      { numRuns: remoteDatabase ? 50 : 500 },
    )
  })
})
