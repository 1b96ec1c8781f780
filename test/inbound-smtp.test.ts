// The listener, byte by byte: what is taken, what is refused, and that a second mail is never smuggled in (I01-I08).

import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { receivedMessages } from '../db/tables/mailboxes.ts'
import { write } from '../src/core/app.ts'
import { readConfig } from '../src/core/config.ts'
import { listenForMail } from '../src/features/mailboxes/listen.ts'
import { updateMailbox } from '../src/features/mailboxes/mailboxes.ts'
import { readSource } from '../src/features/mailboxes/sources.ts'
import { IncomingMail } from '../src/mail/smtp-incoming.ts'
import type { SmtpLimits } from '../src/mail/smtp-places.ts'
import { type TestApp, testApp } from './support/app.ts'
import { selfSigned } from './support/certificate.ts'
import { cli } from './support/cli.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { type SmtpClient, smtpClient } from './support/smtp-client.ts'

interface Inbound extends AsyncDisposable {
  t: TestApp
  mailbox: TestMailbox
  port: number
  /** How many mails are stored. */
  stored(): Promise<number>
  /** Their sources, in the order they came. */
  sources(): Promise<string[]>
}

async function inbound(limits: Partial<SmtpLimits> = {}, environment: Record<string, string> = {}): Promise<Inbound> {
  const t = await testApp({ environment: { INBOUND_DOMAIN: 'in.example.net', ...environment } })
  const mailbox = await testMailbox(t, { address: 'desk@in.example.net' })
  const listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1', limits })
  return {
    t,
    mailbox,
    port: listener.port,
    stored: async () => (await t.app.db.select().from(receivedMessages)).length,
    sources: async () => {
      const rows = await t.app.db.select().from(receivedMessages).orderBy(receivedMessages.id)
      return Promise.all(
        rows.map(async ({ id }) => Buffer.concat((await readSource(t.app, id)) ?? []).toString('latin1')),
      )
    },
    async [Symbol.asyncDispose]() {
      await listener.close()
      await t[Symbol.asyncDispose]()
    },
  }
}

const address = 'desk@in.example.net'
const mail = rawMail({ to: address })

test('a mail is stored as it came, and 250 is said when a reader can see it', async () => {
  await using s = await inbound()
  using c = await smtpClient(s.port)
  await c.toData(address)
  c.write(`${mail.replace('How does', '..How does')}.\r\n`)
  expect(await c.reply()).toMatch(/^250 2\.0\.0 stored as rcv_/)
  expect(await s.sources()).toEqual([mail.replace('How does', '.How does')])
  expect(await c.say('QUIT')).toStartWith('221')
})

