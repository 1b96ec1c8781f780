// A real SMTP server for tests: fast, keeps what it gets, and answers, keeps silent or cuts the line where it is told to.
// As its own process (`bun smtp-sink.ts --port 0 --file F --fsync`) it writes a line per message and fsyncs before it answers.

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Socket } from 'bun'

export type SinkStage = 'banner' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

interface Received {
  from: string
  to: string[]
  /** After un-stuffing. */
  raw: Buffer
}

/** `banner`: it was said. `body`: a part of the mail has come; `whole`: all of it but the final dot. `dot`: it was taken, and not answered. */
export type SinkStep = 'connect' | 'banner' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'body' | 'whole' | 'dot' | 'quit'

/** What to say at a stage: a reply, `silent` for none at all, `cut` to close the connection instead, or the usual reply in drips. */
export type Answer = string | 'silent' | 'cut' | Drip

/** A byte of the reply each `everyMs`; what is left of it at once when `over` resolves. */
interface Drip {
  everyMs: number
  over: Promise<void>
}

export interface SinkOptions {
  /**
   * `nth` counts the messages (at `banner` and `ehlo`, the connections) from 0; `to` is known at MAIL from a client that pipelines.
   */
  answer?: (stage: SinkStage, nth: number, session: { to: string }) => Answer | undefined | Promise<Answer | undefined>
  pipelining?: boolean
  /** Offers AUTH PLAIN; any password will do unless `answer` says no. */
  auth?: boolean
  /** Closes after the whole body but before reading the final dot of messages of which this is true. */
  cutInBody?: boolean
  keep?: boolean
  /** Called at each step of each connection, which goes on when that has ended. A command has come, and was not answered. */
  onStep?: (step: SinkStep) => Promise<void>
  onMessage?: (message: Received) => void
  port?: number
  /** Default: 127.0.0.1. */
  hostname?: string
}

export interface Sink extends AsyncDisposable {
  port: number
  url: string
  received: Received[]
  /** From which addresses clients connected. */
  callers: string[]
  /** What clients called themselves. */
  greetings: string[]
  /** Messages taken, also when they are not kept. */
  count(): number
  connections(): number
  /** Resolves when `count` messages were taken. */
  whenReceived(count: number): Promise<void>
  stop(): void
}

interface Session {
  buffered: Buffer
  inData: boolean
  /** What came of a mail that has not ended, but for `buffered`, in which its end may begin. */
  body: Buffer[]
  from: string
  to: string[]
  /** What the client said of the mail's size; 0: nothing. */
  sizeBytes: number
  busy: boolean
}

const usual: Record<SinkStage, string> = {
  banner: '220 sink ESMTP',
  ehlo: '250 HELP',
  auth: '235 2.7.0 welcome',
  mail: '250 2.1.0 ok',
  rcpt: '250 2.1.5 ok',
  data: '354 go ahead',
  dot: '250 2.0.0 queued',
}

const steps: Record<string, SinkStep> = { EHLO: 'ehlo', MAIL: 'mail', RCPT: 'rcpt', DATA: 'data', QUIT: 'quit' }

const dataEnd = Buffer.from('\r\n.\r\n')

