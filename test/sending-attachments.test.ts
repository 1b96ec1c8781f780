// Attachments of a mail: as they arrive, what their names and types may be, and how large they may be together.

import { describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { checkSizes } from '../src/features/sending/attachments.ts'
import { parseMail } from '../src/mail/parse-mime.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'
import { ranOnFile } from './support/database.ts'
import { base64, onlyMail, pdf } from './support/sent-mail.ts'
import { startSink } from './support/smtp-sink.ts'

/** What a mail looks like, and what is refused, is the same on any database. */
const once = test.skipIf(ranOnFile)

const path = '/v1/transactional/send'
const hello = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }

const activityOf = (t: TestApp, messageId: string): Promise<Json> => t.get(`/v1/activity/${messageId}`, 200)
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from([0, 255, 13, 10, 46])])
const jpeg = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(100, 0x2e)])
const csv = Buffer.from('naïve;1\r\n.\r\nx\n"a,b",✉')

describe('attachments', () => {
  const attached: [filename: string, contentType: string, data: Buffer][] = [
    ['a.pdf', 'application/pdf', pdf],
    ['b.png', 'image/png', png],
    ['c.jpg', 'image/jpeg', jpeg],
    ['d.csv', 'text/csv', csv],
    ['e.txt', 'text/plain', Buffer.from('x')],
  ]
  for (const first of [0, 2]) {
    test(`arrive byte for byte, in order (${attached.slice(first, first + 3).map(([name]) => name)})`, async () => {
      await using sink = startSink()
      await using t = await testApp({ environment: { SMTP_URL: sink.url } })
      await t.template(greeting)
      const given = attached.slice(first, first + 3)
      const attachments = given.map(([filename, contentType, data]) => ({ filename, contentType, data: base64(data) }))
      await t.post(path, { ...hello, attachments }, 200)
      await t.settle()
      expect(sink.received).toHaveLength(1)
      const mail = await simpleParser(sink.received[0]?.raw ?? '')
      const got = mail.attachments.map(({ filename, contentType, content }) => [
        filename,
        contentType,
        content.toString('hex'),
      ])
      expect(got).toEqual(given.map(([filename, contentType, data]) => [filename, contentType, data.toString('hex')]))
      expect(mail.text?.trim()).toBe('Hello Ada')
    })
  }

  once('by every alias', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const attachments = [{ name: 'a.txt', content_type: 'text/plain', content: base64('hello') }]
    const { messageId } = await t.post(path, { ...hello, attachments }, 200)
    const { attachments: got } = await onlyMail(t)
    expect(got.map(({ filename, content }) => [filename, content.toString()])).toEqual([['a.txt', 'hello']])
    const { captured } = await activityOf(t, messageId)
    expect(captured.attachments).toEqual([{ filename: 'a.txt', contentType: 'text/plain', sizeBytes: 5 }])
  })

  const kept = [
    'résumé.TXT',
    'Rechnung für Ödön (März) – 2026.pdf',
    '請求書 2026年1月.pdf',
    'a;b=c.csv',
    'x "quoted" \'one\'.txt',
    '100% sure = yes?.txt',
    'תוכנית.txt',
    '🧾.txt',
    '.htaccess',
    'CON',
    'é'.repeat(120),
    `${'n'.repeat(250)}.txt`,
  ]

  once('a file name arrives as it was given, in any script, with a fallback in ASCII', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    for (const filename of kept) {
      const attachments = [{ filename, contentType: 'text/plain', data: base64('x') }]
      await t.post(path, { ...hello, attachments }, 200)
      await t.settle()
      const raw = sink.received.at(-1)?.raw ?? Buffer.alloc(0)
      expect(raw.toString('latin1')).not.toMatch(/[^\x00-\x7f]/)
      const [theirs, ours] = [await simpleParser(raw), await parseMail(raw)]
      expect(theirs.attachments.map((one) => one.filename)).toEqual([filename])
      expect(ours.attachments.map((one) => one.filename)).toEqual([filename])
      // What knows nothing of RFC 2231 reads the plain parameter.
      const plain = raw.toString('latin1').match(/filename="([^"]*)"/)?.[1] ?? ''
      expect(plain).toMatch(/^[\x20-\x7e]+$/)
      expect(plain.length).toBe([...filename.normalize('NFKD').replace(/\p{M}/gu, '')].length)
    }
  })

  once('a file name that could be read as something else is refused, and the field is named (M06)', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const names = [
      '../../etc/passwd',
      '..\\..\\boot.ini',
      'a\0.txt',
      'x.txt\r\nContent-Type: text/html',
      'a\nb',
      'a\tb',
      '\u202Etxt.exe',
      'a\u2066b',
      'a\u2028b',
      'a\x7fb',
      '',
      'é'.repeat(130),
    ]
    await t.unchanged(async () => {
      for (const filename of names) {
        const attachments = [{ filename, contentType: 'text/plain', data: base64('x') }]
        const { errors } = await t.post(path, { ...hello, attachments }, 422)
        expect(errors, filename).toMatchObject([{ path: 'attachments[0].filename', code: 'invalid_filename' }])
      }
    })
  })

  once('content types in any case and with parameters, text in any charset, and empty files', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    const latin1 = Buffer.from('name;größe\n', 'latin1')
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n', 'utf16le')])
    const files: [given: string, data: Buffer, sent: string][] = [
      ['TEXT/PLAIN', Buffer.from('x'), 'text/plain; charset=utf-8'],
      ['text/plain; charset=UTF-8', Buffer.from('é'), 'text/plain; charset=utf-8'],
      ['Text/Csv;charset="ISO-8859-1"; header=present', latin1, 'text/csv; charset=iso-8859-1'],
      ['text/csv', latin1, 'text/csv'],
      ['text/csv', utf16, 'text/csv'],
      ['text/csv', Buffer.alloc(0), 'text/csv'],
      ['application/PDF; x=1', pdf, 'application/pdf'],
      ['image/png', Buffer.alloc(0), 'image/png'],
    ]
    for (const [contentType, data, sent] of files) {
      const attachments = [{ filename: 'a', contentType, data: data.toString('base64') }]
      await t.post(path, { ...hello, attachments }, 200)
      await t.settle()
      const raw = sink.received.at(-1)?.raw.toString('latin1') ?? ''
      expect(raw, contentType).toContain(`\r\nContent-Type: ${sent};\r\n name="a"\r\n`)
      const [file] = (await simpleParser(raw)).attachments
      expect(file?.content.toString('hex'), contentType).toBe(data.toString('hex'))
    }
    const wrong: [contentType: string, data: Buffer, field: string][] = [
      ['text/plain; charset=utf-8', latin1, 'data'],
      ['text/plain; charset', Buffer.from('x'), 'contentType'],
      ['text/plain; charset="a\r\nX: y"', Buffer.from('x'), 'contentType'],
      ['text/plain; charset=a b', Buffer.from('x'), 'contentType'],
    ]
    await t.unchanged(async () => {
      for (const [contentType, data, field] of wrong) {
        const attachments = [{ filename: 'a', contentType, data: data.toString('base64') }]
        const { errors } = await t.post(path, { ...hello, attachments }, 422)
        expect(errors, contentType).toMatchObject([{ path: `attachments[0].${field}` }])
      }
    })
  })

  const mebibyte = 1024 * 1024
  test('10 MB decoded is the edge of one, three of them in number, 20 MB of all (M09)', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    const text = (size: number) => ({
      filename: 'a.txt',
      contentType: 'text/plain',
      data: base64(Buffer.alloc(size, 'a')),
    })
    const tooLarge = async (attachments: object[], status: number) =>
      t.unchanged(() => t.post(path, { ...hello, attachments }, status))
    const over = await tooLarge([text(1), text(10 * mebibyte + 1)], 413)
    expect([over.code, over.errors[0].path]).toEqual(['attachment_too_large', 'attachments[1].data'])
    expect((await tooLarge([text(7 * mebibyte), text(7 * mebibyte), text(7 * mebibyte)], 413)).code).toBe(
      'payload_too_large',
    )
    const many = await tooLarge([text(1), text(1), text(1), text(1)], 422)
    expect([many.code, many.errors[0].path]).toEqual(['too_many_attachments', 'attachments'])
    const given = [
      Buffer.alloc(10 * mebibyte, 'a\u00e9 no period of a piece'),
      Buffer.from('b'),
      Buffer.alloc(3 * mebibyte, 'c'),
    ]
    const files = given.map((data) => ({ filename: 'a.txt', contentType: 'text/plain', data: base64(data) }))
    await t.post(path, { ...hello, attachments: files }, 200)
    await t.settle()
    const { attachments } = await simpleParser(sink.received[0]?.raw ?? '')
    expect(attachments.map(({ content }, index) => content.equals(given[index] ?? Buffer.alloc(0)))).toEqual([
      true,
      true,
      true,
    ])
    // As base64, 20 MB are more than the 25 MB of a request; their own limit is checked all the same.
    expect(() => checkSizes([10 * mebibyte, 10 * mebibyte])).not.toThrow()
    expect(() => checkSizes([10 * mebibyte, 10 * mebibyte, 1])).toThrow('20 MB')
  })
})
