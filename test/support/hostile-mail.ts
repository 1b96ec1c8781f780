// Mail that is built to hold a reader: each entry aims at one part of it. Made by code; the largest has some 25 MB.

export interface HostileMail {
  name: string
  raw: Buffer
  /** What the listener answers; 250 = it is stored. */
  code: '250' | '554'
}

const mb = 1024 * 1024
const from = 'From: Eve <eve@example.net>\r\n'
const signature = (tags: string) =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=example.net; s=s; h=from; ${tags}bh=YQ==; b=YQ==\r\n`
const type = (value: string, encoding = '8bit') =>
  `MIME-Version: 1.0\r\nContent-Type: ${value}\r\nContent-Transfer-Encoding: ${encoding}\r\n`
const lines = (line: string, bytes: number) => `${line}\r\n`.repeat(Math.floor(bytes / (line.length + 2)))
const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join('')

/** A header, from our own sender, and a body. */
const mail = (header: string, body = 'x\r\n') => `${header}${from}\r\n${body}`

const headers: [string, string][] = [
  ['Subject folded 110,000 times', mail(`Subject: ${'a\r\n '.repeat(110_000)}b\r\n`)],
  ['Subject folded 150,000 times', mail(`Subject: ${'a\r\n '.repeat(150_000)}b\r\n`)],
  ['2,000 signatures', mail(many(2_000, (n) => signature(`l=${n}; `)))],
  ['11 signatures, written with a space', mail(many(11, (n) => signature(`l=${n}; `).replace(':', ' :')))],
  ['60 ARC seals', mail(many(60, (n) => `ARC-Seal: i=${n}; a=rsa-sha256; cv=none; d=a.net; s=s; b=YQ==\r\n`))],
  ['a field of 2 MB', mail(`X-Long: ${'a'.repeat(2 * mb)}\r\n`)],
  ['100,000 fields', mail('X: a\r\n'.repeat(100_000))],
  ['a header without an end, 5 MB', lines('X-More: and more', 5 * mb)],
]

const withinLimits: [string, string][] = [
  ['Subject folded 999 times', mail(`Subject: ${'a\r\n '.repeat(999)}b\r\n`)],
  ['4 fields folded 990 times', mail(many(4, (n) => `X-${n}: ${'a\r\n '.repeat(990)}b\r\n`))],
  ['999 fields', mail(many(998, (n) => `X-${n}: a\r\n`))],
  ['60 KB of encoded words, base64', mail(`Subject: ${'=?utf-8?b?YQ==?= '.repeat(3_500)}\r\n`)],
  ['60 KB of encoded words, quoted-printable', mail(`Subject: ${'=?utf-8?q?=61?= '.repeat(3_500)}\r\n`)],
  ['60 KB of encoded words that never end', mail(`Subject: ${'=?'.repeat(30_000)}\r\n`)],
  ['60 KB of spaces', mail(`Subject: ${' '.repeat(60_000)}x\r\n`)],
  ['10,000 addresses', mail(`To: ${'a@b.c,'.repeat(10_000)}a@b.c\r\n`)],
  ['60 KB of parentheses in an address', mail(`To: ${'('.repeat(60_000)}\r\n`)],
  ['60 KB of quotes in an address', mail(`To: ${'"a" '.repeat(15_000)}\r\n`)],
  ['12,000 parameters', mail(`Content-Type: text/plain${';a=b'.repeat(15_000)}\r\n`)],
  ['4,000 continued parameters', mail(`Content-Type: text/plain${many(4_000, (n) => `;a*${n}=b`)}\r\n`)],
  ['60 KB of References', mail(`References: ${'<a@b>'.repeat(12_000)}\r\n`)],
  [
    'a boundary of 60 KB',
    mail(`Content-Type: multipart/mixed; boundary="${'b'.repeat(60_000)}"\r\n`, lines('--b', mb)),
  ],
  ['60 KB of h=', mail(signature(`h=${'from:'.repeat(12_000)}from; `))],
]

const bodies: [string, string][] = [
  [
    '8 signatures over 2 MB of spaces',
    mail(
      many(8, (n) => signature(`c=relaxed/relaxed; l=${n + mb}; `)),
      lines(' '.repeat(70), 2 * mb),
    ),
  ],
  ['25 MB of empty lines, signed', mail(signature('c=relaxed/relaxed; '), '\r\n'.repeat(12 * mb))],
  ['lines of 1,000,000 spaces, signed', mail(signature('c=relaxed/relaxed; '), lines(' '.repeat(1_000_000), 3 * mb))],
  ['12 MB of base64', mail(type('application/octet-stream', 'base64'), lines('QUJD'.repeat(19), 12 * mb))],
  ['2 MB of base64 that is none', mail(type('text/plain', 'base64'), lines('!$%&'.repeat(19), 2 * mb))],
  ['2 MB of quoted-printable', mail(type('text/plain', 'quoted-printable'), lines('=41'.repeat(25), 2 * mb))],
  ['2 MB of equals signs', mail(type('text/plain', 'quoted-printable'), lines('='.repeat(75), 2 * mb))],
  ['1 MB of soft line breaks', mail(type('text/plain', 'quoted-printable'), lines('=', mb))],
  ['UTF-7', mail(type('text/plain; charset=utf-7', '7bit'), lines('+AOk-'.repeat(15), mb))],
  ['a charset that there is not', mail(type('text/plain; charset="no-such"'), lines('\xff\xfe'.repeat(30), mb))],
  ['UTF-16 of half characters', mail(type('text/plain; charset=utf-16le', 'base64'), lines('ANgA2ADY'.repeat(9), mb))],
  [
    'ISO-2022-JP that shifts for ever',
    mail(type('text/plain; charset=iso-2022-jp', '7bit'), lines('\x1b$B\x1b(B'.repeat(10), mb)),
  ],
  ['HTML: 1 MB of <', mail(type('text/html'), lines('<'.repeat(70), mb))],
  ['HTML: comments that never end', mail(type('text/html'), lines('<!--'.repeat(18), mb))],
  ['HTML: styles that never end', mail(type('text/html'), lines('<style '.repeat(10), mb))],
  ['HTML: entities', mail(type('text/html'), lines('&#x41;&amp;&'.repeat(6), mb))],
  ['HTML: one tag deep in another', mail(type('text/html'), lines('<div>'.repeat(14), mb))],
  ['flowed text', mail(type('text/plain; format=flowed; delsp=yes'), lines('> > > a ', mb))],
  ['quotes that begin and never end', mail(type('text/plain'), lines('On Monday', mb))],
  ['a wall of dashes', mail(type('text/plain'), lines('-----Original', mb))],
  [
    'parts 1,000 deep',
    mail('', '').replace(`${from}\r\n`, from) +
      many(1_000, (n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`),
  ],
  ['50,000 parts', mail('Content-Type: multipart/mixed; boundary=b\r\n', '--b\r\n\r\nx\r\n'.repeat(50_000))],
  [
    '1,900 parts, each an attachment',
    mail(
      'Content-Type: multipart/mixed; boundary=b\r\n',
      '--b\r\nContent-Disposition: attachment; filename=a\r\n\r\nx\r\n'.repeat(1_900),
    ),
  ],
  ['mails in mails, 500 deep', `${from}${'Content-Type: message/rfc822\r\n\r\n'.repeat(500)}x\r\n`],
  ['TNEF of zeros', mail(type('application/ms-tnef; name=winmail.dat', 'base64'), lines('A'.repeat(76), mb))],
  ['NUL bytes', mail('Subject: a\0b\r\n', '\0'.repeat(70).concat('\r\n').repeat(10_000))],
]

const long: [string, string][] = [
  ['a line of 20 MB', mail(signature('c=relaxed/relaxed; '), 'a'.repeat(20 * mb).concat('\r\n'))],
]

/** Made anew by each call, for it is large. */
export function* hostileMail(): Generator<HostileMail> {
  for (const [name, text] of [...headers, ...long]) yield { name, raw: Buffer.from(text, 'latin1'), code: '554' }
  for (const [name, text] of [...withinLimits, ...bodies]) yield { name, raw: Buffer.from(text, 'latin1'), code: '250' }
}
