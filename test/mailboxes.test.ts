// Mailboxes, their tokens, what comes in by HTTP, and what is made of it.

import { describe, expect, test } from 'bun:test'
import { mailboxes, mailboxTokens, mcpCalls, receivedMessages, receivedSources } from '../db/tables/mailboxes.ts'
import { write } from '../src/core/app.ts'
import { findMailbox } from '../src/features/mailboxes/mailboxes.ts'
import { receiveMail } from '../src/features/mailboxes/receive.ts'
import { findToken, revokeToken } from '../src/features/mailboxes/tokens.ts'
import { dkimRecord, generateDkimKeys, importDkimKey, signDkim } from '../src/mail/dkim.ts'
import { headerText } from '../src/mail/header.ts'
import { splitQuoted } from '../src/mail/quoted-text.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { shownText } from '../src/mail/shown-text.ts'
import type { ResolveDns } from '../src/mail/verdicts.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'
import { loopMs } from './support/loop-monitor.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { listed, read } from './support/received.ts'

const nobody = { as: 'nobody' } as const

describe('mailboxes', () => {
  test('are made, listed, renamed, disabled and deleted', async () => {
    await using t = await testApp({ environment: { INBOUND_DOMAIN: 'in.example.net' } })
    const { warnings, ...made } = await t.post('/v1/mailboxes', { address: 'desk', name: 'Desk' }, 201)
    expect(warnings).toEqual([])
    expect(made).toEqual({
      id: expect.stringMatching(/^mbx_/),
      address: 'desk@in.example.net',
      name: 'Desk',
      status: 'active',
      holdReplies: false,
      writesTo: { addresses: [], domains: [], mailingListIds: [], correspondents: false },
      createdAt: t.clock.now().toISOString(),
    })
    const path = `/v1/mailboxes/${made.id}`
    expect(await t.get(path, 200)).toEqual(made)
    expect(await t.get('/v1/mailboxes', 200)).toEqual({ data: [made] })
    expect(await t.patch(path, { status: 'disabled', name: 'Old desk' }, 200)).toEqual({
      ...made,
      status: 'disabled',
      name: 'Old desk',
      warnings: [],
    })
    await t.delete(path, undefined, 200, session)
    await t.get(path, 404)
    expect(await t.get('/v1/mailboxes', 200)).toEqual({ data: [] })
    await t.post('/v1/mailboxes', { address: 'desk' }, 201)
  })

  test.each([
    [{ address: 'desk' }, 422, 'validation_failed'],
    [{ address: 'a@b@c' }, 422, 'validation_failed'],
    [{ address: 'taken@paquebot.localhost' }, 409, 'conflict'],
    [{ address: 'TAKEN@paquebot.localhost' }, 409, 'conflict'],
    [{ address: 'x@paquebot.localhost', name: 'a\r\nBcc: b' }, 422, 'validation_failed'],
    [{}, 422, 'missing_required_field'],
  ])('%j is refused', async (body, status, code) => {
    await using t = await testApp()
    await testMailbox(t, { address: 'taken@paquebot.localhost' })
    const refusal = await t.unchanged(() => t.post('/v1/mailboxes', body, status))
    expect(refusal.code).toBe(code)
  })

  test('those of another workspace are not there', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const as = { as: await t.stranger() }
    expect(await t.get('/v1/mailboxes', 200, as)).toEqual({ data: [] })
    await t.unchanged(async () => {
      await t.get(`/v1/mailboxes/${mailbox.id}`, 404, as)
      await t.patch(`/v1/mailboxes/${mailbox.id}`, { status: 'disabled' }, 404, as)
      await t.post('/v1/mailboxes', { address: mailbox.address }, 409, as)
    })
  })

  test('an API key opens no mail, no token and no inbound address', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const id = await mailbox.receive(rawMail())
    const path = `/v1/mailboxes/${mailbox.id}`
    await t.unchanged(async () => {
      await t.get(`${path}/messages`, 401)
      await t.get(`${path}/messages/${id}`, 401)
      await t.get(`${path}/messages/${id}/source`, 401)
      await t.get(`${path}/messages/${id}/attachments/1`, 401)
      await t.get(`${path}/tokens`, 401)
      await t.post(`${path}/tokens`, {}, 401)
      await t.post(`${path}/inbound-address`, undefined, 401)
      await t.delete(path, undefined, 401)
    })
  })
})

