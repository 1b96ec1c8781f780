// Mails accepted and handed on a second, each on the disk before it is accepted: ours by HTTP, Debian's postfix by SMTP (test/support/postfix.ts),
// the same 11 KB mails, ten connections on; without a signature, and with one of ours (RSA-2048 and Ed25519) and of opendkim (RSA-2048).
// In turns, medians. Run: bun test/bench/postfix.ts [mails] [rounds]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostfix, unpackPostfix } from '../support/postfix.ts'
import { startSink } from '../support/smtp-sink.ts'
import { median } from './figures.ts'
import { httpLoad } from './http-load.ts'
import { serving } from './serve.ts'

const [mails = 2_000, rounds = 3] = process.argv.slice(2).map(Number)
const connections = 10
const domain = 'bench.example'
const paragraph = 'The quick brown fox jumps over the lazy dog, and then it writes a letter home about it. '
const content = [
  { type: 'heading', text: 'Hello {{name}}' },
  ...Array.from({ length: 8 }, () => ({ type: 'text', text: paragraph.repeat(6) })),
]

interface Figures {
  accepted: number
  handedOn: number
}

const directory = mkdtempSync(join(tmpdir(), 'paquebot-postfix-'))
const unpacked = await unpackPostfix(directory)
if ('missing' in unpacked) process.stdout.write(`postfix: left out, ${unpacked.missing}\n`)
else for (const isSigned of [false, true]) await compare(unpacked.root, isSigned)
rmSync(directory, { recursive: true, force: true })

async function compare(root: string, isSigned: boolean): Promise<void> {
  await using sink = startSink({ keep: false })
  const smtpUrl = `${sink.url}?maxConnections=${connections}`
  await using product = await serving({ SMTP_URL: smtpUrl, MAIL_FROM: `bench@${domain}` })
  if (isSigned) await product.post('/v1/sending-domains', { domain })
  await product.post('/v1/transactional/create', { id: 'letter', name: 'L', subject: 'Number {{n}}', content })
  const { data } = (await product.get('/v1/transactional')) as { data: { htmlBody: string; textBody: string }[] }
  const letter = { html: data[0]?.htmlBody ?? '', text: data[0]?.textBody ?? '' }
  const relaying = { root, relayPort: sink.port, connections, ...(isSigned ? { signs: domain } : {}) }
  await using peer = await startPostfix(directory, relaying)

  /** `accept` resolves with how many were accepted a second. */
  const measure = async (accept: () => Promise<number>): Promise<Figures> => {
    const before = sink.count()
    const began = performance.now()
    const accepted = await accept()
    await sink.whenReceived(before + mails)
    return { accepted, handedOn: (mails / (performance.now() - began)) * 1_000 }
  }
  const ours = async () => {
    const body = (n: number) => {
      const dataVariables = { name: `Reader ${n}`, n }
      return JSON.stringify({ email: `r${n}@example.net`, templateId: 'letter', dataVariables })
    }
    const headers = { authorization: `Bearer ${product.apiKey}` }
    const load = { url: product.url, path: '/v1/transactional/send', headers, body, inFlight: 64, requests: mails }
    return (await httpLoad(load)).perSecond
  }
  const theirs = async () => {
    const command = ['bun', join(import.meta.dir, 'socket-client.ts'), String(peer.port), String(mails), domain]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit', stdin: new Blob([JSON.stringify(letter)]) })
    return Number(await new Response(child.stdout).text())
  }
  const figures = { ours: [] as Figures[], theirs: [] as Figures[] }
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [await measure(ours), await measure(theirs)]
    // The first round warms up.
    if (round === 0) continue
    figures.ours.push(one)
    figures.theirs.push(other)
  }
  const of = (list: Figures[], what: keyof Figures) => median(list.map((one) => one[what]))
  const [own, peers] = [of(figures.ours, 'handedOn'), of(figures.theirs, 'handedOn')]
  process.stdout.write(
    `postfix (${mails} mails of ${Math.round(letter.html.length / 1_000)} KB, ${isSigned ? 'signed' : 'not signed'}, ${connections} connections): ours ${of(figures.ours, 'accepted').toFixed(0)}/s accepted, ${own.toFixed(0)}/s handed on; postfix${isSigned ? ' with opendkim' : ''} ${of(figures.theirs, 'accepted').toFixed(0)}/s accepted, ${peers.toFixed(0)}/s handed on: ratio ${(own / peers).toFixed(2)}\n`,
  )
}
