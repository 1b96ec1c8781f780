// Files as other services export them, imported and then mailed in a dry run: who left there is not mailed from here, and every column has
// a meaning that the preview names before anything is written. Those in test/exports are written as each service documents its export.

import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { mailingLists, subscriptions } from '../db/tables/lists.ts'
import { findConsentColumn } from '../src/features/contacts/imports/consent-columns.ts'
import { formats, services } from '../src/features/lists/moving/export-formats.ts'
import { objectsOf, rowsOf } from '../src/features/lists/moving/records.ts'
import { writeZip } from '../src/kit/zip.ts'
import { type Json, type Reply, type TestApp, testApp } from './support/app.ts'
import { audienceOf } from './support/campaign.ts'
import { makeList } from './support/lists.ts'
import { fateOf } from './support/people.ts'

const octets = { headers: { 'content-type': 'application/octet-stream' } }
const csv = { headers: { 'content-type': 'text/csv' } }
const path = '/v1/contacts'
const queryOf = (options: Json) =>
  `?${new URLSearchParams(Object.entries(options).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`

const preview = (t: TestApp, file: string | Uint8Array, options: Json = {}) =>
  t.request('POST', `${path}/import/preview${queryOf(options)}`, file, csv)

const imported = async (t: TestApp, file: string | Uint8Array, options: Json = {}) =>
  await finished(t, await t.request('POST', `${path}/import${queryOf(options)}`, file, csv))

async function finished(t: TestApp, { status, body, text }: Reply): Promise<Json> {
  if (status !== 202) throw new Error(text)
  await t.settle()
  return await t.get(`/v1/contact-imports/${body.id}`, 200)
}

/** What became of an address: `yes`, `no`, or why it is suppressed. */
const folder = join(import.meta.dir, 'exports')
const stated = { consent: { subscribed: true, statement: 'Signed up in our shop.' } }

/** The table between two marks of docs/importing.md is this one; with UPDATE_DOCS it becomes so. */
async function holdTable(name: string, head: string[], rows: string[][]): Promise<void> {
  const file = join(import.meta.dir, '../docs/importing.md')
  const begin = `<!-- ${name}: UPDATE_DOCS=1 bun test test/import-exports.test.ts -->\n`
  const before = await Bun.file(file).text()
  const from = before.indexOf(begin) + begin.length
  expect(from).toBeGreaterThan(begin.length - 1)
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
  const written = before.slice(0, from) + table + before.slice(before.indexOf(`<!-- end of ${name} -->\n`))
  if (process.env['UPDATE_DOCS']) await Bun.write(file, written)
  expect(await Bun.file(file).text(), 'UPDATE_DOCS=1 writes it anew').toBe(written)
}