test('one conversation brings several mails, and each chunk may end anywhere', async () => {
  await using s = await inbound()
  using c = await smtpClient(s.port)
  expect(await c.reply()).toStartWith('220 in.example.net ESMTP')
  expect(await c.say('EHLO sender.example.net')).toContain('SIZE 26214400')
  const dotted = mail.replace('How does', '.\r\n..\r\n.How does')
  for (const count of [1, 2]) {
    await c.say('MAIL FROM:<ada@example.net> SIZE=1000 BODY=8BITMIME')
    await c.say(`RCPT TO:<${address.toUpperCase()}>`)
    expect(await c.say('DATA')).toStartWith('354')
    const data = `${dotted.replace('<mail', `<${count}-mail`).replace(/^\./gm, '..')}.\r\n`
    for (const byte of Buffer.from(data)) {
      c.write(new Uint8Array([byte]))
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    expect(await c.reply()).toStartWith('250')
  }
  expect(await s.sources()).toEqual([1, 2].map((count) => dotted.replace('<mail', `<${count}-mail`)))
})

test('a mail of 25 MB is stored as it came', async () => {
  await using s = await inbound()
  using c = await smtpClient(s.port)
  const head = 'Subject: large\r\n\r\n'
  const large = head + '0123456789abcdef\r\n'.repeat(Math.floor((25 * 1024 * 1024 - head.length) / 18))
  await c.toData(address)
  c.write(`${large}.\r\n`)
  expect(await c.reply()).toStartWith('250')
  expect((await s.sources())[0] === large).toBe(true)
})

test('the same mail twice is stored once, and is 250 both times', async () => {
  await using s = await inbound()
  for (const _ of [1, 2]) {
    using c = await smtpClient(s.port)
    await c.toData(address)
    c.write(`${mail}.\r\n`)
    expect(await c.reply()).toStartWith('250')
  }
  expect(await s.stored()).toBe(1)
})

test('a mail to two mailboxes is stored in both', async () => {
  await using s = await inbound()
  await testMailbox(s.t, { address: 'sales@in.example.net' })
  using c = await smtpClient(s.port)
  await c.toData(address, 'sales@in.example.net', address)
  c.write(`${mail}.\r\n`)
  expect(await c.reply()).toStartWith('250')
  expect(await s.stored()).toBe(2)
})

test('a real mail program delivers', async () => {
  await using s = await inbound()
  const program = Bun.which('swaks')
  if (program === null) return
  const to = ['--server', `127.0.0.1:${s.port}`, '--to', address, '--from', 'ada@example.net']
  const run = Bun.spawn([program, ...to, '--helo', 'sender.example.net', '--body', 'Hello'], { stdout: 'pipe' })
  const said = await new Response(run.stdout).text()
  expect(await run.exited, said).toBe(0)
  expect(await s.stored()).toBe(1)
})

describe('it relays nothing', () => {
  const addresses = [
    'someone@elsewhere.net',
    'desk%elsewhere.net@in.example.net',
    '@in.example.net:desk@elsewhere.net',
    '"desk@elsewhere.net"@in.example.net',
    'in.example.net!desk',
    'desk@in.example.net@elsewhere.net',
    'desk@sub.in.example.net',
    'desk',
    'nobody@in.example.net',
  ]
  test.each(addresses)('%s', async (recipient) => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    await c.say('EHLO sender.example.net')
    await c.say('MAIL FROM:<ada@example.net>')
    expect(await c.say(`RCPT TO:<${recipient}>`)).toStartWith('550 5.1.1 no such mailbox here')
    expect(await c.say('DATA')).toStartWith('554')
    expect(await s.stored()).toBe(0)
  })

  test('a disabled mailbox is like none', async () => {
    await using s = await inbound()
    await write(s.t.app, (tx) => updateMailbox(tx, s.t.workspace.id, s.mailbox.id, { status: 'disabled' }))
    using c = await smtpClient(s.port)
    await c.reply()
    await c.say('EHLO x')
    await c.say('MAIL FROM:<>')
    expect(await c.say(`RCPT TO:<${address}>`)).toStartWith('550 5.1.1 no such mailbox here')
  })
})

test.each(['postmaster', 'PostMaster', 'postmaster@in.example.net', 'POSTMASTER@IN.EXAMPLE.NET'])(
  'mail to %s is taken, by the first mailbox of the domain or the one of that name',
  async (recipient) => {
    await using s = await inbound()
    await testMailbox(s.t, { address: 'later@in.example.net' })
    const to = async (count: number) => {
      using c = await smtpClient(s.port)
      await c.toData(recipient)
      c.write(`${rawMail({ to: 'postmaster', id: `${count}@example.net` })}.\r\n`)
      expect(await c.reply()).toStartWith('250')
      const rows = await s.t.app.db.select().from(receivedMessages).orderBy(receivedMessages.id)
      return rows.map(({ mailboxId }) => mailboxId)
    }
    expect(await to(1)).toEqual([s.mailbox.id])
    const own = await testMailbox(s.t, { address: 'postmaster@in.example.net' })
    expect(await to(2)).toEqual([s.mailbox.id, own.id])
  },
)

