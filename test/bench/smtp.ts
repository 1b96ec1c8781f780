// E-mails a second through SMTP alone: our client with a filled MIME skeleton beside nodemailer's pool of 10 that builds and sends
// the same 11 KB mails, to one sink in a process of its own, in turns. Run: bun test/bench/smtp.ts

import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { generateDkimKeys, importDkimKey, signDkim } from '../../src/mail/dkim.ts'
import { compileMessage, fillMessage, wireBytes } from '../../src/mail/mime.ts'
import type { RawMail } from '../../src/mail/raw-mail.ts'
import { smtpTransport } from '../../src/mail/smtp-transport.ts'
import { linesOf, until } from '../../tools/process.ts'
import { median } from './figures.ts'

const mails = 2_000
const rounds = 5
const connections = 10

const paragraph = 'The quick brown fox jumps over the lazy dog, and then it writes a letter home about it. '
const html = [`<html><body><p>Dear `, `</p><p>${paragraph.repeat(100)}</p></body></html>`] as const
const text = ['Dear ', `\n\n${paragraph.repeat(20)}`] as const

const sink = Bun.spawn(['bun', join(import.meta.dir, '../support/smtp-sink.ts')], { stdout: 'pipe' })
const port = Number((await until(linesOf(sink.stdout), /listening on (\d+)/))[1])

async function perSecond(send: (n: number) => Promise<unknown>, inFlight: number): Promise<number> {
  let next = 0
  const began = performance.now()
  const worker = async () => {
    while (next < mails) await send(next++)
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return (mails / (performance.now() - began)) * 1_000
}

const peer = createTransport({
  host: '127.0.0.1',
  port,
  pool: true,
  maxConnections: connections,
  maxMessages: Number.POSITIVE_INFINITY,
  ignoreTLS: true,
})
const viaNodemailer = (n: number) =>
  peer.sendMail({
    from: 'Acme <hello@acme.test>',
    to: `r${n}@example.net`,
    subject: `Number ${n}`,
    html: `${html[0]}${n}${html[1]}`,
    text: `${text[0]}${n}${text[1]}`,
  })

const transport = smtpTransport({ url: `smtp://127.0.0.1:${port}?maxConnections=${connections}` })
const skeleton = compileMessage({ html: [html[0], 0, html[1]], text: [text[0], 0, text[1]] })
const control = { beforeFinalDot: async () => true, signal: new AbortController().signal }
const built = (n: number) =>
  fillMessage(skeleton, {
    from: { name: 'Acme', address: 'hello@acme.test' },
    to: [{ name: null, address: `r${n}@example.net` }],
    replyTo: null,
    subject: `Number ${n}`,
    messageId: `${n}@acme.test`,
    date: new Date(),
    headers: {},
    htmlValues: [String(n)],
    textValues: [String(n)],
    attachments: [],
  })
const give = async (n: number, raw: RawMail) => {
  const outcome = await transport.send(
    { workspaceId: '', envelope: { from: 'hello@acme.test', to: `r${n}@example.net` }, messageId: String(n), raw },
    control,
  )
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome))
}
const keys = await generateDkimKeys()
const key = importDkimKey(keys.rsa.privateKey, { algorithm: 'rsa-sha256', domain: 'acme.test', selector: 's' })
const ours = (n: number) => give(n, wireBytes(built(n)))
const oursSigned = async (n: number) => give(n, wireBytes(await signDkim(built(n), [key], new Date())))

const figures = { nodemailer: [] as number[], ours: [] as number[], signed: [] as number[] }
for (let round = 0; round < rounds; round++) {
  figures.nodemailer.push(await perSecond(viaNodemailer, connections))
  figures.ours.push(await perSecond(ours, connections))
  figures.signed.push(await perSecond(oursSigned, connections * 2))
}
await transport.close()
peer.close()
sink.kill()
const [theirs, plain, signed] = [median(figures.nodemailer), median(figures.ours), median(figures.signed)]
process.stdout.write(
  `smtp (11 KB, ${connections} connections): ours ${plain.toFixed(0)}/s, with DKIM ${signed.toFixed(0)}/s, nodemailer ${theirs.toFixed(0)}/s: ratio ${(plain / theirs).toFixed(2)} (at least 7), with DKIM ${(signed / theirs).toFixed(2)}\n`,
)
process.exit(0)