describe('mailbox tokens', () => {
  test('are shown once, listed without their secret, and revoked at once', async () => {
    await using t = await testApp()
    const { id } = await testMailbox(t)
    const path = `/v1/mailboxes/${id}/tokens`
    const made = await t.post(path, { name: 'Agent', scopes: ['read'] }, 201, session)
    expect(made.token).toMatch(/^mbtok_[A-Za-z0-9_-]{43}$/)
    expect(made).toMatchObject({ name: 'Agent', scopes: ['read'], expiresAt: null, lastUsedAt: null })
    const { data } = await t.get(path, 200, session)
    expect(data).toHaveLength(2)
    expect(JSON.stringify(data)).not.toContain(made.token.slice(12))
    expect(await findToken(t.app, made.token, t.clock.now())).not.toBeNull()
    await t.delete(`${path}/${made.id}`, undefined, 200, session)
    await t.delete(`${path}/${made.id}`, undefined, 404, session)
    expect(await findToken(t.app, made.token, t.clock.now())).toBeNull()
  })

  test('are stored as a hash', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const rows = [await t.app.db.select().from(mailboxTokens), await t.app.db.select().from(mailboxes)]
    expect(JSON.stringify(rows)).not.toContain(mailbox.token.slice('mbtok_'.length + 6))
  })

  test('open nothing once they are over, or their mailbox is disabled or gone', async () => {
    await using t = await testApp()
    const { id, token } = await testMailbox(t)
    const expiresAt = new Date(t.clock.now().getTime() + 60_000).toISOString()
    const short = await t.post(`/v1/mailboxes/${id}/tokens`, { expiresAt }, 201, session)
    await t.advance('59s')
    expect(await findToken(t.app, short.token, t.clock.now())).not.toBeNull()
    await t.advance('1s')
    expect(await findToken(t.app, short.token, t.clock.now())).toBeNull()
    await t.patch(`/v1/mailboxes/${id}`, { status: 'disabled' }, 200)
    expect(await findToken(t.app, token, t.clock.now())).toBeNull()
    await t.patch(`/v1/mailboxes/${id}`, { status: 'active' }, 200)
    expect(await findToken(t.app, token, t.clock.now())).not.toBeNull()
    await t.delete(`/v1/mailboxes/${id}`, undefined, 200, session)
    expect(await findToken(t.app, token, t.clock.now())).toBeNull()
  })

  test.each([
    [{ scopes: ['write'] }],
    [{ scopes: [] }],
    [{ expiresAt: 'tomorrow' }],
    [{ expiresAt: '2020-01-01T00:00:00Z' }],
  ])('%j is refused', async (body) => {
    await using t = await testApp()
    const { id } = await testMailbox(t)
    await t.unchanged(() => t.post(`/v1/mailboxes/${id}/tokens`, body, 422, session))
  })

  test('open no other route', async () => {
    await using t = await testApp()
    const { token } = await testMailbox(t)
    await t.get('/v1/transactional', 403, { as: { apiKey: token } })
    await t.get('/v1/mailboxes', 403, { as: { apiKey: token } })
  })

  test('are made on the command line', async () => {
    using c = await cli()
    await c.run(['workspace', 'create', '--slug', 'acme'])
    const address = ['--workspace', 'acme', '--address', 'desk@in.example.net']
    const { json: made } = await c.run(['mailbox', 'create', ...address, '--json'])
    expect(made).toEqual({ id: expect.stringMatching(/^mbx_/), address: 'desk@in.example.net' })
    const { json: list } = await c.run(['mailbox', 'list', '--workspace', 'acme', '--json'])
    expect(list.data).toEqual([
      {
        ...made,
        name: '',
        status: 'active',
        holdReplies: false,
        writesTo: expect.any(Object),
        createdAt: expect.any(String),
      },
    ])
    const token = ['mailbox', 'token', '--mailbox', made.id]
    const both = { id: expect.stringMatching(/^mtk_/), token: expect.stringMatching(/^mbtok_.{43}$/) }
    expect((await c.run([...token, '--json'])).json).toEqual({ ...both, scopes: ['read', 'reply'] })
    expect((await c.run([...token, '--scope', 'read', '--json'])).json).toEqual({ ...both, scopes: ['read'] })
    expect((await c.run([...token, '--scope', 'write'])).code).toBe(1)
    expect((await c.run([...token, '--expires-in', 'soon'])).code).toBe(2)
    expect((await c.run(['mailbox', 'token', '--mailbox', 'mbx_x', '--json'])).json.code).toBe('not_found')
    expect((await c.run(['mailbox', 'create', ...address, '--json'])).json.code).toBe('conflict')
    const { json: inbound } = await c.run(['mailbox', 'inbound', '--mailbox', made.id, '--json'])
    expect(inbound.inboundUrl).toMatch(/^http:\/\/127\.0\.0\.1:3000\/v1\/inbound\/[A-Za-z0-9_-]{43}$/)
  })
})