describe('each row of the files in test/exports', () => {
  const names = readdirSync(folder).sort()
  const read = (name: string) => ({ name, bytes: readFileSync(join(folder, name)) })
  const exportsOf = formats.map((format) => {
    return { format, files: names.filter((name) => name.startsWith(`${format}-`)).map(read) }
  })
  const tables = exportsOf.flatMap(({ files }) => files.filter(({ name }) => name.endsWith('.csv')))
  /** What each service wrote, all of it; and each table as a file of one's own. */
  const all = [...exportsOf, ...tables.map((file) => ({ format: 'own' as const, files: [file] }))]
  type Export = (typeof all)[number]

  /** Whatever looks as if it told something of consent; what the import reads as consent is shown besides. */
  const telling = /stat(e|us)$|subscri|unsub|opt.?in|confirm|clean|black|disabled|suppress|reason|lists?$|groups/i
  const quiet = /ip$|created|campaign|^subscriber$/i

  function words(value: unknown, isShown = (key: string) => key === 'name' || telling.test(key)): string {
    if (Array.isArray(value)) return `[${value.map((one) => words(one)).join('; ')}]`
    if (typeof value !== 'object' || value === null) return String(value)
    const shown = Object.entries(value).filter(([key, cell]) => cell !== null && isShown(key) && !quiet.test(key))
    return shown.map(([key, cell]) => `${key}: ${words(cell)}`).join(', ')
  }

  interface Row {
    /** As the report names it. */
    place: string
    email: string
    says: string
  }

  async function rowsIn({ format, files }: Export): Promise<Row[]> {
    const rows: Row[] = []
    const add = (name: string, place: string, row: object) => {
      const email = Object.entries(row).find(([key]) => /mail|^subscriber$/i.test(key))?.[1]
      const says = words(row, (key) => telling.test(key) || findConsentColumn(key) !== null) || 'nothing'
      // Of some services the name of the file says something, too.
      const before = format !== 'own' && services[format].ofFile ? `${name.slice(format.length + 1)}: ` : ''
      if (typeof email === 'string') rows.push({ place, email, says: before + says })
    }
    for (const { name, bytes } of files) {
      const pace = async () => {}
      const options = { pace, takes: () => true, refuse: (where: string) => expect(where).toBe('') }
      let entry = 0
      if (name.endsWith('.csv'))
        for await (const row of rowsOf(name, bytes.toString(), options))
          add(
            name,
            format === 'own' ? row.place.replace(/.* /, '') : row.place,
            Object.fromEntries(row.rest(new Set())),
          )
      else if (/\.jsonl?$/.test(name))
        for await (const row of objectsOf(bytes.toString(), pace)) add(name, `${name}, entry ${++entry}`, row)
    }
    return rows
  }

  const post = (t: TestApp, { format, files }: Export, options: Json, way = '') =>
    format === 'own'
      ? t.request('POST', `${path}/import${way}${queryOf(options)}`, files[0]?.bytes, csv)
      : t.request('POST', `/v1/imports${way}${queryOf({ format, ...options })}`, writeZip(files), octets)

  async function becameOf(t: TestApp, email: string, yours: string): Promise<string> {
    const { reason } = await t.get(`${path}/suppression-status?email=${email}`, 200)
    const [contact] = await t.get(`${path}/find?email=${email}`, 200)
    const lists = new Map((await t.app.db.select().from(mailingLists)).map(({ id, name }) => [id, name]))
    const held = (await t.app.db.select().from(subscriptions)).filter(({ contactId }) => contactId === contact?.id)
    const states = held.map(({ status, mailingListId: id }) => `${status} on ${id === yours ? 'yours' : lists.get(id)}`)
    const own = contact === undefined ? 'no contact' : contact.subscribed ? 'subscribed' : 'not subscribed'
    return [own, ...(reason === null ? [] : [`suppressed (\`${reason}\`)`]), ...states.sort()].join(', ')
  }

  /** By address; of the whole export where it is refused. */
  async function outcomesOf(t: TestApp, one: Export, rows: Row[], options: Json): Promise<Map<string, string>> {
    const accepted = await post(t, one, options)
    const refusal = accepted.body.errors?.[0]
    if (refusal) return new Map(rows.map(({ email }) => [email, `refused: \`${refusal.path}\``]))
    const { badRows, report } = await finished(t, accepted)
    const left = [...badRows, ...(report?.refused ?? [])]
    const faults = new Map<string, string>(left.map(({ where, line, reason }) => [where ?? String(line), reason]))
    const outcomes = new Map<string, string>()
    for (const { place, email } of rows) {
      const fault = faults.get(place)
      const became = fault === undefined ? await becameOf(t, email, options.mailingListId) : `left out: ${fault}`
      outcomes.set(email, became)
    }
    return outcomes
  }

  async function ifNobodyAgreed(one: Export, rows: Row[]): Promise<Map<string, string>> {
    await using t = await testApp()
    return await outcomesOf(t, one, rows, { mailingListId: await makeList(t), consent: { subscribed: false } })
  }

  /** As the preview said; who is subscribed is whom a campaign to the list would reach, and the same again changes nothing. */
  async function ifAllAgreed(one: Export, rows: Row[]): Promise<Map<string, string>> {
    await using t = await testApp()
    const options = { mailingListId: await makeList(t), ...stated }
    const { body: seen } = await t.unchanged(() => post(t, one, options, '/preview'))
    const outcomes = await outcomesOf(t, one, rows, options)
    const became = [...outcomes.values()]
    if (became.every((end) => end.startsWith('refused'))) return outcomes
    expect(seen.created).toBe(became.filter((end) => /^(not )?subscribed/.test(end)).length)
    const reached = Object.entries(await audienceOf(t, options.mailingListId)).filter(([, end]) => end === 'recipients')
    const agreed = [...outcomes].filter(([, end]) => end.startsWith('subscribed'))
    expect(reached.map(([email]) => email).sort()).toEqual(agreed.map(([email]) => email).sort())
    const { subscribed, unsubscribed, suppressed, withoutConsent } = seen
    const told = { subscribed, unsubscribed, suppressed, withoutConsent }
    expect(await finished(t, await post(t, one, options))).toMatchObject({ created: 0, updated: 0, ...told })
    return outcomes
  }

  test('becomes what a table of docs/importing.md says', async () => {
    await using asked = await testApp()
    const lines = new Map<string, string[]>()
    for (const one of all) {
      const rows = await rowsIn(one)
      const nobody = await ifNobodyAgreed(one, rows)
      const everybody = await ifAllAgreed(one, rows)
      const isSilent = (email: string) => nobody.get(email) !== everybody.get(email)
      const { body } = await post(asked, one, {}, '/preview')
      const needed = rows.some(({ email }) => isSilent(email))
      if (one.format !== 'own') expect([one.format, body.consentNeeded]).toEqual([one.format, needed])
      for (const [email, mine] of Map.groupBy(rows, (row) => row.email)) {
        const [without = '', agreed = ''] = [nobody.get(email), everybody.get(email)]
        const said = agreed.startsWith('refused')
          ? `any of \`${one.files[0]?.name}\``
          : mine.map(({ says }) => `\`${says}\``).join(' and ')
        const ends = isSilent(email) ? [`nobody agreed | ${without}`, `all agreed | ${agreed}`] : [`either | ${agreed}`]
        for (const end of ends) {
          const line = `${said} | ${end}`
          lines.set(line, [...new Set([...(lines.get(line) ?? []), one.format])])
        }
      }
    }
    const table = [...lines].map(([line, by]) => [by.join(', '), line])
    await holdTable('exports', ['format', 'row', 'statement', 'becomes'], table)
  })
})