test('mail to a name that speaks for our domain goes where that of the postmaster goes, whatever follows a +', async () => {
  await using s = await inbound()
  const { workspace } = await s.t.stranger()
  const address = 'later@in.example.net'
  await testMailbox(s.t, { address, workspaceId: workspace.id })
  let count = 0
  const takes = async (recipient: string) => {
    using c = await smtpClient(s.port)
    await c.toData(`${recipient}@in.example.net`)
    c.write(`${rawMail({ to: recipient, id: `${count++}@example.net` })}.\r\n`)
    expect(await c.reply(), recipient).toStartWith('250')
    const rows = await s.t.app.db.select().from(receivedMessages).orderBy(receivedMessages.id)
    return rows.at(-1)?.mailboxId
  }
  // RFC 2142, sections 4 and 5, but for `news`; and where certificate authorities ask.
  const network = ['abuse', 'noc', 'security']
  const services = ['postmaster', 'hostmaster', 'usenet', 'webmaster', 'www', 'uucp', 'ftp']
  const names = [...network, ...services, 'admin', 'administrator']
  const spelled = names.flatMap((name) => [name, `${name}+x`, `${name.toUpperCase()}+A+b`])
  for (const name of spelled) expect(await takes(name), name).toBe(s.mailbox.id)
  const postmaster = await testMailbox(s.t, { address: 'postmaster@in.example.net' })
  for (const name of spelled) expect(await takes(name), name).toBe(postmaster.id)
  // One of that name goes first, and is asked for its + too.
  const abuse = await testMailbox(s.t, { address: 'abuse@in.example.net' })
  for (const name of ['abuse', 'Abuse+42']) expect(await takes(name)).toBe(abuse.id)
  for (const name of ['postmaster+1', 'noc']) expect(await takes(name)).toBe(postmaster.id)
  using c = await smtpClient(s.port)
  await c.reply()
  await c.say('EHLO x')
  await c.say('MAIL FROM:<ada@example.net>')
  for (const name of ['postmaster-x', 'xabuse', '+abuse', 'desk+x', 'sales', 'news'])
    expect(await c.say(`RCPT TO:<${name}@in.example.net>`), name).toStartWith('550 5.1.1')
})

test.each(['postmaster@elsewhere.net', 'postmaster@sub.in.example.net'])('%s is not ours', async (recipient) => {
  await using s = await inbound()
  using c = await smtpClient(s.port)
  await c.reply()
  await c.say('EHLO x')
  await c.say('MAIL FROM:<ada@example.net>')
  expect(await c.say(`RCPT TO:<${recipient}>`)).toStartWith('550 5.1.1')
})

describe('no second mail is smuggled in', () => {
  const second = `MAIL FROM:<eve@example.net>\r\nRCPT TO:<${address}>\r\nDATA\r\nFrom: eve@example.net\r\n\r\nsmuggled\r\n.\r\n`
  const ends = ['\n.\r\n', '\n.\n', '\r.\r\n', '\r\n.\n', '\r\n.\r', '\r.\r', '\n.\r', '\r\n\0.\r\n']
  test.each(ends.map((end) => [JSON.stringify(end), end]))('behind %s', async (_, end) => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.toData(address)
    c.write(`From: ada@example.net\r\n\r\nfirst${end}${second}`)
    const answer = await c.reply()
    const stored = await s.sources()
    if (stored.length === 0) expect(answer).toMatch(/^550 5\.6\.11/)
    // What is no line end at all is part of the one mail, and the rest of it too.
    else expect(stored).toEqual([expect.stringContaining('MAIL FROM:<eve@example.net>')])
    expect(stored.length).toBeLessThanOrEqual(1)
  })

  test.each(['EHLO x\nMAIL FROM:<a@b.co>\r\n', 'EHLO x\r\r\n', 'NOOP\rQUIT\r\n', 'NOOP\n'])(
    'a command with a bare line end ends the session: %j',
    async (bytes) => {
      await using s = await inbound()
      using c = await smtpClient(s.port)
      await c.reply()
      c.write(bytes)
      expect(await c.closed).toStartWith('500 5.5.2 lines must end with CRLF')
    },
  )

  test('what comes behind DATA before 354 ends the session', async () => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    await c.say('EHLO sender.example.net')
    c.write(`MAIL FROM:<ada@example.net>\r\nRCPT TO:<${address}>\r\nDATA\r\nFrom: a@b.co\r\n\r\nx\r\n.\r\n`)
    expect(await c.closed).toMatch(/^250 [^\n]*\n250 [^\n]*\n554 5\.5\.0 you did not wait/)
    expect(await s.stored()).toBe(0)
  })

  test('what comes behind EHLO ends the session', async () => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    c.write('EHLO sender.example.net\r\nMAIL FROM:<ada@example.net>\r\n')
    expect(await c.closed).toStartWith('554 5.5.0')
  })

  test('commands before a group of commands are answered in order', async () => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    await c.say('EHLO sender.example.net')
    c.write(`MAIL FROM:<ada@example.net>\r\nRCPT TO:<${address}>\r\nRCPT TO:<x@in.example.net>\r\nDATA\r\n`)
    const replies = [await c.reply(), await c.reply(), await c.reply(), await c.reply()]
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '550', '354'])
    c.write(`${mail}.\r\nNOOP\r\nQUIT\r\n`)
    expect([await c.reply(), await c.reply(), await c.reply()].map((reply) => reply.slice(0, 3))).toEqual([
      '250',
      '250',
      '221',
    ])
  })
})

