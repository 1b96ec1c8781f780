// E-mails a second of a whole campaign: snapshot, guardrails, rendering, hand-over to a sink, ledger; for 20,000 recipients of an 11 KB
// mail, beside a nodemailer pool of 10 (nodemailer.ts) and a bare socket client (socket-client.ts) that send the same; then signed, beside
// the signatures that Bun makes alone (rsa.ts). In turns, medians.
// One to a million is part of million.ts. Run: bun test/bench/campaign.ts [--people 20000] [--rounds 3]

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSink } from '../support/smtp-sink.ts'
import { seedAudience } from './audience.ts'
import { median } from './figures.ts'
import { type Serving, serving } from './serve.ts'

const { values } = parseArgs({ options: { people: { type: 'string' }, rounds: { type: 'string' } } })
const people = Number(values.people ?? 20_000)
const rounds = Number(values.rounds ?? 3)
const main = join(import.meta.dir, '../../src/main.ts')

const paragraph = 'The quick brown fox jumps over the lazy dog, and then it writes a letter home about it. '
const content = [
  { type: 'heading', text: 'Hello {{contact.firstName}}' },
  ...Array.from({ length: 8 }, () => ({ type: 'text', text: paragraph.repeat(6) })),
]

const sink = startSink({ keep: false })

function prepare(lists: number[]) {
  return (directory: string) => {
    const cap = ['workspace', 'set-trust', '--workspace', 'bench', '--level', 'M1', '--cap', '999999999']
    Bun.spawnSync(['bun', main, ...cap], { env: { ...process.env, DATA_DIR: directory } })
    for (const [index, size] of lists.entries()) seedAudience(directory, size, `lst_${index}`)
  }
}

async function sendTo(product: Serving, list: string): Promise<string> {
  const body = { name: list, subject: 'For {{contact.firstName}}', mailingListId: list, content }
  const { id } = (await product.post('/v1/campaigns', body)) as { id: string }
  await product.post(`/v1/campaigns/${id}/send`, {})
  return id
}

async function theirs(file: string): Promise<number> {
  const peer = Bun.spawn(['bun', join(import.meta.dir, file), String(sink.port), String(people / 4)], {
    stdout: 'pipe',
    stderr: 'inherit',
    stdin: new Blob([JSON.stringify(letter)]),
  })
  return Number(await new Response(peer.stdout).text())
}

/** What our own renderer makes of the content, so that all send the same bytes. */
let letter = { html: '', text: '' }

async function compare(): Promise<void> {
  const lists = Array.from({ length: rounds + 1 }, () => people)
  await using product = await serving({ SMTP_URL: sink.url, MAIL_FROM: 'bench@paquebot.localhost' }, prepare(lists))
  await product.post('/v1/transactional/create', { id: 'letter', name: 'L', subject: 'L', content })
  const { data } = (await product.get('/v1/transactional')) as { data: { htmlBody: string; textBody: string }[] }
  letter = { html: data[0]?.htmlBody ?? '', text: data[0]?.textBody ?? '' }
  const figures = {
    ours: [] as number[],
    mainUs: [] as number[],
    cpuUs: [] as number[],
    nodemailer: [] as number[],
    socket: [] as number[],
  }
  for (let round = 0; round <= rounds; round++) {
    const before = sink.count()
    const began = performance.now()
    const [main, cpu] = [product.mainSeconds(), product.cpuSeconds()]
    const id = await sendTo(product, `lst_${round}`)
    await sink.whenReceived(before + people)
    await ended(product, id)
    const rate = (people / (performance.now() - began)) * 1_000
    // The first round warms up.
    if (round === 0) continue
    figures.ours.push(rate)
    figures.mainUs.push(((product.mainSeconds() - main) / people) * 1e6)
    figures.cpuUs.push(((product.cpuSeconds() - cpu) / people) * 1e6)
    figures.nodemailer.push(await theirs('nodemailer.ts'))
    figures.socket.push(await theirs('socket-client.ts'))
  }
  const [ours, peer, socket] = [median(figures.ours), median(figures.nodemailer), median(figures.socket)]
  process.stdout.write(
    `campaign (${people} recipients, ${Math.round(letter.html.length / 1_000)} KB of HTML): ${ours.toFixed(0)}/s from send to sent over the default pool of 20; nodemailer pool of 10 ${peer.toFixed(0)}/s: ratio ${(ours / peer).toFixed(2)} (at least 3); bare socket ${socket.toFixed(0)}/s: share ${(ours / socket).toFixed(2)}; ${median(figures.mainUs).toFixed(0)} us of the main thread a mail, ${median(figures.cpuUs).toFixed(0)} us of all; ${product.rssMiB().toFixed(0)} MiB\n`,
  )
}

/** The same campaign with a signing domain, beside the signatures a second that Bun makes on all cores and does nothing else. */
async function signed(): Promise<void> {
  const lists = Array.from({ length: rounds + 1 }, () => people / 4)
  const environment = { SMTP_URL: sink.url, MAIL_FROM: 'bench@bench.example' }
  await using product = await serving(environment, prepare(lists), { countStatements: true })
  await product.post('/v1/sending-domains', { domain: 'bench.example' })
  const figures = { ours: [] as number[], rsa: [] as number[], statements: [] as number[], commits: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const before = { arrived: sink.count(), ...(await product.counted()) }
    const began = performance.now()
    const id = await sendTo(product, `lst_${round}`)
    await sink.whenReceived(before.arrived + people / 4)
    const rate = (people / 4 / (performance.now() - began)) * 1_000
    await ended(product, id)
    const after = await product.counted()
    if (round === 0) continue
    figures.ours.push(rate)
    figures.statements.push((after.statements - before.statements) / (people / 4))
    figures.commits.push((after.commits - before.commits) / (people / 4))
    figures.rsa.push(await alone('rsa.ts', String(people / 4)))
  }
  const [ours, rsa] = [median(figures.ours), median(figures.rsa)]
  process.stdout.write(
    `campaign, signed (RSA-2048 and Ed25519): ${ours.toFixed(0)}/s; Bun makes ${rsa.toFixed(0)} RSA signatures a second: ratio ${(ours / rsa).toFixed(2)} (at least 0.7); a mail makes ${median(figures.statements).toFixed(2)} statements and ${median(figures.commits).toFixed(3)} commits\n`,
  )
}

async function alone(file: string, ...args: string[]): Promise<number> {
  const peer = Bun.spawn(['bun', join(import.meta.dir, file), ...args], { stdout: 'pipe', stderr: 'inherit' })
  return Number(await new Response(peer.stdout).text())
}

async function ended(product: Serving, id: string): Promise<void> {
  for (;;) {
    const { status } = (await product.get(`/v1/campaigns/${id}`)) as { status: string }
    if (status === 'sent') return
    await Bun.sleep(20)
  }
}

await compare()
await signed()
sink.stop()
process.exit(0)