test('what is known here is never raised by a file, and is taken back where the file says so', async () => {
  await using t = await testApp()
  const listId = await makeList(t)
  const on = (email: string) => t.post(`${path}/create`, { email, mailingLists: { [listId]: true } }, 200)
  for (const name of ['stays', 'leaves', 'bounced', 'spam']) await on(`${name}@example.net`)
  await t.post(`${path}/create`, { email: 'off@example.net', subscribed: false }, 200)
  await t.post('/v1/suppressions', { email: 'left@example.net', reason: 'unsubscribe' }, 201)
  const file = `email,status
off@example.net,subscribed
left@example.net,subscribed
stays@example.net,unconfirmed
leaves@example.net,unsubscribed
bounced@example.net,cleaned
spam@example.net,complained
`
  expect(await imported(t, file, { mailingListId: listId })).toMatchObject({ consentKept: 2, bad: 0, created: 1 })
  const find = async (name: string) => (await t.get(`${path}/find?email=${name}@example.net`, 200))[0]
  expect(await find('off')).toMatchObject({ subscribed: false, mailingLists: {} })
  expect(await find('left')).toMatchObject({ subscribed: false, mailingLists: {} })
  expect(await find('stays')).toMatchObject({ subscribed: true, mailingLists: { [listId]: true } })
  expect(await find('leaves')).toMatchObject({ subscribed: false })
  expect(await find('bounced')).toMatchObject({ mailingLists: {} })
  expect(await find('spam')).toMatchObject({ subscribed: false, mailingLists: {} })
  expect(await fateOf(t, 'bounced@example.net')).toBe('hardBounce')
  expect(await fateOf(t, 'spam@example.net')).toBe('complaint')
  const { data } = await t.get(`${path}/${(await find('leaves')).id}/consent`, 200)
  expect(data.at(-1)).toMatchObject({ action: 'withdrawn', method: 'import', route: 'POST /v1/contacts/import' })
  // Somebody new who said no there is remembered as having said so.
  await imported(t, 'email,status\nnew@example.net,unsubscribed\n')
  await t.post(`${path}/delete`, { email: 'new@example.net' }, 200)
  await t.post(`${path}/create`, { email: 'new@example.net' }, 200)
  expect(await find('new')).toMatchObject({ subscribed: false })
})