describe('POST /v1/inbound/{token}', () => {
  const raw = { ...nobody, headers: { 'content-type': 'message/rfc822' } }

  async function inboundPath(t: TestApp, id: string): Promise<string> {
    const { inboundUrl } = await t.post(`/v1/mailboxes/${id}/inbound-address`, undefined, 200, session)
    return inboundUrl.slice(t.url.length)
  }

  test('takes raw mail, and what is stored is exactly that', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const mail = rawMail({ subject: 'Überraschung', text: 'Grüße' })
    const { messageId } = await t.post(await inboundPath(t, mailbox.id), mail, 200, raw)
    expect(await listed(t, mailbox)).toEqual([
      {
        id: messageId,
        threadId: expect.stringMatching(/^thr_/),
        from: { name: 'Ada Lovelace', address: 'ada@example.net' },
        subject: 'Überraschung',
        snippet: 'Grüße',
        receivedAt: t.clock.now().toISOString(),
        readAt: null,
        hasAttachments: false,
        sizeBytes: Buffer.byteLength(mail),
        auth: { spf: 'none', dkim: 'none', dmarc: 'none' },
        automatic: null,
        labels: [],
      },
    ])
    const source = await t.request(
      'GET',
      `/v1/mailboxes/${mailbox.id}/messages/${messageId}/source`,
      undefined,
      session,
    )
    expect(source.text).toBe(mail)
    expect(source.headers.get('content-disposition')).toStartWith('attachment')
    expect(source.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('takes the JSON of Postmark', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const path = await inboundPath(t, mailbox.id)
    const body = {
      FromName: 'Ada',
      From: 'ada@example.net',
      To: mailbox.address,
      Subject: 'Étude\r\nBcc: eve@example.net',
      MessageID: '22c74902-a0c1-4511-804f-341342852c90',
      Date: 'Thu, 5 Apr 2012 16:59:01 +0200',
      TextBody: 'Bonjour ✓\n\nOn Mon, 5 Jan 2026 at 10:00, Help Desk <desk@x.test> wrote:\n> earlier\n',
      HtmlBody: '<p>Bonjour ✓</p>',
      StrippedTextReply: 'Bonjour',
      Headers: [
        { Name: 'Message-ID', Value: '<first@example.net>' },
        { Name: 'X-Bad\r\nBcc', Value: 'eve@example.net' },
        { Name: 'Content-Type', Value: 'text/x-evil' },
      ],
      Attachments: [{ Name: '../a".txt', Content: 'aGk=', ContentType: 'text/plain', ContentLength: 2 }],
    }
    const { messageId } = await t.post(path, body, 200, nobody)
    const message = await read(t, mailbox, messageId)
    expect(message).toMatchObject({
      subject: 'Étude Bcc: eve@example.net',
      from: { name: '', address: 'ada@example.net' },
      messageIdHeader: 'first@example.net',
      text: 'Bonjour ✓',
      attachments: [{ filename: '../a_.txt', contentType: 'text/plain', sizeBytes: 2 }],
    })
    expect(message.quotedText).toEndWith('> earlier')
    expect(message.html).toContain('<p>Bonjour ✓</p>')
    const source = await t.request(
      'GET',
      `/v1/mailboxes/${mailbox.id}/messages/${messageId}/source`,
      undefined,
      session,
    )
    expect(source.text).not.toMatch(/^(bcc|x-bad)/im)
    const file = await t.request(
      'GET',
      `/v1/mailboxes/${mailbox.id}/messages/${messageId}/attachments/1`,
      undefined,
      session,
    )
    expect(file.text).toBe('hi')
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''.._a_.txt")
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await t.post(path, body, 200, nobody)).toEqual({ success: true, messageId })
    const whole = await t.post(path, { ...body, RawEmail: rawMail() }, 200, nobody)
    expect((await read(t, mailbox, whole.messageId)).subject).toBe('A question')
  })

  test('refuses what is no mail, and says so to nobody without the token', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const path = await inboundPath(t, mailbox.id)
    await t.unchanged(async () => {
      await t.post('/v1/inbound/guess', rawMail(), 404, raw)
      await t.post(`/v1/inbound/${mailbox.token}`, rawMail(), 404, raw)
      await t.post(path, '', 422, raw)
      await t.post(path, { Subject: 'x' }, 422, nobody)
      await t.post(path, '{', 400, nobody)
      await t.post(path, 'a'.repeat(26_214_401), 413, raw)
      expect(await t.post(path, rawMail({ headers: ['Delivered-To: desk@paquebot.localhost'] }), 200, raw)).toEqual({
        success: true,
        ignored: 'loop',
      })
    })
    const renewed = await inboundPath(t, mailbox.id)
    await t.post(path, rawMail(), 404, raw)
    await t.post(renewed, rawMail(), 200, raw)
    await t.patch(`/v1/mailboxes/${mailbox.id}`, { status: 'disabled' }, 200)
    await t.post(renewed, rawMail(), 403, raw)
  })
})

