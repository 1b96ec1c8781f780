// Postfix and OpenSMTPD of Debian as relays beside one of ours: what they take arrives once, also when one of them is stopped in the middle of
// a campaign and keeps what it had in its queue. Left out where they are not unpacked.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { messages } from '../db/tables/messages.ts'
import { outboxAttempts } from '../db/tables/outbox.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type Json, testApp } from './support/app.ts'
import { draft, listOf, sendCampaign, trust } from './support/campaign.ts'
import { eventually } from './support/eventually.ts'
import { startOpensmtpd } from './support/opensmtpd.ts'
import { startPostfix } from './support/postfix.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

/** They are started by root only, who may have mounts of its own. */
const isRoot =
  process.getuid?.() === 0 && Bun.which('unshare') !== null && Bun.spawnSync(['unshare', '--mount', 'true']).success
const rootOf = (name: string) => {
  const program = isRoot ? Bun.which(name) : null
  if (program === null) process.stderr.write(`${name} is not installed: it relays no mail here\n`)
  return program === null ? null : join(dirname(program), '../..')
}
const [postfixRoot, opensmtpdRoot] = [rootOf('postfix'), rootOf('smtpd')]

const directory = mkdtempSync(join(tmpdir(), 'real-relays-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/**
 * A mail counts once for each time that a relay took it from us, which its text says: a relay that is stopped between delivering a mail and
 * writing that down delivers the same text again.
 */
function takenFromUs(...sinks: Sink[]): string[] {
  const mails = sinks.flatMap(({ received }) => received)
  const byHandover = new Map(mails.map(({ to, raw }) => [raw.toString(), to]))
  return [...byHandover.values()].flat().filter((to) => !to.startsWith('test@'))
}
const people = 90

describe.skipIf(postfixRoot === null || opensmtpdRoot === null)('relays of three makes', () => {
  test('share a campaign, and one that is stopped in its middle costs no mail and doubles none', async () => {
    const stopAt = Promise.withResolvers<void>()
    const onMessage = () => {
      if (behind.count() >= 10) stopAt.resolve()
    }
    await using ours = startSink()
    await using behind: Sink = startSink({ onMessage })
    const relaying = { root: postfixRoot ?? '', relayPort: behind.port, connections: 4 }
    await using postfix = await startPostfix(directory, relaying)
    await using opensmtpd = await startOpensmtpd(directory, { root: opensmtpdRoot ?? '', relayPort: behind.port })
    await using t = await testApp({ mailer: smtpTransport({ url: `${ours.url}?maxConnections=2` }), isNew: true })
    const ids: string[] = []
    for (const [name, { port }] of Object.entries({ postfix, opensmtpd })) {
      const url = `smtp://127.0.0.1:${port}?maxConnections=2`
      const { id } = await t.post('/v1/relays', { name, url }, 201)
      ids.push(id)
      const { outcome } = await t.post(`/v1/relays/${id}/test`, { to: `test@${name}.example` }, 200)
      expect(outcome).toBe('accepted')
    }
    await trust(t, 'M1')
    const { list, contacts } = await listOf(t, people)
    const id = await draft(t, list)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    const sending = t.settle()
    await stopAt.promise
    await postfix[Symbol.asyncDispose]()
    await sending
    // Where machines are quick all of the first have left before it is stopped: others meet a relay that is gone for sure.
    const late = await listOf(t, people, { first: people })
    await sendCampaign(t, await draft(t, late.list))
    await t.advance('10m')
    // What it had taken is in its queue.
    await using _again = await startPostfix(directory, relaying)
    const arrived = () => takenFromUs(ours, behind)
    // A mail whose taking was not answered before the stop is told as uncertain: it may be in the queue, and is not sent again.
    const told = await t.app.db.select().from(messages)
    const uncertain = told.flatMap(({ email, status }) => (status === 'uncertain' ? [email] : []))
    const emails = [...contacts, ...late.contacts].map(({ email }: Json) => email).sort()
    const certain = emails.filter((email: string) => !uncertain.includes(email))
    await eventually(arrived).toEqual(expect.arrayContaining(certain))
    expect(new Set(arrived()).size).toBe(arrived().length)
    expect(emails).toEqual(expect.arrayContaining(arrived()))
    const attempts = await t.app.db.select().from(outboxAttempts)
    const countOf = (relayId: string | null, code: string) =>
      attempts.filter((attempt) => attempt.relayId === relayId && attempt.code === code).length
    for (const relayId of [null, ...ids]) expect(countOf(relayId, '250')).toBeGreaterThan(0)
    // It was gone before all had left.
    expect(countOf(ids[0] ?? '', 'put_off')).toBeGreaterThan(0)
  })
})
