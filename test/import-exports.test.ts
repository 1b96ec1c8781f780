// Files as other services export them, imported: who left there is not mailed from here, and every column has a meaning that the
// preview names before anything is written. The columns are those that each service documents.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { holdTable } from './support/importing-page.ts'
import { countOn, makeList } from './support/lists.ts'

const octets = { headers: { 'content-type': 'application/octet-stream' } }
const csv = { headers: { 'content-type': 'text/csv' } }
const path = '/v1/contacts'
const queryOf = (options: Json) =>
  `?${new URLSearchParams(Object.entries(options).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`

const preview = (t: TestApp, file: string | Uint8Array, options: Json = {}) =>
  t.request('POST', `${path}/import/preview${queryOf(options)}`, file, csv)

async function imported(t: TestApp, file: string | Uint8Array, options: Json = {}): Promise<Json> {
  const { status, body, text } = await t.request('POST', `${path}/import${queryOf(options)}`, file, csv)
  if (status !== 202) throw new Error(text)
  await t.settle()
  return await t.get(`/v1/contact-imports/${body.id}`, 200)
}

/** What became of an address: `yes`, `no`, or why it is suppressed. */
async function fateOf(t: TestApp, email: string): Promise<string> {
  const { reason } = await t.get(`${path}/suppression-status?email=${email}`, 200)
  const [contact] = await t.get(`${path}/find?email=${email}`, 200)
  return reason ?? (contact.subscribed ? 'yes' : 'no')
}

const exportsOf: Record<string, { file: string; becomes: Record<string, string> }> = {
  loops: {
    file: `Email,First Name,Last Name,Notes,Source,Subscribed,User Group,User Id,Opt In Status
a@loops.example,Ada,L,,API,true,Users,1,accepted
b@loops.example,Bob,,,Form,false,Users,2,
c@loops.example,Cyd,,,Form,true,,3,pending
d@loops.example,Dan,,,Form,true,,4,rejected
`,
    becomes: { 'a@loops.example': 'yes', 'b@loops.example': 'no', 'c@loops.example': 'no', 'd@loops.example': 'no' },
  },
  'mailchimp, subscribed': {
    file: `Email Address,First Name,Last Name,Address,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS
a@chimp.example,Ada,L,,2,,,2021-05-04 09:00:00,203.0.113.9,,,,,Europe/Paris,FR,IDF,2021-05-04 09:00:00,1,x1,,"""news"""
b@chimp.example,Bob,,,2,2021-05-04 09:00:00,203.0.113.9,,,,,,,,,,2021-05-04 09:00:00,2,x2,,
`,
    becomes: { 'a@chimp.example': 'yes', 'b@chimp.example': 'no' },
  },
  'mailchimp, unsubscribed': {
    file: `Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,TIMEZONE,LAST_CHANGED,LEID,EUID,NOTES,TAGS,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER
u@chimp.example,Una,L,2,,,2021-05-04 09:00:00,203.0.113.9,,2022-01-01 00:00:00,3,x3,,,2022-01-01 00:00:00,May,c1,No longer interested,
v@chimp.example,Vic,L,2,,,2021-05-04 09:00:00,203.0.113.9,,2022-01-01 00:00:00,4,x4,,,2022-01-01 00:00:00,May,c1,ABUSE,
`,
    becomes: { 'u@chimp.example': 'no', 'v@chimp.example': 'complaint' },
  },
  'mailchimp, cleaned': {
    file: `Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LAST_CHANGED,LEID,EUID,NOTES,TAGS,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID
w@chimp.example,Wim,L,1,,,2021-05-04 09:00:00,203.0.113.9,2022-01-01 00:00:00,5,x5,,,2022-01-01 00:00:00,May,c1
`,
    becomes: { 'w@chimp.example': 'hardBounce' },
  },
  listmonk: {
    file: `uuid,email,name,attributes,status,created_at,updated_at
6f6e2c35-0000-4000-8000-000000000001,a@monk.example,Ada,"{""city"": ""Lyon""}",enabled,2024-01-01 00:00:00,2024-01-01 00:00:00
6f6e2c35-0000-4000-8000-000000000002,b@monk.example,Bob,{},blocklisted,2024-01-01 00:00:00,2024-01-01 00:00:00
6f6e2c35-0000-4000-8000-000000000003,c@monk.example,Cyd,{},disabled,2024-01-01 00:00:00,2024-01-01 00:00:00
`,
    // "enabled" says that somebody is not blocked, and not that they are on a list.
    becomes: { 'a@monk.example': 'no', 'b@monk.example': 'manual', 'c@monk.example': 'no' },
  },
  resend: {
    file: `id,created_at,email,first_name,last_name,unsubscribed
e169aa45,2023-04-26 20:21:26.347412+00,a@resend.example,Ada,L,false
e169aa46,2023-04-26 20:21:26.347412+00,b@resend.example,Bob,,true
`,
    becomes: { 'a@resend.example': 'yes', 'b@resend.example': 'no' },
  },
  brevo: {
    file: `CONTACT ID;EMAIL;FIRSTNAME;LASTNAME;SMS;EMAIL_MARKETING;ADDED_TIME;MODIFIED_TIME
1;a@brevo.example;Ada;L;;Subscribed;2024-01-01;2024-01-01
2;b@brevo.example;Bob;;;Blocklisted;2024-01-01;2024-01-01
3;c@brevo.example;Cyd;;;Unsubscribed;2024-01-01;2024-01-01
`,
    becomes: { 'a@brevo.example': 'yes', 'b@brevo.example': 'manual', 'c@brevo.example': 'no' },
  },
  kit: {
    file: `First Name,Email Address,State,Created At,Tags
Ada,a@kit.example,active,2024-01-01 00:00:00 UTC,"news,tips"
Bob,b@kit.example,cancelled,2024-01-01 00:00:00 UTC,
Cyd,c@kit.example,bounced,2024-01-01 00:00:00 UTC,
Dan,d@kit.example,complained,2024-01-01 00:00:00 UTC,
Eve,e@kit.example,inactive,2024-01-01 00:00:00 UTC,
`,
    becomes: {
      'a@kit.example': 'yes',
      'b@kit.example': 'no',
      'c@kit.example': 'hardBounce',
      'd@kit.example': 'complaint',
      'e@kit.example': 'no',
    },
  },
  sendy: {
    file: `Name,Email,Status
Ada,a@sendy.example,Subscribed
Bob,b@sendy.example,Unsubscribed
Cyd,c@sendy.example,Bounced
Dan,d@sendy.example,Marked as spam
Eve,e@sendy.example,Unconfirmed
Fay,f@sendy.example,Soft bounced
`,
    becomes: {
      'a@sendy.example': 'yes',
      'b@sendy.example': 'no',
      'c@sendy.example': 'hardBounce',
      'd@sendy.example': 'complaint',
      'e@sendy.example': 'no',
      'f@sendy.example': 'no',
    },
  },
}

