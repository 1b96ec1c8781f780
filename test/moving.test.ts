// Moving in from another service: its lists, templates and attributes come along, a statement raises nothing, and no file harms. What becomes
// of each row is in import-exports.test.ts.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { consentRecords, subscriptions } from '../db/tables/lists.ts'
import { importContacts } from '../src/features/contacts/imports/imports.ts'
import { inOurWords } from '../src/features/lists/moving/convert-template.ts'
import { treeOfHtml } from '../src/features/lists/moving/html-tree.ts'
import { writeZip } from '../src/kit/zip.ts'
import { type Json, type Reply, type TestApp, testApp } from './support/app.ts'
import { audienceOf } from './support/campaign.ts'
import { cli } from './support/cli.ts'
import { fateOf } from './support/people.ts'

const folder = join(import.meta.dir, 'exports')
const file = (name: string) => ({ name, bytes: readFileSync(join(folder, name)) })
const zip = (...names: string[]) => writeZip(names.map(file))
const octets = { headers: { 'content-type': 'application/octet-stream' } }
const agreed = { consent: JSON.stringify({ subscribed: true, statement: 'Signed up in our shop.' }) }

type Options = Record<string, string>
const send = (t: TestApp, path: string, format: string, bytes: Uint8Array, options: Options = {}): Promise<Reply> =>
  t.request('POST', `${path}?${new URLSearchParams({ format, ...options })}`, bytes, octets)
const preview = (t: TestApp, format: string, bytes: Uint8Array, options: Options = {}) =>
  t.unchanged(() => send(t, '/v1/imports/preview', format, bytes, options))

async function imported(t: TestApp, format: string, bytes: Uint8Array, options: Options = {}): Promise<Json> {
  const { status, body, text } = await send(t, '/v1/imports', format, bytes, options)
  if (status !== 202) throw new Error(text)
  await t.settle()
  return await t.get(`/v1/contact-imports/${body.id}`, 200)
}

