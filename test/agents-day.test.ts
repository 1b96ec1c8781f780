// docs/agents-day.md: the script runs against the product, and what the page says it prints is what it prints. `UPDATE_DOCS=1` writes it anew.

import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { addressOf, agentsDay } from '../docs/agents-day.ts'
import { write } from '../src/core/app.ts'
import { listenForMail } from '../src/features/mailboxes/listen.ts'
import { createToken } from '../src/features/mailboxes/tokens.ts'
import { testApp } from './support/app.ts'
import { testMailbox } from './support/mailbox.ts'
import { startSink } from './support/smtp-sink.ts'

const page = join(import.meta.dir, '../docs/agents-day.md')
const transcript = /(?<=\n<!-- printed -->\n```text\n)[^`]*(?=```)/

test('ten mails are answered by an agent, approved at once, and arrive', async () => {
  await using sink = startSink()
  await using t = await testApp({ environment: { SMTP_URL: sink.url, INBOUND_DOMAIN: 'in.example.net' } })
  const mailbox = await testMailbox(t, { address: 'desk@in.example.net' })
  const home = { workspaceId: t.workspace.id, id: mailbox.id }
  const { token } = await write(t.app, (tx) => createToken(tx, home, { airlock: true }))
  const listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1' })
  const lines: string[] = []
  const place = { url: t.url, smtpPort: listener.port, address: mailbox.address, token, cookie: t.sessionCookie }
  const settled = async () => {
    await t.settle()
    const left = await Promise.all(sink.received.map(({ raw }) => simpleParser(raw)))
    // They leave side by side.
    left.sort((a, b) => (a.subject ?? '').localeCompare(b.subject ?? ''))
    for (const { subject, text, to } of left) lines.push(`ARRIVED ${[to].flat()[0]?.text}: ${subject}: ${text?.trim()}`)
  }
  try {
    await agentsDay(place, (line) => lines.push(line), settled)
  } finally {
    await listener.close()
  }
  expect(sink.received.map(({ to }) => to.join())).toContain(addressOf('Ada Lovelace'))
  expect(sink.received).toHaveLength(10)
  const said = readFileSync(page, 'utf8')
  const printed = `${lines.join('\n')}\n`
  if (process.env.UPDATE_DOCS)
    writeFileSync(
      page,
      said.replace(transcript, () => printed),
    )
  else expect(transcript.exec(said)?.[0]).toBe(printed)
})