test('a file that says nothing of consent is refused until the caller does; what they say stands in the ledger', async () => {
  await using t = await testApp()
  const file = 'email,plan\nada@example.net,pro\n'
  const seen = await t.unchanged(() => preview(t, file))
  expect(seen.body).toMatchObject({ consentNeeded: true, rows: 1, created: 1, subscribed: 0, withoutConsent: 1 })
  const refusals: [consent: unknown, at: string][] = [
    [undefined, 'consent'],
    ['yes', 'consent'],
    [[], 'consent'],
    [{}, 'consent.subscribed'],
    [{ subscribed: 'true', statement: 'x' }, 'consent.subscribed'],
    [{ subscribed: true }, 'consent.statement'],
    [{ subscribed: true, statement: ' ' }, 'consent.statement'],
    [{ subscribed: true, statement: 'x'.repeat(2_001) }, 'consent.statement'],
  ]
  for (const [consent, at] of refusals) {
    const query = consent === undefined ? '' : queryOf({ consent })
    const reply = await t.unchanged(() => t.request('POST', `${path}/import${query}`, file, csv))
    expect([reply.status, reply.body.errors?.[0]?.path], reply.text).toEqual([422, at])
  }
  await imported(t, file, { consent: { subscribed: false } })
  expect(await fateOf(t, 'ada@example.net')).toBe('no')
  const statement = 'Signed up at the fair in Lyon.'
  await imported(t, file.replace('ada', 'bob'), { consent: { subscribed: true, statement } })
  expect(await fateOf(t, 'bob@example.net')).toBe('yes')
  const [bob] = await t.get(`${path}/find?email=bob@example.net`, 200)
  const [key] = await t.app.db.all<{ id: string }>(sql`SELECT id FROM api_keys`)
  const { data } = await t.get(`${path}/${bob.id}/consent`, 200)
  expect(data).toMatchObject([{ action: 'granted', method: 'import', consentText: statement, actorId: key?.id }])
})