describe('listmonk', () => {
  const files = () => zip('listmonk-subscribers.json', 'listmonk-lists.json', 'listmonk-templates.json')

  test('lists, states and attributes come along; who waits, left or is blocked there gets no campaign here', async () => {
    await using t = await testApp()
    const seen = await preview(t, 'listmonk', files(), agreed)
    expect(seen.status, seen.text).toBe(200)
    expect(seen.body.report.lists).toEqual([
      { name: 'News {daily}', mailingListId: null, isNew: true, contacts: 2 },
      { name: 'Club', mailingListId: null, isNew: true, contacts: 1 },
      { name: 'Beta', mailingListId: null, isNew: true, contacts: 1 },
    ])
    expect(seen.body.report.properties).toContainEqual({ name: 'seats', type: 'number' })
    const done = await imported(t, 'listmonk', files(), agreed)
    expect([done.state, done.created, done.bad]).toEqual(['done', 6, 1])
    expect(done.badRows).toEqual([
      {
        line: expect.any(Number),
        where: 'listmonk-subscribers.json, entry 7',
        reason: expect.stringContaining('email must be'),
      },
    ])
    const idOf = (name: string) => done.report.lists.find((one: Json) => one.name === name).mailingListId
    expect(await audienceOf(t, idOf('News {daily}'))).toEqual({
      'ada@monk.example': 'recipients',
      'bob@monk.example': 'unconfirmed: pending',
    })
    expect(await audienceOf(t, idOf('Beta'))).toEqual({
      'ada@monk.example': 'unconfirmed: pending',
      'cyd@monk.example': 'recipients',
    })
    expect(await audienceOf(t, idOf('Club'))).toEqual({ 'eve@monk.example': 'recipients' })
    expect(await fateOf(t, 'dan@monk.example')).toBe('manual')
    const [ada] = await t.get('/v1/contacts/find?email=ada@monk.example', 200)
    expect(ada).toMatchObject({ city: 'London', seats: 3, vip: true, addressZip: 'W1', tags: 'a, b' })
    const [bob] = await t.get('/v1/contacts/find?email=bob@monk.example', 200)
    expect(bob.city).toBe('=HYPERLINK("https://evil.example")')
    expect(await t.sent()).toEqual([])
  })

  test('the ledger says where each consent comes from and when it was given', async () => {
    await using t = await testApp()
    await imported(t, 'listmonk', files(), agreed)
    const records = await t.app.db.select().from(consentRecords)
    const given = records.map(({ consentText, givenAt, route }) => [consentText, givenAt.toISOString(), route])
    expect(given).toContainEqual(['listmonk-subscribers.json, entry 6', '2023-02-06T10:00:00.000Z', 'POST /v1/imports'])
    expect(given).toContainEqual([
      'Signed up in our shop. listmonk-subscribers.json, entry 5',
      '2023-02-05T10:00:00.000Z',
      'POST /v1/imports',
    ])
  })

  test('templates become drafts where they can be converted, and the report says why the others are not', async () => {
    await using t = await testApp()
    const seen = await preview(t, 'listmonk', zip('listmonk-templates.json'))
    expect(
      seen.body.report.templates.map(({ name, converted, templateId }: Json) => [name, converted, templateId]),
    ).toEqual([
      ['Default campaign template', false, null],
      ['Welcome mail', true, null],
      ['Two columns', true, null],
    ])
    const done = await imported(t, 'listmonk', zip('listmonk-templates.json'))
    const [frame, welcome, columns] = done.report.templates
    expect(frame.problems).toEqual(expect.arrayContaining([expect.stringContaining('template "content"')]))
    expect(columns.problems).toEqual([
      'it sets cells of a table side by side: kept as HTML',
      'it holds <form>: kept as HTML',
      'The element <form>, but its content, was left out.',
      'The element <input> was left out.',
    ])
    const kept = await t.get(`/v1/transactional/${columns.templateId}/content/en`, 200)
    expect(kept.content).toMatchObject({ kind: 'html', source: expect.stringContaining('<form') })
    const { subject, content } = await t.get(`/v1/transactional/${welcome.templateId}/content/en`, 200)
    expect(subject).toBe('Welcome {{contact.firstName}}')
    expect(content).toEqual([
      { type: 'heading', text: 'Hello {{contact.firstName}}', level: 1 },
      {
        type: 'text',
        text: 'Thank you for **joining** us, \\[truly\\]. Read [how to begin](https://shop.example/start?a=1&b=2).',
        format: 'markdown',
      },
      {
        type: 'list',
        items: [
          { type: 'text', text: 'One', format: 'markdown' },
          { type: 'text', text: 'Two & a half', format: 'markdown' },
        ],
      },
      { type: 'button', text: 'Begin', href: 'https://shop.example/go' },
      { type: 'image', src: 'https://shop.example/logo.png', alt: 'Shop', width: 120 },
      { type: 'text', text: 'Your order {{order}}', format: 'markdown' },
    ])
    const again = await imported(t, 'listmonk', zip('listmonk-templates.json'))
    expect(again.report.templates[1].problems).toEqual([expect.stringContaining('is there already')])
  })

  test('a CSV of subscribers says nothing of consent, so it is refused until somebody says it', async () => {
    await using t = await testApp()
    const { bytes } = file('listmonk-subscribers.csv')
    const refused = await t.unchanged(() => send(t, '/v1/imports', 'listmonk', bytes))
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'consent_required'])
    expect((await preview(t, 'listmonk', bytes)).body).toMatchObject({ consentNeeded: true, created: 3, suppressed: 1 })
    const done = await imported(t, 'listmonk', bytes, { ...agreed, name: 'people.csv' })
    expect(done.report.notes).toEqual(['people.csv, line 4: its attributes are not JSON, and were left out'])
  })
})

test('what an audience of Mailchimp tells besides becomes properties, and proof of the consent', async () => {
  await using t = await testApp()
  await imported(t, 'mailchimp', zip('mailchimp-subscribed_members_export_1a2b3c.csv'))
  const [ada] = await t.get('/v1/contacts/find?email=ada@chimp.example', 200)
  expect(ada).toMatchObject({ tags: '"news","vip"', phoneNumber: '+33 1', timezone: 'Europe/Paris' })
  const records = await t.app.db.select().from(consentRecords)
  const given = records.find(({ consentText }) => consentText?.endsWith('.csv, line 2'))
  expect([given?.givenAt.toISOString(), given?.ip]).toEqual(['2021-05-04T09:00:00.000Z', '203.0.113.9'])
})

