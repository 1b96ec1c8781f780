// Messages as they go on the wire, read back by other people's parsers and verified by other people's DKIM.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import { base64Lines } from '../src/mail/base64-lines.ts'
import { dkimRecord, generateDkimKeys, importDkimKey, signDkim } from '../src/mail/dkim.ts'
import { headerText, UnsafeHeaderError } from '../src/mail/header.ts'
import { compileMessage, fillMessage, type MessageFields, type Piece, wireBytes } from '../src/mail/mime.ts'
import { parseMail } from '../src/mail/parse-mime.ts'
import { pieceBytes } from '../src/mail/raw-mail.ts'

const fields: MessageFields = {
  from: { name: 'Acme', address: 'hello@acme.test' },
  to: [{ name: null, address: 'ada@example.net' }],
  replyTo: null,
  subject: 'Hello',
  messageId: 'msg_1@acme.test',
  date: new Date('2026-01-15T12:00:00Z'),
  headers: {},
  htmlValues: [],
  textValues: [],
  attachments: [],
}

function message(pieces: { html?: Piece[]; text?: Piece[] }, more: Partial<MessageFields> = {}) {
  const skeleton = compileMessage({ html: pieces.html ?? ['<p>Hi</p>'], text: pieces.text ?? ['Hi'] })
  return fillMessage(skeleton, { ...fields, ...more })
}

const wire = (...args: Parameters<typeof message>) => Buffer.concat(wireBytes(message(...args)).pieces)