describe('STARTTLS', () => {
  const directory = () => {
    const path = mkdtempSync(join(tmpdir(), 'paquebot-tls-'))
    const { key, cert } = selfSigned()
    writeFileSync(join(path, 'key.pem'), key)
    writeFileSync(join(path, 'cert.pem'), cert)
    return {
      environment: { INBOUND_TLS_CERT: join(path, 'cert.pem'), INBOUND_TLS_KEY: join(path, 'key.pem') },
      [Symbol.dispose]: () => rmSync(path, { recursive: true }),
    }
  }

  test('a mail comes inside TLS, after a new EHLO', async () => {
    using pem = directory()
    await using s = await inbound({}, pem.environment)
    using c = await smtpClient(s.port)
    await c.reply()
    expect(await c.say('EHLO sender.example.net')).toContain('STARTTLS')
    expect(await c.say('STARTTLS')).toStartWith('220')
    await c.upgrade()
    expect(await c.say('MAIL FROM:<ada@example.net>')).toStartWith('503')
    expect(await c.say('EHLO sender.example.net')).not.toContain('STARTTLS')
    await c.say('MAIL FROM:<ada@example.net>')
    await c.say(`RCPT TO:<${address}>`)
    await c.say('DATA')
    c.write(`${mail}.\r\n`)
    expect(await c.reply()).toStartWith('250')
    expect(await s.stored()).toBe(1)
  })

  test('commands behind STARTTLS are not read as if they came inside TLS', async () => {
    using pem = directory()
    await using s = await inbound({}, pem.environment)
    using c = await smtpClient(s.port)
    await c.reply()
    await c.say('EHLO sender.example.net')
    c.write('STARTTLS\r\nMAIL FROM:<eve@example.net>\r\n')
    expect(await c.closed).toStartWith('554 5.5.0')
  })

  test('without a certificate it is not offered', async () => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    expect(await c.say('EHLO sender.example.net')).not.toContain('STARTTLS')
    expect(await c.say('STARTTLS')).toStartWith('502')
  })
})

