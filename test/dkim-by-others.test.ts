// What we sign as Debian's opendkim judges it, with the records that the API says to publish: as it leaves, behind a relay, and changed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'
import { startPostfix } from './support/postfix.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const opendkim = Bun.which('opendkim')
/** It is started by root only. */
const postfix = process.getuid?.() === 0 ? Bun.which('postfix') : null
for (const [name, there] of Object.entries({ opendkim, postfix }))
  if (there === null) process.stderr.write(`${name} is not installed: it judges or passes on no mail here\n`)

const domain = 'house.example'
const directory = mkdtempSync(join(tmpdir(), 'dkim-by-others-'))
const keys = join(directory, 'keys')
const settings = join(directory, 'opendkim.conf')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Each signature that it found: `rsa-sha256 pass for house.example`. */
async function judged(raw: Buffer | string): Promise<string[]> {
  const file = join(directory, 'mail.eml')
  writeFileSync(file, raw)
  const root = join(dirname(opendkim ?? ''), '../..')
  const libraries = ['usr/lib/x86_64-linux-gnu', 'usr/lib'].map((one) => join(root, one)).join(':')
  const child = Bun.spawn([opendkim ?? '', '-x', settings, '-v', '-v', '-t', file], {
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return [...said.matchAll(/dkim=(\w+).*? header\.d=(\S+) .*?header\.a=(\S+)/g)].map(
    ([, result, of, algorithm]) => `${algorithm} ${result} for ${of}`,
  )
}

/** With either key, by the domain that is in From: so DMARC passes, too. */
const passes = [`rsa-sha256 pass for ${domain}`, `ed25519-sha256 pass for ${domain}`]
const fails = passes.map((one) => one.replace('pass', 'fail'))

describe.skipIf(opendkim === null)('a mail of ours', () => {
  let sink: Sink
  let t: TestApp
  beforeAll(async () => {
    sink = startSink()
    t = await testApp({ environment: environmentFor(sink.url) })
    await publish(t)
    await send(t)
  })
  afterAll(async () => {
    await t[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  const environmentFor = (SMTP_URL: string) => ({ SMTP_URL, MAIL_FROM: `House <hello@${domain}>` })

  /** The records of the domain, where opendkim looks for them. */
  async function publish(of: TestApp): Promise<void> {
    const { dnsRecords } = await of.post('/v1/sending-domains', { domain }, 201)
    const lines = dnsRecords.map(({ name, value }: Json) => `${name} ${value}\n`)
    writeFileSync(keys, lines.join(''))
    writeFileSync(settings, `Mode v\nTestPublicKeys ${keys}\n`)
  }

  async function send(of: TestApp): Promise<void> {
    const content = [{ type: 'text', text: 'Grüße, {{name}}.  Two  spaces ' }]
    await of.post(
      '/v1/transactional/create',
      { id: 'hi', name: 'Hi', subject: 'Grüße '.repeat(30).trim(), content },
      201,
    )
    const data = Buffer.from('Größe\r\n').toString('base64')
    const attachments = [{ filename: 'größe.txt', contentType: 'text/plain', data }]
    const mail = { email: 'ada@example.net', templateId: 'hi', dataVariables: { name: 'Zoë' }, attachments }
    await of.post('/v1/transactional/send', mail, 200)
    await of.settle()
  }

  test('has two signatures that are right: from a template, of a campaign, and one that an application wrote', async () => {
    const { list } = await listOf(t, 1)
    await t.post(`/v1/campaigns/${await draft(t, list)}/send`, {}, 200)
    await t.settle()
    const own = { from: `Shop <shop@${domain}>`, to: 'ben@example.net', subject: 'Größe', html: '<p>Größe\n.\n..</p>' }
    await t.post('/compat/resend/emails', own, 200)
    await t.settle()
    expect(sink.received.map(({ to }) => to)).toEqual([['ada@example.net'], ['r0@example.net'], ['ben@example.net']])
    expect(sink.received[1]?.raw.toString()).toContain('List-Unsubscribe-Post: ')
    for (const { raw, to } of sink.received) expect([to, await judged(raw)]).toEqual([to, passes])
  })

  test('is no longer ours when a list adds a footer, or somebody another recipient or From', async () => {
    const raw = sink.received[0]?.raw.toString('latin1') ?? ''
    const changes: Record<string, string> = {
      footer: `${raw}-- \r\nSent by a list\r\n`,
      recipient: raw.replace('To: ada@', 'To: eve@'),
      from: `From: Eve <eve@elsewhere.example>\r\n${raw}`,
      attachment: raw.replace(/(\r\nContent-Disposition: attachment[\s\S]*?\r\n\r\n)\w/, '$1_'),
    }
    for (const [what, changed] of Object.entries(changes)) {
      expect(changed, what).not.toBe(raw)
      expect([what, await judged(Buffer.from(changed, 'latin1'))]).toEqual([what, fails])
    }
  })

  test.skipIf(postfix === null)('is ours behind a relay that adds what relays add', async () => {
    await using behind = startSink()
    const root = join(dirname(postfix ?? ''), '../..')
    await using relay = await startPostfix(directory, { root, relayPort: behind.port, connections: 2 })
    await using from = await testApp({ environment: environmentFor(`smtp://127.0.0.1:${relay.port}`) })
    await publish(from)
    await send(from)
    await behind.whenReceived(1)
    const [passed] = behind.received
    expect(passed?.raw.toString()).toMatch(/^Received: from .*\r\n\tby peer\.example \(Postfix\)/)
    expect(await judged(passed?.raw ?? '')).toEqual(passes)
  })
})