test('webhooks are told that there is mail, and nothing of what it says', async () => {
  await using t = await testApp()
  await t.endpoint({ url: 'https://hooks.example.com/' })
  const mailbox = await t.post('/v1/mailboxes', { address: 'help@paquebot.localhost' }, 201)
  const at = `/v1/mailboxes/${mailbox.id}`
  const { inboundUrl } = await t.post(`${at}/inbound-address`, undefined, 200, { as: 'session' })
  const mail = { From: 'ada@example.net', Subject: 'A private matter', TextBody: 'Between us' }
  const { messageId } = await t.post(new URL(inboundUrl).pathname, mail, 200, { as: 'nobody' })
  const { data } = await t.get('/v1/event-feed', 200)
  expect(data.map(({ type }: Json) => type)).toEqual(['mailbox.email.received'])
  const told = JSON.stringify(data)
  expect(told).toContain(messageId)
  for (const secret of ['ada@example.net', 'private matter', 'Between us']) expect(told).not.toContain(secret)
})

describe('verdicts', () => {
  const fields = { from: 'ada@mail.acme.co', id: 'signed@mail.acme.co' }

  async function signed(): Promise<{ raw: Buffer; records: Record<string, string> }> {
    const { rsa } = await generateDkimKeys()
    const about = { algorithm: 'rsa-sha256', domain: 'mail.acme.co', selector: 's1' } as const
    const key = importDkimKey(rsa.privateKey, about)
    const headers: [string, string][] = [
      ['From', fields.from],
      ['To', 'desk@paquebot.localhost'],
      ['Subject', headerText('Subject', 'Signed')],
      ['Date', 'Mon, 05 Jan 2026 10:00:00 +0000'],
      ['Message-ID', `<${fields.id}>`],
    ]
    const mime = await signDkim({ headers, body: ['Hello\r\n'] }, [key], new Date('2026-01-05T10:00:00Z'))
    const head = mime.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return {
      raw: Buffer.from(`${head}\r\n${mime.body.join('')}`),
      records: { 's1._domainkey.mail.acme.co': dkimRecord('rsa-sha256', rsa.publicKey) },
    }
  }

  const dns = (records: Record<string, string>): ResolveDns => {
    return async (name, type) => {
      const text = records[name]
      if (type !== 'TXT' || text === undefined) throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
      return [[text]]
    }
  }

  async function verdicts(resolveDns: ResolveDns, raw: Buffer): Promise<Json> {
    await using t = await testApp({ resolveDns })
    const made = await testMailbox(t)
    const mailbox = await findMailbox(t.app, made.id)
    if (!mailbox) throw new Error('no mailbox')
    const sender = { envelopeFrom: fields.from, address: '192.0.2.1', helo: 'mx.acme.co' }
    const arrival = { raw: await toRawMail([raw]), via: 'smtp', isOriginal: true } as const
    await receiveMail(t.app, [mailbox], { ...arrival, ...sender })
    return (await listed(t, made))[0].auth
  }

  test('a signed mail from a server that may send passes all three', async () => {
    const { raw, records } = await signed()
    const policy = { '_dmarc.mail.acme.co': 'v=DMARC1; p=reject', 'mail.acme.co': 'v=spf1 ip4:192.0.2.1 -all' }
    expect(await verdicts(dns({ ...records, ...policy }), raw)).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass' })
  })

  test('a changed mail from another server passes none', async () => {
    const { raw, records } = await signed()
    const changed = Buffer.from(raw.toString().replace('Hello', 'Hullo'))
    const policy = { '_dmarc.mail.acme.co': 'v=DMARC1; p=reject', 'mail.acme.co': 'v=spf1 -all' }
    const auth = await verdicts(dns({ ...records, ...policy }), changed)
    expect(auth).toMatchObject({ spf: 'fail', dmarc: 'fail' })
    expect(auth.dkim).not.toBe('pass')
  })

  test('a mail with as many signatures as it may have asks a bounded number of questions', async () => {
    let questions = 0
    const counting: ResolveDns = async () => {
      questions++
      throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    const one = (at: number) => `DKIM-Signature: v=1; a=rsa-sha256; d=d${at}.acme.co; s=s; h=from; bh=YQ==; b=YQ==\r\n`
    const many = Array.from({ length: 10 }, (_, at) => one(at)).join('')
    await verdicts(counting, Buffer.from(`${many}From: ada@mail.acme.co\r\n\r\nx\r\n`))
    expect(questions).toBeGreaterThan(0)
    expect(questions).toBeLessThanOrEqual(40)
  })
})

describe('quoted text', () => {
  test.each([
    ['nothing quoted', 'Hello\n> but this is mine\nBye', 'Hello\n> but this is mine\nBye', ''],
    ['a block at the end', 'Yes.\n\n> Really?\n> Yes?\n', 'Yes.', '> Really?\n> Yes?'],
    [
      'On … wrote:',
      'Yes.\n\nOn Mon, 5 Jan 2026 at 10:00, Ada\n<ada@example.net> wrote:\n\n> Really?',
      'Yes.',
      'On Mon, 5 Jan 2026 at 10:00, Ada\n<ada@example.net> wrote:\n\n> Really?',
    ],
    [
      'Am … schrieb',
      'Ja.\n\nAm 05.01.26 um 10:00 schrieb Ada:\n> Echt?',
      'Ja.',
      'Am 05.01.26 um 10:00 schrieb Ada:\n> Echt?',
    ],
    [
      'Outlook',
      'Yes.\n\nFrom: Ada\nSent: Monday\nTo: Desk\n\nReally?',
      'Yes.',
      'From: Ada\nSent: Monday\nTo: Desk\n\nReally?',
    ],
    ['Original Message', 'Yes.\n-----Original Message-----\nReally?', 'Yes.', '-----Original Message-----\nReally?'],
    ['all of it', '> Really?\n', '> Really?', ''],
  ])('%s', (_, text, own, quoted) => {
    expect(splitQuoted(text)).toEqual({ own, quoted })
  })

  test('takes no time for a text built to take long', () => {
    const started = loopMs()
    splitQuoted(`on ${'a '.repeat(200)}\n`.repeat(5_000))
    splitQuoted(`on ${'schrieb '.repeat(11)}:a\n`.repeat(10_000))
    splitQuoted('>'.repeat(1_000_000))
    splitQuoted('-'.repeat(1_000_000))
    splitQuoted(`${'> \n'.repeat(300_000)}x`)
    shownText('<div'.repeat(250_000))
    shownText('<style>'.repeat(150_000))
    shownText('<header '.repeat(120_000))
    shownText(`${'&#'.repeat(300_000)}${' '.repeat(300_000)}<`)
    expect(loopMs() - started).toBeLessThan(3_000)
  })
})

test('the text of an HTML mail', () => {
  const html =
    '<head><title>t</title><style>p{}</style></head><header>H</header><p>a&amp;b&#39;&#x1F600;</p><script>x</script><!-- c --><div>d<br>e</div>'
  expect(shownText(html)?.text).toBe("H\na&b'😀\n\nd\ne")
})

test('the hourly clean-up removes received mail after 90 days, and that of deleted mailboxes at once', async () => {
  await using t = await testApp()
  const kept = await testMailbox(t)
  const deleted = await testMailbox(t, { address: 'gone@paquebot.localhost' })
  await kept.receive(rawMail())
  await deleted.receive(rawMail())
  await t.delete(`/v1/mailboxes/${deleted.id}`, undefined, 200, session)
  await t.cleanUp()
  expect(await t.app.db.select().from(receivedMessages)).toHaveLength(1)
  await t.advance('89d')
  await t.cleanUp()
  expect(await t.app.db.select().from(receivedSources)).toHaveLength(1)
  await t.advance('2d')
  await t.cleanUp()
  expect(await t.app.db.select().from(receivedMessages)).toEqual([])
  expect(await t.app.db.select().from(receivedSources)).toEqual([])
  expect(await t.app.db.select().from(mcpCalls)).toEqual([])
})

test('a revoked token of another mailbox is not revoked by this one', async () => {
  await using t = await testApp()
  const one = await testMailbox(t)
  const two = await testMailbox(t, { address: 'two@paquebot.localhost' })
  const wrong = write(t.app, (tx) => revokeToken(tx, one.id, two.tokenId))
  await expect(wrong).rejects.toMatchObject({ code: 'not_found' })
})

test('a mail whose texts are cut in the middle of a character is stored, on every database', async () => {
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  // A character of two units, at every place where something may be cut.
  const long = (before: number) => `${'a'.repeat(before)}${'\u{1f600}'.repeat(600)}`
  for (const before of [0, 1]) {
    const encoded = `=?utf-8?b?${Buffer.from(long(before)).toString('base64')}?=`
    const id = await mailbox.receive(
      rawMail({ from: `${encoded} <ada@example.net>`, subject: encoded, text: long(before) }),
    )
    const message = await t.get(`/v1/mailboxes/${mailbox.id}/messages/${id}`, 200, session)
    for (const text of [message.subject, message.from.name, message.text]) expect(text.isWellFormed()).toBe(true)
  }
})