describe('limits', () => {
  test('SIZE over the limit is refused at MAIL', async () => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    await c.say('EHLO sender.example.net')
    expect(await c.say('MAIL FROM:<ada@example.net> SIZE=26214401')).toStartWith('552 5.3.4')
  })

  test('a longer mail is read to its end and refused, and the memory for it is free again', async () => {
    await using s = await inbound({ maxMessageBytes: 20_000, maxHeldBytes: 20_000 })
    for (const [bytes, code] of [
      [25_000, '552'],
      [15_000, '250'],
      [25_000, '552'],
      [15_001, '250'],
    ] as const) {
      using c = await smtpClient(s.port)
      await c.toData(address)
      c.write(`Subject: ${bytes}\r\n\r\n${'0123456789abcdef\r\n'.repeat(bytes / 18)}.\r\n`)
      expect(await c.reply()).toStartWith(code)
    }
    expect(await s.stored()).toBe(2)
  })

  test('a flood is cut off', async () => {
    await using s = await inbound({ maxMessageBytes: 10_000 })
    using c = await smtpClient(s.port)
    await c.toData(address)
    c.write(`Subject: x\r\n\r\n${'0123456789abcdef\r\n'.repeat(5_000)}`)
    expect(await c.closed).toStartWith('552 5.3.4')
  })

  test('a mail of the smallest parts takes no more memory than another', async () => {
    const buffers = () => {
      Bun.gc(true)
      const counts: Record<string, number> = heapStats().objectTypeCounts
      return (counts.Buffer ?? 0) + (counts.Uint8Array ?? 0)
    }
    const held = { bytes: 0 }
    const mail = new IncomingMail({ maxMessageBytes: 1_000_000, maxHeldBytes: 1_000_000 }, held)
    const before = buffers()
    for (let n = 0; n < 10; n++) mail.push(Buffer.from('..\r\n'.repeat(8_000)))
    expect(buffers() - before).toBeLessThan(500)
    const { bytes } = await mail.raw()
    expect(bytes).toBe(10 * 8_000 * 3)
    expect(held.bytes).toBeGreaterThanOrEqual(bytes)
    mail.release()
    expect(held.bytes).toBe(0)
  })

  test('too much mail at once is told to come back', async () => {
    await using s = await inbound({ maxHeldBytes: 1_000 })
    using c = await smtpClient(s.port)
    await c.toData(address)
    c.write(`Subject: x\r\n\r\n${'0123456789abcdef\r\n'.repeat(100)}.\r\n`)
    expect(await c.reply()).toStartWith('452 4.3.1')
  })

  test('connections of one network', async () => {
    await using s = await inbound({ connectionsPerNetwork: 3 })
    using one = await smtpClient(s.port)
    using two = await smtpClient(s.port)
    using three = await smtpClient(s.port)
    for (const client of [one, two, three]) expect(await client.reply()).toStartWith('220')
    using four = await smtpClient(s.port)
    expect(await four.closed).toStartWith('421 4.7.0')
    await one.say('QUIT')
    await one.closed
    using five = await smtpClient(s.port)
    expect(await five.reply()).toStartWith('220')
  })

  test.skipIf(process.platform !== 'linux')(
    'the last quarter of the connections is for networks that have none',
    async () => {
      await using s = await inbound({ connections: 8, connectionsPerNetwork: 3 })
      const open: SmtpClient[] = []
      const greeted = async (from: string) => {
        const client = await smtpClient(s.port, { from })
        open.push(client)
        return (await client.reply()).slice(0, 3)
      }
      try {
        for (const host of [1, 2]) for (let n = 0; n < 3; n++) expect(await greeted(`127.0.1.${host}`)).toBe('220')
        // Six of eight: a fourth of an address, another of their /24, then whoever is new.
        expect(await greeted('127.0.1.1')).toBe('421')
        expect(await greeted('127.0.1.3')).toBe('421')
        expect(await greeted('127.0.2.1')).toBe('220')
        expect(await greeted('127.0.2.2')).toBe('421')
        expect(await greeted('127.0.3.1')).toBe('220')
        expect(await greeted('127.0.4.1')).toBe('421')
        // A place that is given back is one, of the reserve first.
        const [first] = open
        first?.write('QUIT\r\n')
        await first?.closed
        expect(await greeted('127.0.1.2')).toBe('421')
        expect(await greeted('127.0.4.1')).toBe('220')
      } finally {
        for (const client of open) client[Symbol.dispose]()
      }
    },
  )

  test('silence, slow mail and long sessions end', async () => {
    await using s = await inbound({ idleMs: 100 })
    using silent = await smtpClient(s.port)
    await silent.reply()
    expect(await silent.closed).toStartWith('421 4.4.2 the connection was idle')
    await using slow = await inbound({ dataMs: 100 })
    using dripping = await smtpClient(slow.port)
    await dripping.toData(address)
    const drip = setInterval(() => dripping.write('x'), 10)
    expect(await dripping.closed).toStartWith('421 4.4.2 the mail took too long')
    clearInterval(drip)
    await using long = await inbound({ sessionMs: 100 })
    using chatting = await smtpClient(long.port)
    await chatting.reply()
    expect(await chatting.closed).toStartWith('421 4.4.2 the session took too long')
  })

  test('recipients, mistakes and guesses', async () => {
    await using s = await inbound({ maxRecipients: 1 })
    await testMailbox(s.t, { address: 'sales@in.example.net' })
    using many = await smtpClient(s.port)
    await many.reply()
    await many.say('EHLO x')
    await many.say('MAIL FROM:<ada@example.net>')
    await many.say(`RCPT TO:<${address}>`)
    expect(await many.say('RCPT TO:<sales@in.example.net>')).toStartWith('452 4.5.3')
    using wrong = await smtpClient(s.port)
    wrong.write('FOO\r\n'.repeat(20))
    expect(await wrong.closed).toEndWith('421 4.7.0 too many mistakes\r\n')
    using guessing = await smtpClient(s.port)
    await guessing.reply()
    await guessing.say('EHLO x')
    await guessing.say('MAIL FROM:<ada@example.net>')
    guessing.write('RCPT TO:<guess@in.example.net>\r\n'.repeat(30))
    expect(await guessing.closed).toEndWith('421 4.7.0 too many unknown recipients\r\n')
  })

  test('a command line without an end', async () => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    c.write('A'.repeat(3_000))
    expect(await c.closed).toStartWith('500 5.5.2 line too long')
  })
})

