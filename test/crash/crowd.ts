// `serve` in a crowd: thousands of connections that are opened and say nothing, half of a request, or something once and nothing more, at
// the port for HTTP and at those for mail. Whoever comes beside them is answered at once, and when they are gone all is as before.
// Run: bun test/crash/crowd.ts --http 10000 --smtp 1000

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryMiB } from '../support/process-memory.ts'
import { smtpClient } from '../support/smtp-client.ts'
import { command, freePort, serve } from './server.ts'

export const maxMs = 200
const looks = 100
/** At the same time: more would wait for each other in the queue of the kernel. */
const openedAtOnce = 200

export interface Crowd {
  http: number
  smtp: number
}

export interface CrowdResult {
  /** Of HTTP those that were open while others were served; of SMTP those that were let in. */
  open: { http: number; smtp: number }
  /** What /healthz took, over a connection of its own each time, in milliseconds. */
  median: number
  worst: number
  /** How long the thread that serves worked for it at most: what a busy machine adds is not in it. */
  workedMs: number
  rssMiB: number
  /** Files of the process that are left open when they are gone, beyond those before. */
  leftOpen: number
  mailTaken: boolean
}

/** What a caller says before it falls silent. */
const beginnings = (host: string) => [
  '',
  'G',
  `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`,
  `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `POST /v1/contacts/create HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
]

export async function crowd({ http, smtp }: Crowd): Promise<CrowdResult> {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-crowd-'))
  const [port, inbound, submission] = [await freePort(), await freePort(), await freePort()]
  const environment = {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(port),
    INBOUND_DOMAIN: 'in.example.net',
    INBOUND_SMTP_PORT: String(inbound),
    SUBMISSION_PORT: String(submission),
    LOG_LEVEL: 'error',
  }
  await command(environment, 'init', '--workspace', 'crowd', '--email', 'a@example.com')
  await command(environment, 'mailbox', 'create', '--workspace', 'crowd', '--address', 'desk@in.example.net')
  const server = await serve(environment)
  // What it opens once, it has open then.
  for (let n = 0; n < 20; n++) await ask(port)
  await takesMail(inbound)
  const filesBefore = filesOf(server.pid)
  const words = beginnings(`127.0.0.1:${port}`)
  const callers = await openAll(http, (n) => ({ port, from: '127.0.0.1', says: words[n % words.length] ?? '' }))
  // Of so many networks that each may have a connection of the reserve.
  const mailers = await openAll(smtp, (n) => ({ port: n % 2 ? inbound : submission, from: address(n), says: '' }))
  const { took, workedMs } = await look(port, server.pid)
  const rssMiB = memoryMiB(server.pid)
  const open = { http: callers.filter(isOpen).length, smtp: mailers.filter(isOpen).length }
  for (const socket of [...callers, ...mailers]) socket.destroy()
  const leftOpen = (await filesLeft(server.pid, port, filesBefore)) - filesBefore
  const mailTaken = await takesMail(inbound)
  server.kill('SIGTERM')
  await server.exited
  rmSync(directory, { recursive: true })
  const sorted = took.toSorted((one, other) => one - other)
  return {
    ...{
      open,
      median: sorted[sorted.length >> 1] ?? 0,
      worst: sorted.at(-1) ?? 0,
      workedMs,
      rssMiB,
      leftOpen,
      mailTaken,
    },
  }
}

/** 127.x.y.1: a /24 of its own for each ten connections. */
const address = (n: number) => `127.${1 + Math.floor(n / 2_500)}.${Math.floor(n / 10) % 250}.1`

const isOpen = ({ closed, readyState }: Socket) => !closed && readyState === 'open'

async function openAll(
  count: number,
  what: (n: number) => { port: number; from: string; says: string },
): Promise<Socket[]> {
  const sockets: Socket[] = []
  let next = 0
  const open = async () => {
    while (next < count) {
      const { port, from, says } = what(next++)
      const socket = connect({ port, host: '127.0.0.1', localAddress: from })
      socket.on('error', () => {})
      socket.resume()
      await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()))
      if (says !== '') socket.write(says)
      sockets.push(socket)
    }
  }
  await Promise.all(Array.from({ length: openedAtOnce }, open))
  return sockets
}

async function look(port: number, pid: number): Promise<{ took: number[]; workedMs: number }> {
  const took: number[] = []
  let most = 0
  for (let n = 0; n < looks; n++) {
    const [at, worked] = [performance.now(), workedBy(pid)]
    await ask(port)
    took.push(performance.now() - at)
    most = Math.max(most, workedBy(pid) - worked)
  }
  return { took, workedMs: most }
}

/** Of its first thread, in milliseconds; 0 where the system does not tell. */
function workedBy(pid: number): number {
  const path = `/proc/${pid}/task/${pid}/schedstat`
  return existsSync(path) ? Number(readFileSync(path, 'latin1').split(' ')[0]) / 1e6 : 0
}

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

/** How many files it has open, once that is no more than `most`, or after some hundred answers. */
async function filesLeft(pid: number, port: number, most: number): Promise<number> {
  for (let n = 0; n < 500 && filesOf(pid) > most; n++) await ask(port)
  return filesOf(pid)
}

async function ask(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } })
  if (response.status !== 200) throw new Error(`/healthz answered ${response.status}`)
  await response.arrayBuffer()
}

async function takesMail(port: number): Promise<boolean> {
  using client = await smtpClient(port)
  await client.toData('desk@in.example.net')
  client.write('From: a@example.net\r\nSubject: Hello\r\n\r\nHello\r\n.\r\n')
  return (await client.reply()).startsWith('250')
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { http: { type: 'string' }, smtp: { type: 'string' } } })
  const result = await crowd({ http: Number(values.http ?? 10_000), smtp: Number(values.smtp ?? 1_000) })
  const { open, median, worst, workedMs, rssMiB, leftOpen, mailTaken } = result
  process.stdout.write(
    `crowd: ${open.http} idle connections of HTTP and ${open.smtp} of mail: /healthz ${median.toFixed(1)} ms in the median, ${worst.toFixed(1)} at most (at most ${maxMs}), of which the server worked ${workedMs.toFixed(1)}; memory ${rssMiB.toFixed(0)} MiB; ${leftOpen} files left open\n`,
  )
  process.exit(worst <= maxMs && mailTaken && leftOpen <= 0 ? 0 : 1)
}