test('nobody who left another service is mailed, and only who said yes is put on the list', async () => {
  await using t = await testApp()
  const listId = await makeList(t)
  for (const [service, { file, becomes }] of Object.entries(exportsOf)) {
    const before = (await countOn(t, listId)) ?? 0
    const seen = await t.unchanged(() => preview(t, file, { mailingListId: listId }))
    expect([seen.status, seen.body.consentNeeded, seen.body.badRows], `${service}: ${seen.text}`).toEqual([
      200,
      false,
      [],
    ])
    const done = await imported(t, file, { mailingListId: listId })
    const fates = Object.values(becomes)
    expect([done.created, done.bad], service).toEqual([fates.length, 0])
    for (const [email, fate] of Object.entries(becomes))
      expect(await fateOf(t, email), `${service} ${email}`).toBe(fate)
    expect(((await countOn(t, listId)) ?? 0) - before, service).toBe(fates.filter((fate) => fate === 'yes').length)
    for (const name of ['created', 'subscribed', 'unsubscribed', 'suppressed', 'withoutConsent'])
      expect([service, name, seen.body[name]]).toEqual([service, name, done[name]])
    // The same again adds nobody and raises nothing.
    expect(await imported(t, file, { mailingListId: listId }), service).toMatchObject({ created: 0, updated: 0 })
  }
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
  const corpus = readFileSync(join(import.meta.dir, 'exports/column-names.tsv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [header: string, cell: string, says: string])
  const stated = { consent: { subscribed: true, statement: 'Signed up in our shop.' } }
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
    const rows = corpus.map(([header, cell, says]) => `| \`${header}\` | \`${cell}\` | ${meanings[says]} |`)
    await holdTable('columns', `| column | value | says |\n|---|---|---|\n${rows.join('\n')}\n`)
  })
})
