// E-mails a second from the outbox to an SMTP server: `serve` with mails that all fall due at once, beside a nodemailer pool of 10
// (nodemailer.ts) that sends the same 11 KB mails. Each sender is a process of its own; the sink is this one. In turns, medians.
// Run: bun test/bench/deliver.ts

import { join } from 'node:path'
import { startSink } from '../support/smtp-sink.ts'
import { median } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { serving } from './serve.ts'

const mails = 4_000
const rounds = 3
const leadMs = 2_500

const paragraph = 'The quick brown fox jumps over the lazy dog, and then it writes a letter home about it. '
const content = [
  { type: 'heading', text: 'Hello {{name}}' },
  ...Array.from({ length: 8 }, () => ({ type: 'text', text: paragraph.repeat(6) })),
]

const sink = startSink({ keep: false })
await using product = await serving({
  SMTP_URL: `${sink.url}?maxConnections=10`,
  MAIL_FROM: 'bench@paquebot.localhost',
})
await product.post('/v1/transactional/create', { id: 'letter', name: 'Letter', subject: 'Number {{n}}', content })

/** Accepts the mails for one moment ahead, and counts from that moment. */
async function ours(): Promise<number> {
  const before = sink.count()
  const dueAt = Date.now() + leadMs
  let accepted = 0
  const send = (n: number) => ({
    email: `r${n}@example.net`,
    templateId: 'letter',
    dataVariables: { name: `Reader ${n}`, n },
    scheduledAt: new Date(dueAt).toISOString(),
  })
  await httpLoad({
    url: product.url,
    path: '/v1/transactional/send',
    headers: { authorization: `Bearer ${product.apiKey}` },
    body: (n) => JSON.stringify(send(n)),
    inFlight: 64,
    requests: mails,
  }).then(() => (accepted = mails))
  if (Date.now() > dueAt) throw new Error(`accepting ${accepted} mails took longer than ${leadMs} ms`)
  await sink.whenReceived(before + mails)
  return (mails / (Date.now() - dueAt)) * 1_000
}

async function theirs(): Promise<number> {
  const peer = Bun.spawn(['bun', join(import.meta.dir, 'nodemailer.ts'), String(sink.port), String(mails)], {
    stdout: 'pipe',
    stderr: 'inherit',
    stdin: new Blob([JSON.stringify(await template())]),
  })
  return Number(await new Response(peer.stdout).text())
}

/** What our own renderer makes of the template, so that both send the same bytes. */
async function template(): Promise<{ html: string; text: string }> {
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const { data } = await (await fetch(`${product.url}/v1/transactional`, { headers })).json()
  return { html: data[0].htmlBody, text: data[0].textBody }
}

const figures = { ours: [] as number[], theirs: [] as number[] }
await ours()
for (let round = 0; round < rounds; round++) {
  figures.theirs.push(await theirs())
  figures.ours.push(await ours())
}
const [own, peer] = [median(figures.ours), median(figures.theirs)]
process.stdout.write(
  `deliver (${Math.round((await template()).html.length / 1_000)} KB of HTML, 10 connections): ${own.toFixed(0)}/s from the outbox, every state journalled; nodemailer pool ${peer.toFixed(0)}/s: ratio ${(own / peer).toFixed(2)} (at least 2.2); ${product.rssMiB().toFixed(0)} MiB\n`,
)
sink.stop()