describe('mail that is built to break a reader is stored safely (I04, I05; what is more than that: inbound-hostile.test.ts)', () => {
  const multipart = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
  const nested = Array.from({ length: 1_000 }, (_, at) => {
    return `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`
  })
  const message = 'Content-Type: message/rfc822\r\n\r\n'
  const cases: [string, string][] = [
    ['NUL bytes', 'Subject: a\0b\r\n\r\nx\0y\r\n'],
    ['8-bit headers', 'Subject: \xe9\xff\r\nFrom: \xe9@example.net\r\n\r\nx\r\n'],
    ['a line of 1 MB', `Subject: x\r\n\r\n${'a'.repeat(1_000_000)}\r\n`],
    ['no header at all', '\r\nx\r\n'],
    ['nothing', ''],
    ['a charset that there is not', 'Content-Type: text/plain; charset="no-such"\r\n\r\n\xff\xfe\r\n'],
    ['parts 1,000 deep', `Subject: deep\r\n${nested.join('')}\r\nx\r\n`],
    ['50,000 parts', `Subject: wide\r\n${multipart}${'--b\r\n\r\nx\r\n'.repeat(50_000)}--b--\r\n`],
    ['a boundary that never comes', `${multipart}x\r\n`],
    ['base64 that is none', `Content-Transfer-Encoding: base64\r\n\r\n${'!§$%'.repeat(1_000)}\r\n`],
    ['mails in mails, 500 deep', `Subject: mail\r\n${message.repeat(500)}x\r\n`],
  ]
  test.each(cases)('%s', async (_, raw) => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.toData(address)
    c.write(Buffer.from(`${raw}.\r\n`, 'latin1'))
    expect(await c.reply()).toStartWith('250')
    const [row] = await s.t.app.db.select().from(receivedMessages)
    const options = { as: 'session' } as const
    const read = await s.t.get(`/v1/mailboxes/${s.mailbox.id}/messages/${row?.id}`, 200, options)
    expect(read.sizeBytes).toBe(raw.length)
    expect(await c.say('NOOP')).toStartWith('250')
  })
})