test('an attribute that says no, however deep it stands, is a no; one that may is asked about', async () => {
  await using t = await testApp()
  const people = (attribs: Json) =>
    Buffer.from(JSON.stringify([{ email: 'ada@monk.example', name: 'Ada', status: 'enabled', attribs, lists: [] }]))
  const refused = await t.unchanged(() =>
    send(t, '/v1/imports', 'listmonk', people({ prefs: { mail_ok: 'no' } }), agreed),
  )
  expect([refused.status, refused.body.errors[0]]).toMatchObject([
    422,
    { path: 'columns.prefs.mail_ok', code: 'consent_unclear' },
  ])
  const { body } = await preview(t, 'listmonk', people({ prefs: { mail_ok: 'no' } }), agreed)
  expect(body.unclear).toEqual([{ column: 'prefs.mail_ok', example: 'no' }])
  const answers: [meaning: string | null, fate: string][] = [
    ['subscribed', 'no'],
    ['optedOut', 'yes'],
    ['mailOk', 'yes'],
    [null, 'yes'],
  ]
  for (const [at, [meaning, fate]] of answers.entries()) {
    const columns = JSON.stringify({ 'prefs.mail_ok': meaning })
    const bytes = Buffer.from(
      people({ prefs: { mail_ok: 'no' } })
        .toString()
        .replace('ada', `p${at}`),
    )
    await imported(t, 'listmonk', bytes, { ...agreed, columns })
    expect(await fateOf(t, `p${at}@monk.example`), String(meaning)).toBe(fate)
  }
  expect((await t.get('/v1/contacts/find?email=p2@monk.example', 200))[0]).toMatchObject({ mailOk: 'no' })
  for (const columns of [{ 'prefs.mail_ok': '9 lives' }, { other: 'subscribed' }]) {
    const reply = await t.unchanged(() =>
      send(t, '/v1/imports', 'listmonk', people({ prefs: { mail_ok: 'no' } }), {
        ...agreed,
        columns: JSON.stringify(columns),
      }),
    )
    expect([reply.status, reply.body.errors[0].code]).toEqual([422, 'column'])
  }
  await imported(t, 'listmonk', people({ deep: { is_unsubscribed: true } }), agreed)
  expect(await fateOf(t, 'ada@monk.example')).toBe('no')
})

test('of the suppressed addresses of SES a known one is suppressed here, and no other becomes a contact', async () => {
  await using t = await testApp()
  await t.contact({ email: 'gone@ses.example', subscribed: true })
  const done = await imported(t, 'ses-suppression', zip('ses-suppression-list.json', 'ses-suppression-lines.jsonl'))
  expect([done.created, done.suppressed, done.bad]).toEqual([0, 4, 1])
  expect(await fateOf(t, 'gone@ses.example')).toBe('hardBounce')
})

test('a person who left here stays left, whatever the export says', async () => {
  await using t = await testApp()
  await t.contact({ email: 'ada@monk.example', subscribed: false })
  const done = await imported(t, 'listmonk', zip('listmonk-subscribers.json'), agreed)
  expect(await fateOf(t, 'ada@monk.example')).toBe('no')
  expect(done.consentKept).toBe(1)
  const [ada] = await t.get('/v1/contacts/find?email=ada@monk.example', 200)
  const rows = await t.app.db.select().from(subscriptions)
  expect(rows.filter(({ contactId }) => contactId === ada.id).map(({ status }) => status)).toEqual([])
})

test('an import that is killed in its middle goes on where it stopped, and the same export again makes nothing twice', async () => {
  await using t = await testApp()
  const people = Array.from(
    { length: 600 },
    (_, n) => `Ada ${n},p${n}@sendy.example,${n % 3 === 0 ? 'Unsubscribed' : 'Subscribed'}`,
  )
  const bytes = Buffer.from(`Name,Email,Status\n${people.join('\n')}\n`)
  const { body } = await send(t, '/v1/imports', 'sendy', bytes)
  const stop = new AbortController()
  const control = { signal: stop.signal, handOver: async () => null, progressed: async () => {} }
  const job = { payload: { importId: body.id } } as Parameters<typeof importContacts.run>[1]
  const stopAtOnce = t.app.onWake(() => stop.abort('stopping'))
  await importContacts.run(t.app, job, control)
  stopAtOnce()
  const half = await t.get(`/v1/contact-imports/${body.id}`, 200)
  expect(half.readBytes).toBeGreaterThan(0)
  expect(half.created).toBeLessThan(600)
  // Who left is known first.
  expect(half.unsubscribed).toBe(Math.min(half.created, 200))
  await t.settle()
  expect(await t.get(`/v1/contact-imports/${body.id}`, 200)).toMatchObject({
    state: 'done',
    created: 600,
    subscribed: 400,
  })
  expect(await imported(t, 'sendy', bytes)).toMatchObject({ created: 0, updated: 0, unchanged: 600 })
})