describe('any header', () => {
  test('is understood, or named by the preview and mapped by the caller', async () => {
    await using t = await testApp()
    const file =
      'E-Mail Address,User ID,Company / Org,Größe,2nd phone,,город,plan_name,VIP,subscribed\n' +
      'ada@example.net,u-1,Acme,L,+44 20,,Лион,pro,x,yes\n'
    const { body } = await t.unchanged(() => preview(t, file))
    expect(body.columns.map(({ header, becomes, name }: Json) => [header, becomes, name])).toEqual([
      ['E-Mail Address', 'field', 'email'],
      ['User ID', 'field', 'userId'],
      ['Company / Org', 'property', 'companyOrg'],
      ['Größe', 'property', 'grosse'],
      ['2nd phone', 'property', 'column2ndPhone'],
      ['', 'nameless', null],
      ['город', 'property', 'column7'],
      ['plan_name', 'property', 'plan_name'],
      ['VIP', 'property', 'vip'],
      ['subscribed', 'consent', 'subscribed'],
    ])
    expect(body.columns[2].example).toBe('Acme')
    const columns = { 'Company / Org': 'company', город: 'city', '2nd phone': null, VIP: 'isVip:boolean' }
    const bad = await imported(t, file, { columns })
    expect(bad.badRows).toEqual([{ line: 2, reason: 'isVip must be a boolean' }])
    await imported(t, file.replace(',x,yes', ',t,1'), { columns })
    const [ada] = await t.get(`${path}/find?userId=u-1`, 200)
    expect(ada).toMatchObject({
      company: 'Acme',
      grosse: 'L',
      city: 'Лион',
      plan_name: 'pro',
      isVip: true,
      subscribed: true,
    })
    expect(ada).not.toHaveProperty('column2ndPhone')
  })

  test('a value in a column without a name is not lost silently', async () => {
    await using t = await testApp()
    const file = 'email,,subscribed\na@example.net,Lyon,1\nb@example.net,,0\n'
    const done = await imported(t, file)
    expect(done.badRows).toEqual([{ line: 2, reason: 'has a value in column 2, which has no name; map it: "#2"' }])
    expect(await imported(t, file, { columns: { '#2': 'city' } })).toMatchObject({ created: 1, bad: 0 })
    expect((await t.get(`${path}/find?email=a@example.net`, 200))[0]).toMatchObject({ city: 'Lyon' })
  })

  test('a column of consent that is none is mapped; a word that is not known makes its row bad', async () => {
    await using t = await testApp()
    const file = 'email,State,Subscribed\na@example.net,CA,yes\n'
    const done = await imported(t, file)
    expect(done.badRows).toEqual([{ line: 2, reason: 'State "CA" is not a known value for consent' }])
    await imported(t, file, { columns: { State: 'state:string' } })
    expect((await t.get(`${path}/find?email=a@example.net`, 200))[0]).toMatchObject({ state: 'CA', subscribed: true })
    // An export knows such a property again.
    const { text } = await t.request('GET', `${path}/export`)
    expect(text.split('\r\n')[0]).toEndWith(',state:string')
    expect(await imported(t, text)).toMatchObject({ unchanged: 1, bad: 0 })
  })

  test('in which no column is an address is previewed, so that one can be mapped; imported it is refused', async () => {
    await using t = await testApp()
    const file = 'Adresse,subscribed\r\nada@example.net,yes\r\n'
    const unknown = await t.request('POST', '/v1/contacts/import/preview', file, csv)
    expect(unknown.body).toMatchObject({ identityNeeded: true, rows: 1, created: 0, bad: 1 })
    const refused = await t.request('POST', '/v1/contacts/import', file, csv)
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'columns'])
    const columns = encodeURIComponent('{"#1":"email"}')
    const mapped = await t.request('POST', `/v1/contacts/import/preview?columns=${columns}`, file, csv)
    expect(mapped.body).toMatchObject({ identityNeeded: false, created: 1, bad: 0 })
  })

  test('a map that fits no column or names nothing is refused', async () => {
    await using t = await testApp()
    const file = 'email,City,subscribed\na@example.net,Lyon,1\n'
    const refusals: [columns: unknown, at: string][] = [
      ['x', 'columns'],
      [{ Town: 'city' }, 'columns.Town'],
      [{ toString: null }, 'columns.toString'],
      [{ '#9': 'city' }, 'columns.#9'],
      [{ City: 7 }, 'columns.City'],
      [{ City: 'no name' }, 'columns.City'],
      [{ City: 'id' }, 'columns.City'],
      [{ City: '__proto__' }, 'columns.City'],
      [{ City: 'email' }, 'columns[1]'],
    ]
    for (const [columns, at] of refusals) {
      const reply = await t.unchanged(() => preview(t, file, { columns }))
      expect([reply.status, reply.body.errors?.[0]?.path], JSON.stringify(columns)).toEqual([422, at])
    }
  })

  test('UTF-16 is understood by its byte order mark, and refused without', async () => {
    await using t = await testApp()
    const text = 'email\tfirstName\tsubscribed\r\njörg@example.net\tJörg\tyes\r\n'.replace('jörg@', 'joerg@')
    const little = Buffer.from(`\ufeff${text}`, 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const file of [little, big]) {
      expect((await preview(t, file)).body).toMatchObject({ rows: 1, subscribed: 1, bad: 0, delimiter: '\t' })
      expect(await imported(t, file)).toMatchObject({ bad: 0 })
    }
    expect((await t.get(`${path}/find?email=joerg@example.net`, 200))[0]).toMatchObject({ firstName: 'Jörg' })
    const reply = await t.unchanged(() => preview(t, Buffer.from(text, 'utf16le')))
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining('byte order mark')])
  })

  test('a file of many batches is previewed whole', async () => {
    await using t = await testApp()
    const rows = Array.from({ length: 1_700 }, (_, n) => `p${n}@example.net,${n % 3 === 0 ? 'no' : 'yes'}\n`)
    const { body } = await t.unchanged(() => preview(t, `email,subscribed\n${rows.join('')}bad,yes\n`))
    expect(body).toMatchObject({ rows: 1_701, created: 1_700, subscribed: 1_133, unsubscribed: 567, bad: 1 })
    expect(body.badRows[0].line).toBe(1_702)
  })
})