describe('what goes in circles is not taken', () => {
  test.each([
    ['26 servers', Array.from({ length: 26 }, (_, at) => `Received: from a${at} by b${at}; Mon, 05 Jan 2026`)],
    ['our own Delivered-To', [`Delivered-To: ${address.toUpperCase()}`]],
    ['our own X-Loop', [`X-Loop: ${address}`]],
  ])('%s', async (_, headers) => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.toData(address)
    c.write(`${rawMail({ to: address, headers })}.\r\n`)
    expect(await c.reply()).toStartWith('554 5.4.6')
    expect(await s.stored()).toBe(0)
  })
})

test.each(['VRFY desk', 'EXPN desk', 'AUTH PLAIN AGEAYg==', 'HELP', 'TURN', 'BDAT 10'])(
  'there is no %s',
  async (command) => {
    await using s = await inbound()
    using c = await smtpClient(s.port)
    await c.reply()
    await c.say('EHLO x')
    expect(await c.say(command)).toMatch(/^50[02] 5\.5\.1/)
  },
)

test.each([
  ['MAIL FROM:ada@example.net', '501'],
  ['MAIL FROM:<ada@example.net> SMTPUTF8', '555'],
  ['MAIL FROM:<ada@example.net> SIZE=x', '555'],
  ['MAIL FROM:<a\tb@example.net>', '501'],
  [`MAIL FROM:<${'a'.repeat(400)}@example.net>`, '501'],
  ['RCPT TO:<desk@in.example.net>', '503'],
  ['DATA', '503'],
  ['MAIL', '501'],
])('%s is %s', async (command, code) => {
  await using s = await inbound()
  using c = await smtpClient(s.port)
  await c.reply()
  await c.say('EHLO x')
  expect(await c.say(command)).toStartWith(code)
})

test('a mail that cannot be stored is told to come again', async () => {
  await using s = await inbound()
  await write(s.t.app, (tx) => tx.db.run(sql`DROP TABLE received_sources`))
  using c = await smtpClient(s.port)
  await c.toData(address)
  c.write(`${mail}.\r\n`)
  expect(await c.reply()).toStartWith('451 4.3.0')
  expect(await s.stored()).toBe(0)
})

test.each([
  [{ INBOUND_DOMAIN: 'not a domain' }, 'INBOUND_DOMAIN must be a domain like in.example.com'],
  [{ INBOUND_SMTP_PORT: '70000' }, 'INBOUND_SMTP_PORT must be a whole number'],
  [{ INBOUND_TLS_CERT: 'cert.pem' }, 'INBOUND_TLS_CERT and INBOUND_TLS_KEY must be set together'],
  [{ INBOUND_TLS_CERT: 'no.pem', INBOUND_TLS_KEY: 'no.pem' }, 'INBOUND_TLS_CERT must be the path of a PEM file'],
])('%j does not start', (environment, message) => {
  expect(() => readConfig(environment, tmpdir())).toThrow(message)
})

test('paquebot serve receives mail for a mailbox made on the command line', async () => {
  using c = await cli()
  const environment = { INBOUND_SMTP_PORT: '0', INBOUND_DOMAIN: 'in.example.net' }
  const server = await c.serve(environment)
  const made = await c.run(['mailbox', 'create', '--workspace', 'default', '--address', 'desk', '--json'], environment)
  expect(made.json).toEqual({ id: expect.stringMatching(/^mbx_/), address })
  const port = Number(/receiving mail on 127\.0\.0\.1:(\d+)/.exec(server.said())?.[1])
  using client = await smtpClient(port)
  await client.toData(address)
  client.write(`${mail}.\r\n`)
  expect(await client.reply()).toStartWith('250')
  using idle = await smtpClient(port)
  await idle.reply()
  server.kill('SIGTERM')
  expect(await idle.closed).toStartWith('421 4.3.2')
  expect((await server.ended).code).toBe(0)
})