export function startSink(options: SinkOptions = {}): Sink {
  const { answer, pipelining = true, auth = false, keep = true, cutInBody = false, onStep, onMessage } = options
  const received: Received[] = []
  const callers: string[] = []
  const greetings: string[] = []
  const waiters: { count: number; resolve: () => void }[] = []
  let messages = 0
  let connections = 0
  let attempts = 0

  const reply = async (socket: Socket<Session>, stage: SinkStage, nth: number): Promise<boolean> => {
    const { to: recipients, buffered } = socket.data
    const next = stage === 'mail' ? (/^RCPT TO:<([^>]*)>/i.exec(buffered.toString('latin1'))?.[1] ?? '') : ''
    const scripted = answer?.(stage, nth, { to: recipients.at(-1) ?? next })
    const said = (scripted instanceof Promise ? await scripted : scripted) ?? usual[stage]
    if (typeof said === 'object') {
      await drip(socket, usual[stage], said)
      return true
    }
    if (said === 'cut') {
      socket.terminate()
      return false
    }
    // A server that says nothing also does nothing more.
    if (said === 'silent') return new Promise(() => {})
    socket.write(`${said}\r\n`)
    if (said.startsWith('421')) socket.end()
    return /^[23]/.test(said)
  }

  const greet = async (socket: Socket<Session>, nth: number): Promise<void> => {
    if (onStep) await onStep('connect')
    if ((await reply(socket, 'banner', nth)) && onStep) await onStep('banner')
  }

  const take = (session: Session, raw: Buffer) => {
    messages++
    const message = { from: session.from, to: session.to, raw }
    if (keep) received.push(message)
    onMessage?.(message)
    for (const waiter of waiters) if (messages >= waiter.count) waiter.resolve()
  }

  const command = async (socket: Socket<Session>, line: string): Promise<void> => {
    const session = socket.data
    const verb = line.slice(0, 4).toUpperCase()
    const step = steps[verb]
    if (onStep && step !== undefined) await onStep(step)
    if (verb === 'EHLO') {
      greetings.push(line.slice(5))
      const said = answer?.('ehlo', connections - 1, { to: '' })
      if (said !== undefined) await reply(socket, 'ehlo', connections - 1)
      else
        socket.write(
          `250-sink\r\n${pipelining ? '250-PIPELINING\r\n' : ''}${auth ? '250-AUTH PLAIN\r\n' : ''}250-ENHANCEDSTATUSCODES\r\n250 SIZE 52428800\r\n`,
        )
    } else if (verb === 'HELO') socket.write('250 sink\r\n')
    else if (verb === 'AUTH') await reply(socket, 'auth', connections - 1)
    else if (verb === 'MAIL') {
      attempts++
      session.from = /<([^>]*)>/.exec(line)?.[1] ?? ''
      session.to = []
      session.sizeBytes = Number(/ SIZE=(\d+)/i.exec(line)?.[1] ?? 0)
      if (!(await reply(socket, 'mail', attempts - 1))) session.from = ''
    } else if (verb === 'RCPT') {
      const to = /<([^>]*)>/.exec(line)?.[1] ?? ''
      session.to.push(to)
      if (!(await reply(socket, 'rcpt', attempts - 1))) session.to.pop()
    } else if (verb === 'DATA') {
      if (session.to.length === 0 && !answer?.('data', attempts - 1, { to: '' }))
        socket.write('554 5.5.1 no valid recipients\r\n')
      else session.inData = await reply(socket, 'data', attempts - 1)
    } else if (verb === 'RSET' || verb === 'NOOP') socket.write('250 ok\r\n')
    else if (verb === 'QUIT') socket.end('221 bye\r\n')
    else socket.write('502 what?\r\n')
  }

  /** Handles what is buffered, one command or message after the other. */
  const work = async (socket: Socket<Session>): Promise<void> => {
    const session = socket.data
    if (session.busy) return
    session.busy = true
    for (;;) {
      if (session.inData) {
        if (cutInBody && session.buffered.length > 0) {
          socket.terminate()
          break
        }
        const end = session.buffered.indexOf(dataEnd)
        if (end < 0) {
          const { length } = session.buffered
          const bytes = session.body.reduce((sum, piece) => sum + piece.length, length)
          if (onStep && bytes > 0) await onStep(bytes < session.sizeBytes ? 'body' : 'whole')
          // More may have come meanwhile.
          if (session.buffered.length > length) continue
          const sure = Math.max(0, session.buffered.length - dataEnd.length)
          session.body.push(session.buffered.subarray(0, sure))
          session.buffered = session.buffered.subarray(sure)
          break
        }
        const raw = unstuffed(Buffer.concat([...session.body, session.buffered.subarray(0, end + 2)]))
        session.body = []
        session.buffered = session.buffered.subarray(end + dataEnd.length)
        session.inData = false
        const scripted = answer?.('dot', attempts - 1, { to: session.to.at(-1) ?? '' })
        const said = (scripted instanceof Promise ? await scripted : scripted) ?? usual.dot
        if (typeof said === 'object') {
          take(session, raw)
          await drip(socket, usual.dot, said)
          continue
        }
        if (!/^[45]/.test(said)) take(session, raw)
        if (onStep) await onStep('dot')
        if (said === 'cut') socket.terminate()
        else if (said !== 'silent') socket.write(`${said}\r\n`)
        if (said.startsWith('421')) socket.end()
        continue
      }
      const end = session.buffered.indexOf('\r\n')
      if (end < 0) break
      const line = session.buffered.subarray(0, end).toString('latin1')
      session.buffered = session.buffered.subarray(end + 2)
      await command(socket, line)
    }
    session.busy = false
  }

  const server = Bun.listen<Session>({
    hostname: options.hostname ?? '127.0.0.1',
    port: options.port ?? 0,
    socket: {
      open(socket) {
        connections++
        callers.push(socket.remoteAddress)
        socket.data = {
          buffered: Buffer.alloc(0),
          inData: false,
          from: '',
          to: [],
          sizeBytes: 0,
          body: [],
          busy: false,
        }
        void greet(socket, connections - 1)
      },
      data(socket, chunk) {
        const { data: session } = socket
        session.buffered = session.buffered.length === 0 ? Buffer.from(chunk) : Buffer.concat([session.buffered, chunk])
        void work(socket)
      },
      error() {},
    },
  })

  return {
    port: server.port,
    url: `smtp://127.0.0.1:${server.port}`,
    received,
    callers,
    greetings,
    count: () => messages,
    connections: () => connections,
    whenReceived(count) {
      if (messages >= count) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiters.push({ count, resolve })
      return promise
    },
    stop: () => server.stop(true),
    async [Symbol.asyncDispose]() {
      server.stop(true)
    },
  }
}

async function drip(socket: Socket<Session>, reply: string, { everyMs, over }: Drip): Promise<void> {
  const bytes = [...`${reply}\r\n`]
  const timer = setInterval(() => socket.write(bytes.shift() ?? ''), everyMs)
  await over
  clearInterval(timer)
  socket.write(bytes.join(''))
}

function unstuffed(data: Buffer): Buffer {
  if (data[0] !== 0x2e && !data.includes('\r\n.')) return Buffer.from(data)
  return Buffer.from(data.toString('latin1').replace(/(^|\r\n)\.\./g, '$1.'), 'latin1')
}

if (import.meta.main) {
  const options = { port: { type: 'string' }, file: { type: 'string' }, fsync: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  const file = values.file === undefined ? null : openSync(values.file, 'a')
  const sink = startSink({
    port: Number(values.port ?? 0),
    keep: false,
    onMessage({ raw, to }) {
      if (file === null) return
      const id = /^Message-ID: *<([^>]*)>/im.exec(raw.subarray(0, 4_000).toString('latin1'))?.[1] ?? '?'
      writeSync(file, `${id} ${to.join(',')}\n`)
      if (values.fsync) fdatasyncSync(file)
    },
  })
  process.stdout.write(`listening on ${sink.port}\n`)
  process.on('SIGTERM', () => {
    if (file !== null) closeSync(file)
    process.exit(0)
  })
}