describe('a column that says something of consent', () => {
  /** Header, cell, and what they say. */
  const corpus = readFileSync(join(folder, 'column-names.tsv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [header: string, cell: string, says: string])
  const addressOf = (at: number, way: string) => `p${at}@${way}.example`
  const entries = corpus.map(([header, cell, says], at) => ({ header, cell, says, at }))
  type Entries = typeof entries

  /** A column for each header, and in each row one value. */
  function table(some: Entries, way: string): string {
    const headers = [...new Set(some.map(({ header }) => header))]
    const row = ({ header, cell, at }: Entries[number]) =>
      [addressOf(at, way), ...headers.map((one) => (one === header ? `"${cell}"` : ''))].join(',')
    return [['email', ...headers.map((one) => `"${one}"`)].join(','), ...some.map(row)].join('\n')
  }

  function objects(some: Entries, way: string): string {
    const object = ({ header, cell, at }: Entries[number]) => {
      return { email: addressOf(at, way), name: 'Ada', status: 'enabled', attribs: { [header]: cell }, lists: [] }
    }
    return JSON.stringify(some.map(object))
  }

  const ways = [
    { way: 'own', path: `${path}/import`, ...csv, fileOf: table, options: {} },
    { way: 'service', path: '/v1/imports', ...octets, fileOf: table, options: { format: 'loops' } },
    { way: 'api', path: '/v1/imports', ...octets, fileOf: objects, options: { format: 'listmonk' } },
  ]
  const unclear = entries.filter(({ says }) => says === 'unclear')
  const clear = entries.filter(({ says }) => says !== 'unclear')

  for (const { way, path, headers, fileOf, options } of ways)
    test(`is held to against the statement that all agreed, or asked about: ${way}`, async () => {
      await using t = await testApp()
      const send = (to: string, some: Entries) =>
        t.request('POST', `${to}${queryOf({ ...options, ...stated })}`, fileOf(some, way), { headers })
      const asked = (await t.unchanged(() => send(`${path}/preview`, entries))).body.unclear
      expect(asked.map(({ column }: Json) => column).sort()).toEqual(unclear.map(({ header }) => header).sort())
      const refused = await t.unchanged(() => send(path, entries))
      expect(refused.status, refused.text).toBe(422)
      const issues = unclear.map(({ header }) => ({ path: `columns.${header}`, code: 'consent_unclear' }))
      expect(refused.body.errors).toMatchObject(issues)
      const { status, text } = await send(path, clear)
      expect(status, text).toBe(202)
      await t.settle()
      const became = clear.map(async ({ header, cell, at }) => {
        return [header, cell, await fateOf(t, addressOf(at, way)).catch(() => 'bad')]
      })
      expect(await Promise.all(became)).toEqual(
        clear.map(({ header, cell, says = '' }) => [header, cell, fates[says] ?? says]),
      )
    })

  /** With a statement, who says nothing agreed. */
  const fates: Record<string, string> = { nothing: 'yes', unconfirmed: 'no' }

  test('is in a table of docs/importing.md', async () => {
    const meanings: Record<string, string> = {
      yes: 'yes',
      no: 'no: unsubscribed',
      nothing: 'nothing: your statement counts',
      unconfirmed: 'never confirmed: not subscribed',
      manual: 'never: suppressed (`manual`)',
      hardBounce: 'never: suppressed (`hardBounce`)',
      complaint: 'never: suppressed (`complaint`)',
      bad: 'not understood: the row is left out, with a reason',
      unclear: '**asked about**: refused until `columns` says what it means',
    }
    const rows = corpus.map(([header, cell, says]) => [`\`${header}\``, `\`${cell}\``, meanings[says] ?? says])
    await holdTable('columns', ['column', 'value', 'says'], rows)
  })
})