/** What no byte of a message may do: leave a line bare or too long (RFC 5321, 2.3.8; RFC 5322, 2.1.1). */
function expectCleanLines(raw: Buffer) {
  const text = raw.toString('latin1')
  expect(text).not.toMatch(/[^\r]\n|\r[^\n]|[^\x01-\x7f]/)
  for (const line of text.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
}

describe('MIME', () => {
  test('two parsers read the same subject, names and bodies that were put in', async () => {
    const raw = wire(
      { html: ['<p>Grüße, ', 0, '</p>', 1], text: ['Grüße, ', 0, '\n'] },
      {
        subject: 'Grüße aus Köln – ✉️ und noch ein langer Betreff, der über mehrere Zeilen geht',
        from: { name: 'Müller, Jürgen "JM"', address: 'jm@acme.test' },
        htmlValues: ['Zoë = 1', 'end '],
        textValues: ['Zoë'],
      },
    )
    expectCleanLines(raw)
    const [ours, theirs] = [await parseMail(raw), await simpleParser(raw)]
    expect(ours.subject).toBe('Grüße aus Köln – ✉️ und noch ein langer Betreff, der über mehrere Zeilen geht')
    expect(theirs.subject).toBe(ours.subject)
    expect(theirs.from?.value[0]).toEqual({ address: 'jm@acme.test', name: 'Müller, Jürgen "JM"' })
    expect(ours.html).toContain('<p>Grüße, Zoë = 1</p>end')
    expect(theirs.text?.trim()).toBe('Grüße, Zoë')
  })

  test('any subject, name and body comes back as it was, and every line is clean', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 300 })
      .map((value) => value.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, ''))
    await fc.assert(
      fc.asyncProperty(text, text, text, async (subject, literal, value) => {
        const raw = wire(
          { html: [literal, 0, literal], text: [`${literal}\n`, 0] },
          { subject, htmlValues: [value], textValues: [value] },
        )
        expectCleanLines(raw)
        const parsed = await simpleParser(raw)
        expect((parsed.subject ?? '').trim()).toBe(subject.trim())
        expect((parsed.html || '').trimEnd()).toBe((literal + value + literal).trimEnd())
        expect((parsed.text ?? '').trimEnd()).toBe(`${literal}\n${value}`.trimEnd())
      }),
      { numRuns: 300 },
    )
  })

  test('a soft line break stands only where a line is full', async () => {
    const long = 'x'.repeat(70)
    const raw = wire(
      {
        text: [
          'Hello ',
          0,
          ', your order ',
          1,
          ' is on its way.\n',
          long,
          0,
          ` ${long} = ${long}\n`,
          2,
          '\n \t',
          3,
          '\n',
        ],
      },
      { textValues: ['Ada', '4711', 'é'.repeat(40), 'two \nlines '] },
    ).toString('latin1')
    const body = /quoted-printable\r\n\r\n([\s\S]*?)\r\n--=_/.exec(raw)?.[1] ?? ''
    const lines = body.split('\r\n')
    expect(lines[0]).toBe('Hello Ada, your order 4711 is on its way.')
    for (const [index, line] of lines.entries()) {
      expect(line.length).toBeLessThanOrEqual(76)
      // A token of the next line (at most three characters) would not have had room.
      if (line.endsWith('='))
        expect(line.length + (/^(=..|.)/.exec(lines[index + 1] ?? '')?.[0].length ?? 0)).toBeGreaterThan(76)
      expect(line).not.toMatch(/[ \t]$/)
    }
    const { text } = await simpleParser(raw)
    expect(text?.split('\n').slice(1, 4)).toEqual([`${long}Ada ${long} = ${long}`, 'é'.repeat(40), ' \ttwo '])
  })

  test('no line of a text begins with a dot, and a long line is the same behind whatever value', async () => {
    const long = `${'.'.repeat(200)} and so on. `.repeat(20)
    const html = ['.Hello ', 0, long, '\n.', 1, '\n..']
    const bodies = ['Ada', 'x'.repeat(74), ''].map((name) => {
      const raw = wire({ html }, { htmlValues: [name, '.'] })
      expectCleanLines(raw)
      expect(raw.toString('latin1')).not.toMatch(/^\./m)
      return { name, raw }
    })
    for (const { name, raw } of bodies) expect((await simpleParser(raw)).html).toBe(`.Hello ${name}${long}\n..\n..`)
    const linesOf = (raw: Buffer) => raw.toString('latin1').split('\r\n')
    const [first, ...others] = bodies.map(({ raw }) =>
      linesOf(raw)
        .filter((line) => line.includes('and so on'))
        .join('\n'),
    )
    for (const other of others) expect(other).toBe(first ?? '')
  })

  test('a line break or control character in a header throws', () => {
    const cases: Partial<MessageFields>[] = [
      { subject: 'a\r\nBcc: e@x' },
      { subject: 'a\u2028b' },
      { from: { name: 'a\nb', address: 'a@b.c' } },
      { replyTo: { name: null, address: 'r@x\r\nBcc: e@x' } },
      { headers: { 'X-A': 'b\u0085c' } },
    ]
    for (const bad of cases) expect(() => message({}, bad)).toThrow(UnsafeHeaderError)
  })

  test('a body that looks like the end of the data, or like a boundary, stays a body', async () => {
    const nasty = 'a\r\n.\r\n\n.\nMAIL FROM:<x@y>\r\n--=_paquebot_alternative--\r\n\r.\rFrom here'
    const raw = wire({ text: ['x', 0, 'y'] }, { textValues: [nasty] })
    expectCleanLines(raw)
    const parsed = await simpleParser(raw)
    expect(parsed.text).toContain('--=_paquebot_alternative--')
    expect(parsed.html).toContain('Hi')
  })

  const file = async (filename: string, pieces: Buffer[]) => ({
    filename,
    contentType: 'application/pdf',
    contentId: null,
    lines: await base64Lines(pieces),
  })
  const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7) % 256))

  test('attachments arrive byte for byte, in whatever pieces they were stored', async () => {
    for (const lengths of [
      [0],
      [1],
      [57],
      [58],
      [5_000],
      [100, 57, 1, 2, 300],
      [3_000_000],
      [1_048_576, 1_048_576, 7],
    ]) {
      const pieces = lengths.map(bytes)
      const raw = wire({}, { attachments: [await file('report v1.pdf', pieces), await file('b.pdf', [bytes(3)])] })
      expectCleanLines(raw)
      const { attachments } = await simpleParser(raw)
      expect(attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
        ['report v1.pdf', 'application/pdf'],
        ['b.pdf', 'application/pdf'],
      ])
      expect(attachments[0]?.content.equals(Buffer.concat(pieces))).toBe(true)
      expect(attachments[1]?.content.equals(bytes(3))).toBe(true)
    }
  })

  test('a large mail is never in one piece', async () => {
    const { pieces, bytes: length } = wireBytes(message({}, { attachments: [await file('a.pdf', [bytes(3_000_000)])] }))
    expect(Buffer.concat(pieces).length).toBe(length)
    expect(pieces.length).toBeGreaterThan(3)
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(pieceBytes)
  })
})

