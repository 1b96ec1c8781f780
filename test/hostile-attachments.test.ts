// Attachments that are built to hold, fill or break whoever reads them: each is read or refused in its time and memory, the loop goes on, and
// the next file is read.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getSource } from '../src/features/mailboxes/inbox.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { docxOf, mailWith, pdfOf } from './support/attached-files.ts'
import { eventually } from './support/eventually.ts'
import { hostileFiles } from './support/hostile-files.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { type TestMailbox, testMailbox } from './support/mailbox.ts'

/** What the reader allows itself, and what a machine that is busy adds to it. */
const longestMs = 10_000 + 5_000
const most = 256 * 1024 * 1024
/** How far it may go beyond until that is seen. */
const beyond = 256 * 1024 * 1024

const good = {
  name: 'good.pdf',
  type: 'application/pdf',
  content: pdfOf(['BT /F1 12 Tf 72 700 Td (all is well) Tj ET']),
}

let t: TestApp
let mailbox: TestMailbox
let goodId: string

beforeAll(async () => {
  t = await testApp()
  mailbox = await testMailbox(t)
  goodId = await mailbox.receive(mailWith(good))
})

afterAll(async () => {
  await t[Symbol.asyncDispose]()
})

async function read(messageId: string): Promise<{ status: number; body: Json }> {
  const path = `/v1/mailboxes/${mailbox.id}/messages/${messageId}/attachments/1/text`
  return await t.request('GET', path, undefined, session)
}

describe('a hostile file', () => {
  for (const { what, refusal, mayBeRead, ...file } of hostileFiles()) {
    test(what, async () => {
      const messageId = await mailbox.receive(mailWith(file))
      const before = process.memoryUsage.rss()
      let highest = before
      const look = setInterval(() => {
        highest = Math.max(highest, process.memoryUsage.rss())
      }, 10)
      const from = performance.now()
      const { blockMs, result } = await longestBlock(what, () => read(messageId)).finally(() => clearInterval(look))
      expect(performance.now() - from).toBeLessThan(longestMs * 5)
      expect(highest - before).toBeLessThan(most + beyond)
      expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
      if (refusal === null || (mayBeRead && result.status === 200)) {
        expect(result.status).toBe(200)
        expect(result.body.text).toContain(what.startsWith('text') ? 'aaa' : 'here')
        expect(result.body.text.length).toBeLessThanOrEqual(12_000)
        expect(result.body.totalChars).toBeLessThanOrEqual(200_000)
      } else {
        expect(result).toMatchObject({
          status: 422,
          body: { code: 'validation_failed', errors: [{ path: 'attachment' }] },
        })
        expect(result.body.detail).toMatch(refusal)
      }
      expect((await read(goodId)).body.text).toBe('all is well')
    })
  }
})

/** Holds its reader for as long as that allows. */
/** What the other tests of this process take is not to end a file before its time. */
const growthBytes = Number.MAX_SAFE_INTEGER
const endless = {
  name: 'endless.pdf',
  type: 'application/pdf',
  content: pdfOf([`${'q '.repeat(1_000_000)}`]),
}

test('whoever asks for many files waits for their own, and a neighbour is served in between', async () => {
  await using own = await testApp({ mailReading: { attachments: { fileMs: 1_000, growthBytes } } })
  const greedy = await testMailbox(own)
  const stranger = await own.stranger()
  const other = await testMailbox(own, { address: 'other@paquebot.localhost', workspaceId: stranger.workspace.id })
  const [held, fine] = [await greedy.receive(mailWith(endless)), await other.receive(mailWith(good))]
  const endings: string[] = []
  const ask = async (who: string, workspaceId: string, id: string, messageId: string) => {
    const { raw } = await getSource(own.app, id, messageId)
    const { outcome } = await own.app.mailReader
      .attachmentText(workspaceId, raw, { index: 0 })
      .catch(({ code }) => ({ outcome: code }))
    endings.push(`${who} ${outcome}`)
  }
  const first = ask('greedy', own.workspace.id, greedy.id, held)
  const more = Array.from({ length: 5 }, () => ask('greedy', own.workspace.id, greedy.id, held))
  // One is read, four wait: the next is refused at once.
  await eventually(async () => endings).toEqual(['greedy overloaded'])
  const neighbour = ask('other', stranger.workspace.id, other.id, fine)
  await Promise.all([first, ...more, neighbour])
  expect(endings.slice(1, 4)).toEqual(['greedy refused', 'greedy refused', 'other read'])
  expect(endings.slice(4)).toEqual(['greedy refused', 'greedy refused', 'greedy refused'])
})

test('who waits too long is told to come back, and nothing of it stays', async () => {
  await using own = await testApp({ mailReading: { attachments: { fileMs: 1_500, waitMs: 200, growthBytes } } })
  const desk = await testMailbox(own)
  const [held, fine] = [await desk.receive(mailWith(endless)), await desk.receive(mailWith(good))]
  // Their sources are there, so that the one that takes long is the first.
  const sources = [await getSource(own.app, desk.id, held), await getSource(own.app, desk.id, fine)] as const
  const [long, short] = sources.map(({ raw }) => raw)
  if (!long || !short) throw new Error('there are two mails')
  const endings = await Promise.all(
    [long, short, short].map((raw) =>
      own.app.mailReader
        .attachmentText(own.workspace.id, raw, { index: 0 })
        .then(({ outcome }) => outcome)
        .catch(({ code }) => code),
    ),
  )
  expect(endings).toEqual(['refused', 'overloaded', 'overloaded'])
  const path = `/v1/mailboxes/${desk.id}/messages/${fine}/attachments/1/text`
  expect((await own.request('GET', path, undefined, session)).body.text).toBe('all is well')
})

test('what a file points at is not asked for', async () => {
  const asked: string[] = []
  await using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      asked.push(url)
      return new Response('')
    },
  })
  const url = `http://127.0.0.1:${server.port}/x`
  const text = 'BT /F1 12 Tf 72 700 Td (here) Tj ET'
  const action = `/OpenAction << /S /URI /URI (${url}) >>`
  const file = `<< /Type /Filespec /FS /URL /F (${url}) >>`
  const pdf = pdfOf([text], {
    more: [`<< /Type /XObject /Subtype /Image /F ${file} /Length 0 >>\nstream\n\nendstream`],
  })
  const relation = `<Relationships><Relationship Id="r" TargetMode="External" Target="${url}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"/></Relationships>`
  const body = `<w:p><w:r><w:t>here</w:t></w:r></w:p><w:altChunk w:id="r"/>`
  const files = [
    {
      ...good,
      content: Buffer.from(pdf.toString('latin1').replace('/Type /Catalog', `/Type /Catalog ${action}`), 'latin1'),
    },
    {
      name: 'a.docx',
      type: 'application/octet-stream',
      content: docxOf(body, { '_rels/document.xml.rels': relation }),
    },
    {
      name: 'a.html',
      type: 'text/html',
      content: `<link rel=stylesheet href="${url}"><img src="${url}"><script src="${url}"></script>here`,
    },
    {
      name: 'a.ics',
      type: 'text/calendar',
      content: `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:here\r\nATTACH:${url}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    },
  ]
  for (const one of files) expect((await read(await mailbox.receive(mailWith(one)))).body.text).toContain('here')
  expect(asked).toEqual([])
  // The server does answer: it would have been heard of.
  await fetch(url)
  expect(asked).toEqual([url])
})
