// What a send refuses, and that a refusal changes nothing; what an attacker may try with headers, addresses and bodies.

import { describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { readAttachments } from '../src/features/sending/attachments.ts'
import { type Json, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'
import { ranOnFile, remoteDatabase } from './support/database.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { addContact, base64, headersOf, onlyMail, parsedInOrder, pdf, sentInOrder } from './support/sent-mail.ts'
import { startSink } from './support/smtp-sink.ts'

/** What a mail looks like, and what is refused, is the same on any database. */
const once = test.skipIf(ranOnFile)

const path = '/v1/transactional/send'
const hello = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from([0, 255, 13, 10, 46])])

describe.skipIf(ranOnFile)('what an attacker may try', () => {
  test('a value with line breaks makes no new header; a long subject is folded at whole characters (M02)', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const values = [
      'a\r\nBcc: evil@example.net',
      'a\nb\rc\0d\u0085e\u2028f',
      `${'😀é漢'.repeat(60)}`,
      'x'.repeat(9_000),
      '=?UTF-8?Q?Bcc:?=',
    ]
    for (const name of values) await t.post(path, { ...hello, dataVariables: { name } }, 200)
    await addContact(t, 'c@example.net', { firstName: 'C\r\nBcc: evil@example.net' })
    await t.template({ ...greeting, id: 'contact', subject: 'Dear {{contact.firstName}}' })
    await t.post(path, { ...hello, templateId: 'contact', email: 'c@example.net' }, 200)
    const mails = await sentInOrder(t)
    const usual = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type']
    for (const { raw } of mails) {
      expect(headersOf(raw).map(([name]) => name)).toEqual(usual)
      for (const [, encoded = ''] of raw.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)) {
        expect(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))).not.toThrow()
      }
    }
    const subjects = await Promise.all(mails.map(async ({ raw }) => (await simpleParser(raw)).subject))
    expect(subjects).toEqual([
      'Hi a Bcc: evil@example.net',
      'Hi a b c d e f',
      `Hi ${values[2]}`,
      `Hi ${values[3]}`,
      `Hi ${values[4]}`,
      'Dear C Bcc: evil@example.net',
    ])
  })

  test('a body that looks like the end of the mail is one mail, without a bare CR or LF or a long line (M05)', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    const command = 'MAIL FROM:<evil@example.net>\r\nRCPT TO:<z@example.net>\r\nDATA\r\nSubject: smuggled\r\n\r\nx'
    const ends = ['\r\n.\r\n', '\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n\0.\r\n']
    for (const end of ends) await t.post(path, { ...hello, dataVariables: { name: `a${end}${command}${end}` } }, 200)
    const csvData = base64(ends.map((end) => end.replace('\0', '') + command).join(''))
    const attachments = [{ filename: 'a.csv', contentType: 'text/csv', data: csvData }]
    await t.post(path, { ...hello, dataVariables: { name: 'é'.repeat(5_000) }, attachments }, 200)
    await t.settle()
    expect(sink.received).toHaveLength(ends.length + 1)
    for (const { raw, to } of sink.received) {
      expect(to).toEqual(['ada@example.net'])
      const bytes = raw.toString('latin1')
      expect(bytes.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      expect(Math.max(...bytes.split('\r\n').map(({ length }) => length))).toBeLessThan(999)
      expect(headersOf(bytes).filter(([name]) => name === 'Subject')).toHaveLength(1)
    }
    // They leave side by side, in no order.
    const texts = await Promise.all(sink.received.map(async ({ raw }) => (await simpleParser(raw)).text))
    expect(texts.filter((text) => text?.includes('.\nMAIL FROM:<evil@example.net>')).length).toBeGreaterThan(1)
  })

  test('values are escaped by their place (M11)', async () => {
    await using t = await testApp()
    const content = [
      { type: 'text', text: '{{v}}' },
      { type: 'image', src: 'https://acme.test/a.png?x={{v}}', alt: '{{v}}' },
      { type: 'button', text: '{{v}}', href: 'https://acme.test/?x={{v}}' },
    ]
    await t.template({ ...greeting, content, subject: '{{v}}' })
    const v = `<script>alert(1)</script>"'><img onerror=x></style>&quot;`
    await t.post(path, { ...hello, dataVariables: { v } }, 200)
    const { html, text, subject } = await onlyMail(t)
    expect(html).not.toMatch(/<script|<img onerror|"'>|alert\(1\)<\/script/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;')
    expect(html).toContain('&amp;quot;')
    expect(html).toContain(`https://acme.test/?x=${encodeURIComponent('<script>').replaceAll('&', '&amp;')}`)
    expect(text).toContain(v)
    expect(subject).toBe(v)
  })

  test('a link made by a value is http, https, mailto or tel, or it is "#" (M12)', async () => {
    await using t = await testApp()
    await t.template({ ...greeting, content: [{ type: 'button', text: 'Go', href: '{{url}}' }], subject: 'x' })
    const bad = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '&#106;avascript:alert(1)',
      ' javascript:x',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      'file:///etc/passwd',
    ]
    const good = ['https://acme.test/a?b=c', 'http://acme.test', 'mailto:a@acme.test', 'tel:+4412345']
    for (const url of [...bad, ...good]) await t.post(path, { ...hello, dataVariables: { url } }, 200)
    const links = (await parsedInOrder(t)).map(({ html }) => {
      const found = new Set([...(html || '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href))
      return [...found].join()
    })
    expect(links).toEqual([...bad.map(() => '#'), ...good])
  })

  test('a value is never read as a template, and no name reaches a prototype (M13)', async () => {
    await using t = await testApp()
    const text = '{{a}} [{{b|}}] [{{toString|}}] [{{contact.constructor|}}]'
    await t.template({ ...greeting, content: [{ type: 'text', text }], subject: '{{a}}' })
    await addContact(t, hello.email, { firstName: 'Secret' })
    const dataVariables = { a: '{{b}} {{contact.firstName}} {{company_name}}', b: 'second' }
    await t.post(path, { ...hello, dataVariables }, 200)
    const { subject, text: shown } = await onlyMail(t)
    expect(subject).toBe(dataVariables.a)
    expect(shown?.trim()).toBe(`${dataVariables.a} [second] [] []`)
  })

  test('a sending domain signs the mail from it (M15)', async () => {
    await using t = await testApp()
    const { id } = await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    await t.template({ ...greeting, fromEmail: 'me@mine.example' })
    const { messageId } = await t.post(path, hello, 200)
    await t.settle()
    const [mail] = await t.sent()
    expect(id).toMatch(/^dom_/)
    expect(mail).toMatchObject({ from: 'me@mine.example', messageId: `${messageId}@mine.example` })
    const signatures = headersOf(mail?.raw ?? '').filter(([name]) => name.toLowerCase() === 'dkim-signature')
    expect(signatures.map(([, value]) => /\bd=([^;]+)/.exec(value)?.[1])).toEqual(['mine.example', 'mine.example'])
  })
})

const steering = [
  'X-SMTPAPI',
  'X-SG-EID',
  'X-MC-BccAddress',
  'X-Mailgun-Variables',
  'X-PM-Message-Stream',
  'X-Postmark-Tag',
  'x-ses-source-arn',
  'X-SES-CONFIGURATION-SET',
  'X-MSYS-API',
  'X-MJ-CustomID',
  'X-Mailjet-TrackOpen',
  'X-Mailin-Tag',
  'X-SIB-API',
  'X-MT-Category',
  'X-MailerSend-Tags',
  'X-ElasticEmail-Pool',
  'X-xsMailingId',
  'X-APIHEADER',
  'X-TM-TRACKING',
  'X-Virtual-MTA',
  'X-Job',
  'X-GreenArrow-MtaID',
  'X-MQ-Pool',
  'X-MS-Exchange-Organization-AuthAs',
  'X-Bcc',
  'X-Rcpt-To',
  'X-Original-To',
]
const ownHeaders = ['X-Order', 'X-Priority', 'X-Entity-Ref-ID', 'X-Auto-Response-Suppress', 'X-Msystem', 'X-Smart']

once('no header steers a provider; the caller’s own X- headers are sent', async () => {
  await using sink = startSink()
  await using t = await testApp({ environment: { SMTP_URL: sink.url } })
  await t.template(greeting)
  await t.unchanged(async () => {
    for (const header of steering.flatMap((name) => [name, name.toLowerCase()])) {
      const refused = await t.post(path, { ...hello, headers: { [header]: 'x' } }, 422)
      expect(refused.errors, header).toMatchObject([{ path: `headers.${header}`, code: 'not_allowed' }])
    }
  })
  await t.post(path, { ...hello, headers: Object.fromEntries(ownHeaders.map((name) => [name, 'mine'])) }, 200)
  await t.settle()
  const sent = headersOf(sink.received[0]?.raw.toString('latin1') ?? '')
  for (const name of ownHeaders) expect(sent.filter(([one]) => one === name)).toEqual([[name, 'mine']])
})

describe('what is refused changes nothing', () => {
  type Case = [what: string, body: unknown, status: number, code: string, at: string | undefined]
  const invalid = (what: string, body: object, at: string, code = 'validation_failed'): Case => [
    what,
    { ...hello, ...body },
    422,
    code,
    at,
  ]
  const file = (more: object) => ({
    attachments: [{ filename: 'a.txt', contentType: 'text/plain', data: base64('x'), ...more }],
  })
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60)
  const controls = ['a\r\nBcc: e@x.test', 'a\nb', 'a\rb', 'a\0b', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\x7fb']
  const badAddresses = [
    ...controls.map((text) => `${text}@x.test`),
    '',
    ' ',
    'nobody',
    '@x.test',
    'a@',
    'a@@x.test',
    'a@x.test, b@x.test',
    'a@x.test;b@x.test',
    'a@x.test\r\nBcc: e@x.test',
    'a@x.test\nRCPT TO:<e@z.test>',
    '<a@x.test>',
    'A <a@x.test>',
    'G: a@x.test;',
    '"a b"@x.test',
    '(x)a@x.test',
    'a@x.test (x)',
    'a@[127.0.0.1]',
    'a@1.2.3.4',
    'a@x.test.',
    '.a@x.test',
    'a..b@x.test',
    'ü@x.test',
    'a@-x.test',
    'a@x..test',
    `${'a'.repeat(65)}@x.test`,
    `a@${'x'.repeat(64)}.test`,
    `a@${'x.'.repeat(126)}test`,
  ]
  const badNames: [name: string, code?: string][] = [
    ['Bcc'],
    ['To'],
    ['From'],
    ['Subject'],
    ['Sender'],
    ['Message-ID'],
    ['Content-Type'],
    ['DKIM-Signature'],
    ['Received'],
    ['Return-Path'],
    ['X-Mailer'],
    ['x-PAQUEBOT-id'],
    ['constructor'],
  ]
  const badBase64 = [
    'eA',
    'eA=',
    '=',
    '====',
    'eA==\n',
    ' eA==',
    'e A==',
    'eA==eA==',
    '-_-_',
    'eB==',
    'data:text/plain;base64,eA==',
    'eA==junk',
    'ех==',
  ]
  const wrongContent: [type: string, data: Buffer | string][] = [
    ['application/pdf', 'MZ\x90'],
    ['application/pdf', 'PK\x03\x04'],
    ['application/pdf', '<html>'],
    ['application/pdf', ' %PDF-1.7'],
    ['application/pdf', png],
    ['image/png', pdf],
    ['image/png', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['image/jpeg', png],
    ['text/plain', png],
    ['text/plain', 'a\0b'],
    ['text/csv; charset=utf-8', Buffer.from([0xc3, 0x28])],
  ]
  const badTypes = ['image/svg+xml', 'text/html', 'text/plain, text/html', '', 'application/zip', 'toString']

  const cases: Case[] = [
    ['no body', undefined, 422, 'missing_required_field', undefined],
    ['a list', [hello], 422, 'validation_failed', undefined],
    ['no recipient', { templateId: 'hello' }, 422, 'missing_required_field', 'email'],
    ['no template', { email: hello.email }, 422, 'missing_required_field', 'templateId'],
    ['an unknown template', { ...hello, templateId: 'unknown' }, 404, 'not_found', undefined],
    ['a template of a prototype', { ...hello, templateId: 'constructor' }, 404, 'not_found', undefined],
    ['a draft', { ...hello, templateId: 'draft' }, 404, 'not_found', undefined],
    ['another workspace’s template', { ...hello, templateId: 'foreign' }, 404, 'not_found', undefined],
    ['an unknown userId', { templateId: 'hello', userId: 'nobody' }, 422, 'validation_failed', 'userId'],
    ['no content in any locale', { ...hello, templateId: 'japanese', locale: 'ko' }, 422, 'no_content', 'locale'],
    ['a number as an address', { ...hello, email: 5 }, 422, 'validation_failed', 'email'],
    ['two recipients', { ...hello, email: ['a@x.test', 'b@x.test'] }, 422, 'validation_failed', 'email'],
    ...badAddresses.flatMap((address): Case[] => [
      invalid(`email ${shown(address)}`, { email: address }, 'email'),
      ...(address.endsWith('<a@x.test>')
        ? []
        : [invalid(`to ${shown(address)}`, { email: undefined, to: address }, 'to')]),
      invalid(`replyTo ${shown(address)}`, { replyTo: address }, 'replyTo'),
    ]),
    ...controls.map((fromName) => invalid(`fromName ${shown(fromName)}`, { fromName }, 'fromName')),
    ...controls.map((text) => invalid(`a header ${shown(text)}`, { headers: { 'X-A': text } }, 'headers.X-A')),
    ...badNames.map(([name]) => invalid(`the header ${name}`, { headers: { [name]: 'x' } }, `headers.${name}`)),
    invalid('a header name with a colon', { headers: { 'X-A: b': 'x' } }, 'headers.X-A: b'),
    invalid('a header name with a line break', { headers: { 'X-A\r\nBcc': 'x' } }, 'headers.X-A\r\nBcc'),
    invalid('a long header', { headers: { 'X-A': 'x'.repeat(901) } }, 'headers.X-A'),
    invalid('a header that is a number', { headers: { 'X-A': 5 } }, 'headers.X-A'),
    invalid(
      '21 headers',
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, 'x'])) },
      'headers',
    ),
    invalid(
      'an auto variable',
      { dataVariables: { name: 'x', company_name: 'Evil' } },
      'dataVariables.company_name',
      'auto_variable_not_allowed',
    ),
    invalid(
      'another auto variable',
      { dataVariables: { name: 'x', unsubscribe_url: 'x' } },
      'dataVariables.unsubscribe_url',
      'auto_variable_not_allowed',
    ),
    invalid(
      'a field of the contact',
      { dataVariables: { name: 'x', 'contact.firstName': 'x' } },
      'dataVariables.contact.firstName',
      'auto_variable_not_allowed',
    ),
    invalid(
      'the contact',
      { dataVariables: { name: 'x', contact: 'x' } },
      'dataVariables.contact',
      'auto_variable_not_allowed',
    ),
    invalid(
      'the workspace',
      { dataVariables: { name: 'x', workspace: 'x' } },
      'dataVariables.workspace',
      'auto_variable_not_allowed',
    ),
    invalid('no variables', { dataVariables: undefined }, 'dataVariables.name', 'missing_variable'),
    invalid('a missing variable', { dataVariables: { nam: 'x' } }, 'dataVariables.name', 'missing_variable'),
    invalid('null for a variable', { dataVariables: { name: null } }, 'dataVariables.name', 'missing_variable'),
    invalid('an object as a variable', { dataVariables: { name: { a: 1 } } }, 'dataVariables.name'),
    invalid('a list as a variable', { dataVariables: { name: [{ a: 1 }] } }, 'dataVariables.name'),
    invalid('a list of texts', { dataVariables: { name: 'x', other: ['a'] } }, 'dataVariables.other[0]'),
    invalid('a long value', { dataVariables: { name: 'x'.repeat(10_001) } }, 'dataVariables.name'),
    invalid('variables that are a list', { dataVariables: ['x'] }, 'dataVariables'),
    invalid('variables that are a text', { dataVariables: 'x' }, 'dataVariables'),
    ...['no locale', 'x', 'en-', '../en', '', 'toolonglanguage'].map((locale) =>
      invalid(`the locale ${shown(locale)}`, { locale }, 'locale'),
    ),
    ...[
      '',
      'tomorrow',
      '2027-01-15T12:00:00.001Z',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '1',
      '01/02/2026',
      'Jan 16 2026',
      '2026-01-16',
      '2026-01-16T12:00:00',
      '2026-01-16 12:00:00Z',
    ].map((scheduledAt) => invalid(`scheduledAt ${shown(scheduledAt)}`, { scheduledAt }, 'scheduledAt')),
    invalid('scheduledAt as a number', { scheduledAt: 1_800_000_000 }, 'scheduledAt'),
    invalid('addToContact as a text', { addToContact: 'yes' }, 'addToContact'),
    invalid('an empty tag', { tags: ['a', ''] }, 'tags[1]'),
    invalid('21 tags', { tags: Array.from({ length: 21 }, () => 'a') }, 'tags'),
    invalid('a long tag', { tags: ['x'.repeat(101)] }, 'tags[0]'),
    invalid('metadata that is a number', { metadata: { a: 1 } }, 'metadata.a'),
    invalid('long metadata', { metadata: { a: 'x'.repeat(501) } }, 'metadata.a'),
    invalid('a long fromName', { fromName: 'x'.repeat(201) }, 'fromName'),
    invalid('attachments that are no list', { attachments: {} }, 'attachments'),
    invalid(
      'an attachment without a name',
      file({ filename: undefined }),
      'attachments[0].filename',
      'missing_required_field',
    ),
    invalid(
      'an attachment without a type',
      file({ contentType: undefined }),
      'attachments[0].contentType',
      'missing_required_field',
    ),
    invalid('an attachment without data', file({ data: undefined }), 'attachments[0].data', 'missing_required_field'),
    invalid('an attachment with a long name', file({ filename: 'x'.repeat(501) }), 'attachments[0].filename'),
    ...badTypes.map((contentType) =>
      invalid(
        `the type ${shown(contentType)}`,
        file({ contentType }),
        'attachments[0].contentType',
        'attachment_type_not_allowed',
      ),
    ),
    ...wrongContent.map(([contentType, data]) =>
      invalid(
        `${contentType} that is not`,
        file({ contentType, data: base64(data) }),
        'attachments[0].data',
        'attachment_type_not_allowed',
      ),
    ),
    ...badBase64.map((data) => invalid(`the base64 ${shown(data)}`, file({ data }), 'attachments[0].data')),
    invalid(
      '13 MB of base64 with a fault at its end',
      file({ data: `${'A'.repeat(13_000_000 - 4)}A A=` }),
      'attachments[0].data',
    ),
    [
      '24 MB of "A"',
      { ...hello, ...file({ data: 'A'.repeat(24_000_000) }) },
      413,
      'attachment_too_large',
      'attachments[0].data',
    ],
    ['40 MB of "A"', { ...hello, ...file({ data: 'A'.repeat(40_000_000) }) }, 413, 'payload_too_large', undefined],
  ]

  once(`all ${cases.length} of them, by status, code and path`, async () => {
    await using t = await testApp()
    await t.template(greeting)
    await t.template({ ...greeting, id: 'draft', content: undefined })
    await t.template({ ...greeting, id: 'japanese', primaryLocale: 'ja' })
    await t.patch('/v1/workspace', { primaryLocale: 'fr' }, 200)
    await t.template({ id: 'foreign', name: 'x', subject: 'x', text: 'x' }, { as: await t.stranger() })
    const wrong: string[] = []
    for (const [what, body, status, code, at] of cases) {
      const reply = await t.unchanged(() => t.request('POST', path, body)).catch((error: Error) => error)
      if (reply instanceof Error) {
        wrong.push(`${what}: ${reply.message}`)
        continue
      }
      const got = [reply.status, reply.body.code, reply.body.errors?.[0]?.path]
      const expected = [status, code, at ?? (Array.isArray(body) || body === undefined ? got[2] : undefined)]
      if (JSON.stringify(got) !== JSON.stringify(expected))
        wrong.push(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`)
    }
    expect(wrong).toEqual([])
    await t.settle()
    expect(await t.sent()).toEqual([])
  })

  once('base64 with a fault at its end costs no square of its length (M10)', async () => {
    // A square of this length would not end.
    const data = `${'A'.repeat(12_000_000 - 4)}A A=`
    const inputs = [{ filename: 'a', contentType: 'text/plain', data }]
    const { blockMs } = await longestBlock('12 MB of base64 with a fault at its end', async () => {
      await expect(readAttachments({ attachmentTypes: null, maxAttachments: null }, inputs)).rejects.toThrow('base64')
    })
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })

  once('a brand that would break a header, a link or a style', async () => {
    await using t = await testApp()
    const bad: [name: string, values: string[]][] = [
      ['senderName', controls],
      ['companyName', controls],
      ['companyAddress', ['a\0b', 'a\rb']],
      ['website', ['javascript:alert(1)', '//evil.example', 'data:text/html,x']],
      ['logoUrl', ['javascript:alert(1)', 'data:image/png;base64,AA==', 'x" onerror="y']],
      ['primaryColor', ['red;}</style><script>', 'url(x)', '#12', '#12345g', 'red']],
      ['supportEmail', ['nobody', 'a@x.test\r\nBcc: e@x.test']],
    ]
    for (const [name, values] of bad) {
      for (const value of values) {
        const refused = await t.unchanged(() => t.patch('/v1/workspace', { brand: { [name]: value } }, 422))
        expect([refused.code, refused.errors[0].path], value).toEqual(['validation_failed', `brand.${name}`])
      }
    }
    const brand = { companyName: 'A', companyAddress: '1 Road\nHull', website: 'https://a.test', primaryColor: '#0F5' }
    expect((await t.patch('/v1/workspace', { brand }, 200)).brand).toEqual(brand)
    const cleared = await t.patch('/v1/workspace', { brand: { companyName: null, website: '' } }, 200)
    expect(cleared.brand).toEqual({ companyAddress: brand.companyAddress, primaryColor: '#0F5' })
  })

  test('a value that a libSQL server does not take is 413 there, and no failure', async () => {
    await using t = await testApp()
    await t.template({
      ...greeting,
      content: [{ type: 'list', itemsVariable: 'lines', items: ['{{item.a}}'] }],
      subject: 'x',
    })
    const dataVariables = { lines: Array.from({ length: 700 }, () => ({ a: 'x'.repeat(10_000) })) }
    const body = { ...hello, dataVariables, scheduledAt: '2027-01-01T00:00:00Z' }
    if (!remoteDatabase) return void (await t.post(path, body, 200))
    expect((await t.unchanged(() => t.post(path, body, 413))).code).toBe('payload_too_large')
  })

  once('every missing variable is named', async () => {
    await using t = await testApp()
    await t.template({ ...greeting, content: [{ type: 'text', text: '{{a}} {{b}} {{c|x}}' }] })
    const refused = await t.unchanged(() => t.post(path, { ...hello, dataVariables: {} }, 422))
    expect(refused.errors.map((one: Json) => one.path)).toEqual(
      ['name', 'a', 'b'].map((name) => `dataVariables.${name}`),
    )
  })
})