describe('DKIM', () => {
  async function verify(raw: Buffer, keys: Awaited<ReturnType<typeof generateDkimKeys>>) {
    const records: Record<string, string> = {
      'rsa._domainkey.acme.test': dkimRecord('rsa-sha256', keys.rsa.publicKey),
      'ed._domainkey.acme.test': dkimRecord('ed25519-sha256', keys.ed25519.publicKey),
    }
    // The resolver is a table: nothing is asked of the network.
    const resolver = async (name: string, type: string) => {
      const record = type === 'TXT' ? records[name] : undefined
      if (record) return [[record]]
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    }
    const options = {
      ip: '127.0.0.1',
      helo: 'localhost',
      sender: 'hello@acme.test',
      disableArc: true,
      disableDmarc: true,
      disableBimi: true,
      resolver,
    }
    const { dkim } = await authenticate(raw, options)
    return dkim.results.map(({ status }) => status.result)
  }

  test('both signatures verify, and any change of a signed part breaks them', async () => {
    const keys = await generateDkimKeys()
    const domain = 'acme.test'
    const signers = [
      importDkimKey(keys.rsa.privateKey, { algorithm: 'rsa-sha256', domain, selector: 'rsa' }),
      importDkimKey(keys.ed25519.privateKey, { algorithm: 'ed25519-sha256', domain, selector: 'ed' }),
    ]
    const plain = message(
      { html: ['<p>Hi   there, ', 0, '</p>'] },
      { htmlValues: ['Zoë'], subject: 'Grüße '.repeat(30).trim() },
    )
    const raw = Buffer.concat(wireBytes(await signDkim(plain, signers, new Date())).pieces)
    expectCleanLines(raw)
    expect(await verify(raw, keys)).toEqual(['pass', 'pass'])
    const text = raw.toString('latin1')
    for (const changed of [
      text.replace('Hi   there', 'Hi   Bob'),
      `Subject: another\r\n${text}`,
      text.replace('To: ada', 'To: eve'),
    ]) {
      expect(await verify(Buffer.from(changed, 'latin1'), keys)).not.toContain('pass')
    }
  })

  test('the signature of a body in parts is that of the whole', async () => {
    const keys = await generateDkimKeys()
    const about = { algorithm: 'rsa-sha256', domain: 'acme.test', selector: 'rsa' } as const
    const key = importDkimKey(keys.rsa.privateKey, about)
    const { headers } = message({})
    const bodies = [[], ['\r\n', '\r\n'], ['a  b \r\n\r\n', '\r\n \r\n', 'c\r\n', '\r\n'], ['a\r\n', '', 'b\r\n']]
    for (const body of bodies) {
      const { pieces } = wireBytes(await signDkim({ headers, body }, [key], new Date()))
      expect(await verify(Buffer.concat(pieces), keys), JSON.stringify(body)).toEqual(['pass'])
    }
  })
})

test('no line with an encoded word has more than 76 characters', async () => {
  const texts = [
    'Überraschung! '.repeat(20),
    'ü',
    '日本語の件名'.repeat(20),
    `=?${'a'.repeat(200)}`,
    '👨‍👩‍👧'.repeat(30),
  ]
  for (const name of ['Subject', 'X-A', 'X-Campaign-Of-The-Month', 'X'.repeat(50)]) {
    for (const text of texts) {
      const field = `${name}: ${headerText(name, text)}`
      for (const line of field.split('\r\n')) expect(line.length, field).toBeLessThanOrEqual(76)
      const { subject } = await parseMail(Buffer.from(`Subject: ${headerText(name, text)}\r\n\r\n`))
      expect(subject.trim()).toBe(text.trim())
    }
  }
})
