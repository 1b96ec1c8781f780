// Mails handed over by SMTP and handed on a second, each on the disk before it is answered: our port of submission beside Debian's postfix
// (test/support/postfix.ts), the same client (socket-client.ts), the same mails of 11 KB, ten connections on, without a signature. In turns,
// medians. Run: bun test/bench/submission.ts [mails] [rounds]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../crash/server.ts'
import { startPostfix, unpackPostfix } from '../support/postfix.ts'
import { startSink } from '../support/smtp-sink.ts'
import { median } from './figures.ts'
import { serving } from './serve.ts'

const [mails = 2_000, rounds = 3] = process.argv.slice(2).map(Number)
const connections = 10
const domain = 'bench.example'
const paragraph = 'The quick brown fox jumps over the lazy dog, and then it writes a letter home about it. '
const letter = JSON.stringify({ html: `<p>Hello {{name}}</p>\n${`<p>${paragraph}</p>\n`.repeat(90)}`, text: paragraph })

const directory = mkdtempSync(join(tmpdir(), 'paquebot-submission-'))
using _ = { [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) }
await using sink = startSink({ keep: false })
const port = await freePort()
await using product = await serving({
  SMTP_URL: `${sink.url}?maxConnections=${connections}`,
  MAIL_FROM: `bench@${domain}`,
  SUBMISSION_PORT: String(port),
})
const auth = Buffer.from(`\0bench\0${product.apiKey}`).toString('base64')
const unpacked = await unpackPostfix(directory)
if ('missing' in unpacked) process.stdout.write(`postfix: left out, ${unpacked.missing}\n`)
await using peer =
  'missing' in unpacked
    ? null
    : await startPostfix(directory, { root: unpacked.root, relayPort: sink.port, connections })

interface Figures {
  accepted: number
  handedOn: number
}

async function measure(port: number, ...signIn: string[]): Promise<Figures> {
  const before = sink.count()
  const began = performance.now()
  const command = ['bun', join(import.meta.dir, 'socket-client.ts'), String(port), String(mails), domain, ...signIn]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit', stdin: new Blob([letter]) })
  const accepted = Number(await new Response(child.stdout).text())
  await sink.whenReceived(before + mails)
  return { accepted, handedOn: (mails / (performance.now() - began)) * 1_000 }
}

const figures: { ours: Figures[]; theirs: Figures[] } = { ours: [], theirs: [] }
let cpuSeconds = 0
for (let round = 0; round <= rounds; round++) {
  const cpuBefore = product.cpuSeconds()
  const ours = await measure(port, auth)
  const theirs = peer ? await measure(peer.port) : null
  // The first round warms up.
  if (round === 0) continue
  cpuSeconds += product.cpuSeconds() - cpuBefore
  figures.ours.push(ours)
  if (theirs) figures.theirs.push(theirs)
}
const of = (list: Figures[], what: keyof Figures) => median(list.map((one) => one[what])).toFixed(0)
const told = (list: Figures[]) => `${of(list, 'accepted')}/s accepted, ${of(list, 'handedOn')}/s handed on`
const beside = peer ? `; postfix ${told(figures.theirs)}` : ''
const cpuMs = ((cpuSeconds / (rounds * mails)) * 1_000).toFixed(2)
process.stdout.write(
  `submission (${mails} mails, ${connections} connections): ours ${told(figures.ours)}, ${cpuMs} ms of CPU a mail${beside}\n`,
)