describe('a hostile export', () => {
  test('of contradicting states the strictest wins', async () => {
    await using t = await testApp()
    const rows = ['Subscribed', 'Unconfirmed', 'Unsubscribed', 'Subscribed'].map(
      (state) => `Ada,a@sendy.example,${state}`,
    )
    await imported(
      t,
      'sendy',
      Buffer.from(
        `Name,Email,Status\n${rows.join('\n')}\nBob,b@sendy.example,Subscribed\nBob,B@sendy.example,Marked as spam\n`,
      ),
    )
    expect([await fateOf(t, 'a@sendy.example'), await fateOf(t, 'b@sendy.example')]).toEqual(['no', 'complaint'])
  })

  test('in an old encoding is read, and the report says so', async () => {
    await using t = await testApp()
    const latin = Buffer.from('Name,Email,Status\nJos\u00e9 M,j@sendy.example,Subscribed\n', 'latin1')
    const done = await imported(t, 'sendy', latin, { name: 'list.csv' })
    expect(done.report.notes).toEqual(['list.csv is not UTF-8; it was read as Windows-1252'])
    expect((await t.get('/v1/contacts/find?email=j@sendy.example', 200))[0].firstName).toBe('José')
    const wide = Buffer.from('\ufeffName,Email,Status\nZoë,z@sendy.example,Subscribed\n', 'utf16le')
    await imported(t, 'sendy', wide)
    expect((await t.get('/v1/contacts/find?email=z@sendy.example', 200))[0].firstName).toBe('Zoë')
  })

  test('as a table without addresses is refused by name; beside people in an archive it is left out, and the report says so', async () => {
    await using t = await testApp()
    const sales = { name: 'sales.csv', bytes: Buffer.from('Name,Sum\nAda,3\nBob,4\n') }
    for (const name of [sales.name, 'export']) {
      const alone = await t.unchanged(() => send(t, '/v1/imports', 'sendy', sales.bytes, { name }))
      expect([alone.status, alone.body.errors[0].code]).toEqual([422, 'format'])
      expect(alone.body.detail).toContain(
        `${name} was left out: no column identifies the person of a row: looked for email, emailaddress, mail, subscriberemail, userid (case, spaces and punctuation do not count), found "Name", "Sum"`,
      )
    }
    const people = { name: 'people.csv', bytes: Buffer.from('Name,E-Mail,Status\nA,a@sendy.example,Subscribed\n') }
    const done = await imported(t, 'sendy', writeZip([sales, people]))
    expect(done).toMatchObject({
      created: 1,
      bad: 0,
      report: { notes: [expect.stringContaining('sales.csv was left out')] },
    })
    expect(done.report.files).toContainEqual({ name: 'sales.csv', holds: 'nothing that is imported', entries: 0 })
  })

  test('as an archive that climbs out of its folder, grows without end or is damaged changes nothing', async () => {
    await using t = await testApp()
    const csv = Buffer.from('Name,Email,Status\nA,a@sendy.example,Subscribed\n')
    const climbing = ['../people.csv', '/etc/people.csv', 'a\\..\\people.csv', 'C:people.csv'].map((name) =>
      writeZip([{ name, bytes: csv }]),
    )
    const whole = writeZip([{ name: 'people.csv', bytes: csv }])
    const cut = [whole.subarray(0, 60), Buffer.concat([whole.subarray(0, 4), whole.subarray(9)])]
    for (const bytes of [...climbing, ...cut])
      expect((await t.unchanged(() => send(t, '/v1/imports', 'sendy', bytes))).status).toBe(422)
    const bomb = deflated('people.csv', Buffer.alloc(201 * 1024 * 1024, 'a'))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect((await t.unchanged(() => send(t, '/v1/imports', 'sendy', bomb))).status).toBe(413)
    for (const nothing of ['', 'no export at all', '{"data":[]}'])
      expect((await t.unchanged(() => send(t, '/v1/imports', 'sendy', Buffer.from(nothing)))).status).toBe(422)
  })
})

/** The same as writeZip(), deflated, of one file. */
function deflated(name: string, bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes)
  const archive = writeZip([{ name, bytes: packed }])
  archive.writeUInt16LE(8, archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 10)
  return archive
}

test('the words of another service that have no counterpart are named, and never dropped', () => {
  expect(inOurWords('mailchimp', '*|FNAME|* *|IF:VIP|*x*|END:IF|*')).toEqual({
    text: '{{contact.firstName}} x',
    unknown: ['*|IF:VIP|*', '*|END:IF|*'],
  })
  const html = readFileSync(join(folder, 'mailchimp-spring.html'), 'utf8')
  expect(treeOfHtml(html, (text) => inOurWords('mailchimp', text))).toMatchObject({
    problems: [],
    nodes: [
      { type: 'heading', text: 'Hello {{contact.firstName}}', level: 2 },
      { type: 'text', text: 'Café opens *soon*.\nSee you!' },
      { type: 'section', divider: 'top' },
      { type: 'text', text: '{{company_name}}, [leave]({{unsubscribe_url}})' },
    ],
  })
})

test('the command line shows an export first, and imports it with --apply', async () => {
  using paquebot = await cli()
  await paquebot.run(['workspace', 'create', '--slug', 'acme'])
  const files = [join(folder, 'listmonk-subscribers.json'), join(folder, 'listmonk-lists.json')]
  const shown = await paquebot.run(['import', 'listmonk', ...files, '--workspace', 'acme', '--agreed', 'In our shop.'])
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('list: Club, 1 people, new')])
  expect(shown.out).toContain('Nothing was written.')
  const applied = await paquebot.run([
    'import',
    'listmonk',
    ...files,
    '--workspace',
    'acme',
    '--agreed',
    'In our shop.',
    '--apply',
  ])
  expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('is stored')])
})
