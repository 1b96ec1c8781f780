// Mail with 18 MB of attachments holds nobody up: it is accepted, composed, sent, captured and shown piece by piece. What posts it and
// what takes it are processes of their own. On a file: with a server the rows come over the network.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { receivedSources } from '../db/tables/mailboxes.ts'
import { capturedSources, messageAttachments } from '../db/tables/messages.ts'
import { write } from '../src/core/app.ts'
import { maxRequestBytes } from '../src/core/http/body.ts'
import { newId } from '../src/kit/id.ts'
import { holdFiles, liftedFile, liftFiles, withFiles } from '../src/kit/lifted-files.ts'
import { linesOf, until } from '../tools/process.ts'
import { type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'

const onFile = test.skipIf(remoteDatabase)
const content = [{ type: 'text', text: 'Hello' }]
const directory = mkdtempSync(join(tmpdir(), 'large-mail-'))
const bodyFile = join(directory, 'body.json')

beforeAll(async () => {
  const file = (filename: string, bytes: number) => ({
    filename,
    contentType: 'text/plain',
    data: Buffer.alloc(bytes, `${filename} says something long\r\n`).toString('base64'),
  })
  const attachments = [file('a.txt', 9_000_000), file('b.txt', 9_000_000)]
  await Bun.write(bodyFile, JSON.stringify({ email: 'ada@example.net', templateId: 'hello', attachments }))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function product(environment: Record<string, string> = {}): Promise<TestApp> {
  const t = await testApp({ environment })
  await t.template({ content })
  return t
}

/** From a process of its own: its work is not ours. */
async function elsewhere(code: string, ...values: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, '-e', code, ...values], { stdout: 'pipe', stderr: 'inherit' })
  const said = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return said
}

const post = `const [url, key, file] = process.argv.slice(-3)
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
const response = await fetch(url + '/v1/transactional/send', { method: 'POST', headers, body: await Bun.file(file).bytes() })
process.stdout.write(response.status + ' ' + (await response.text()))`

const get = `const [url, cookie] = process.argv.slice(-2)
const response = await fetch(url, { headers: { cookie } })
process.stdout.write(response.status + ' ' + (await response.bytes()).length)`

const accept = (t: TestApp) => elsewhere(post, t.url, t.apiKey, bodyFile)

describe('a mail with 18 MB of attachments', () => {
  onFile('is accepted, composed and sent', async () => {
    const sink = Bun.spawn([process.execPath, join(import.meta.dir, 'support/smtp-sink.ts'), '--port', '0'], {
      stdout: 'pipe',
    })
    const [, port] = await until(linesOf(sink.stdout), /(\d+)$/)
    await using t = await product({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    const accepted = await longestBlock('accepting 18 MB of attachments', () => accept(t))
    expect(accepted.result).toStartWith('200 ')
    const sent = await longestBlock(
      'composing and sending it',
      () => t.settle(),
      () => accept(t),
    )
    // A mail that took long makes the next one to its domain wait.
    await t.advance('10m')
    const [last] = (await t.get('/v1/activity', 200)).data
    expect(last.status).toBe('sent')
    sink.kill()
    expect([accepted.blockMs, sent.blockMs].filter((ms) => ms > maxBlockMs)).toEqual([])
  })

  onFile('is captured and shown', async () => {
    await using t = await product()
    const captured = await longestBlock(
      'composing and capturing it',
      () => t.settle(),
      () => accept(t),
    )
    const [{ messageId }] = (await t.get('/v1/activity', 200)).data
    const shown: number[] = []
    for (const path of [
      '/captured',
      '/captured/1',
      '/captured/1/html',
      '/captured/1/source',
      `/v1/activity/${messageId}`,
    ]) {
      const read = () => elsewhere(get, t.url + path, t.sessionCookie)
      const { blockMs, result } = await longestBlock(`GET ${path}`, read)
      expect(result).toStartWith('200 ')
      shown.push(blockMs)
    }
    expect([captured.blockMs, ...shown].filter((ms) => ms > maxBlockMs)).toEqual([])
  })
})

// Their own limit, 20 MB decoded, is more than the base64 of a request can hold.
test('the attachments of one mail are as much as a request of 25 MB holds, which is 18.7 MB, and no byte more', async () => {
  await using t = await product()
  const mebibyte = 1024 * 1024
  const request = (files: Buffer[]) => {
    const attachments = files.map((data) => ({
      filename: 'a.txt',
      contentType: 'text/plain',
      data: data.toString('base64'),
    }))
    return JSON.stringify({ email: 'ada@example.net', templateId: 'hello', attachments })
  }
  const first = Buffer.alloc(10 * mebibyte, 'the first\r\n')
  const room = maxRequestBytes - request([first, Buffer.alloc(0)]).length
  const files = [first, Buffer.alloc(Math.floor(room / 4) * 3, 'and the second\r\n')]
  const full = request(files).padEnd(maxRequestBytes)
  const refused = await t.unchanged(() => t.post('/v1/transactional/send', `${full} `, 413))
  expect([refused.code, refused.detail]).toEqual([
    'payload_too_large',
    'A request may have at most 26214400 bytes (25 MB).',
  ])
  await t.post('/v1/transactional/send', full, 200)
  await t.settle()
  const { attachments } = await simpleParser((await t.sent())[0]?.raw ?? '')
  expect(attachments.map(({ content }, index) => content.equals(files[index] ?? Buffer.alloc(0)))).toEqual([true, true])
  const held = files.reduce((sum, { length }) => sum + length, 0) / mebibyte
  expect([held > 18.7, held < 20]).toEqual([true, true])
})

describe('a mail whose attachments are stored before it', () => {
  const data = (filename: string, bytes: number) => ({
    filename,
    contentType: 'text/csv',
    data: Buffer.alloc(bytes, `${filename};1;2\n`).toString('base64'),
  })
  const attachments = [data('a.csv', 1_500_000), data('b.csv', 30), data('c.csv', 2_097_152)]
  const mail = { email: 'ada@example.net', templateId: 'hello', attachments }
  const pieces = async (t: TestApp) => (await t.app.db.select().from(messageAttachments)).length

  test('arrives byte for byte, once for one key', async () => {
    await using t = await product()
    const headers = { 'idempotency-key': 'one' }
    for (let n = 0; n < 2; n++)
      expect((await t.request('POST', '/v1/transactional/send', mail, { headers })).status).toBe(200)
    expect(await pieces(t)).toBe(3 + 1 + 4)
    await t.settle()
    const [sent] = await t.sent()
    const parsed = await simpleParser(sent?.raw ?? '')
    expect(parsed.attachments.map(({ filename, content }) => [filename, content.toString('base64')])).toEqual(
      attachments.map(({ filename, data }) => [filename, data]),
    )
    expect((await t.sent()).length).toBe(1)
  })

  test('is hashed for its key as it came, and its files are known while they are held', async () => {
    const body = {
      attachments: [
        data('a.csv', 1_500_000),
        data('b.csv', 30),
        { ...data('c.csv', 90_000), data: 'A'.repeat(99_999) },
      ],
    }
    const text = JSON.stringify(body)
    const files = await liftFiles(body, 'a'.repeat(36))
    expect(files.map(({ data }) => data.length)).toEqual([1_500_000])
    const release = holdFiles(files)
    expect([...withFiles(JSON.stringify(body))].join('')).toBe(text)
    release()
    expect(liftedFile(body.attachments[0]?.data ?? '')).toBeNull()
  })

  test('is refused when a token stands for nothing', async () => {
    await using t = await product()
    const forged = { ...data('b.csv', 30), data: `file:${'a'.repeat(36)}.0` }
    await t.unchanged(() =>
      t.post('/v1/transactional/send', { ...mail, attachments: [...attachments.slice(0, 1), forged] }, 422),
    )
  })

  test('leaves nothing when it is refused', async () => {
    await using t = await product()
    await t.unchanged(() => t.post('/v1/transactional/send', { ...mail, dataVariables: { date: 'x' } }, 422))
    await t.unchanged(() => t.post('/v1/transactional/send', { ...mail, email: undefined, userId: 'nobody' }, 422))
    await t.post('/v1/suppressions', { email: 'ada@example.net', reason: 'manual' }, 201)
    await t.post('/v1/transactional/send', mail, 422)
    expect(await pieces(t)).toBe(0)
  })

  test('what a process left of it, of a captured mail and of a received one is swept after an hour, and nothing else', async () => {
    await using t = await product()
    await t.mail(mail)
    await t.settle()
    const leave = async () => {
      const now = t.clock.now()
      const [messageId, sourceId, receivedId] = (['msg', 'cap', 'rcv'] as const).map((one) => newId(t.app, one, now))
      const data = Buffer.from('left')
      await write(t.app, async (tx) => {
        const about = { filename: 'a', contentType: 'text/csv', sizeBytes: 4 }
        for (const number of [1, 11]) {
          await tx.db.insert(messageAttachments).values({ messageId: messageId ?? '', number, ...about, data })
          await tx.db.insert(capturedSources).values({ sourceId: sourceId ?? '', number, data })
          await tx.db.insert(receivedSources).values({ receivedId: receivedId ?? '', number, data })
        }
      })
    }
    const left = async () => [
      await pieces(t),
      (await t.app.db.select().from(capturedSources)).length,
      (await t.app.db.select().from(receivedSources)).length,
    ]
    const before = await left()
    await leave()
    await t.cleanUp()
    expect(await left()).toEqual(before.map((count) => count + 2))
    await t.advance('3h')
    await leave()
    await t.cleanUp()
    expect(await left()).toEqual(before.map((count) => count + 2))
    await t.advance('3h')
    await t.cleanUp()
    expect(await left()).toEqual(before)
    expect(before[1]).toBeGreaterThan(3)
  })
})
