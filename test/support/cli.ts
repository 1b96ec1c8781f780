// The command line as an operator meets it, over a data directory of its own. A command runs in this process by what main.ts calls: a
// process takes ten times as long to start as most commands to run.

import { rmSync } from 'node:fs'
import { runCommandLine } from '../../src/doors/cli/run.ts'
import type { Json } from './app.ts'
import { freshDatabaseUrl } from './database.ts'
import { freshDirectory } from './place.ts'
import { program } from './program.ts'

export interface Run {
  code: number
  out: string
  err: string
  /** What --json printed. */
  json: Json
}

export interface Server {
  /** From the line `listening on URL`. */
  url: string
  /** Everything said on stderr so far. */
  said(): string
  /** Resolves once a line on stderr matches. */
  whenSaid(pattern: RegExp): Promise<void>
  kill(signal: NodeJS.Signals): void
  ended: Promise<Run>
}

export interface Cli extends Disposable {
  directory: string
  /** A command that is not waited for. */
  begin(args: string[], environment?: Record<string, string>): Omit<Server, 'url'>
  run(args: string[], environment?: Record<string, string>): Promise<Run>
  /** The same as a process of its own: for what it reads from stdin, logs, or does with signals. */
  spawn(args: string[], options?: { environment?: Record<string, string>; stdin?: string }): Promise<Run>
  /** Resolves once `paquebot serve` listens on a free port. `through`: a program that runs it, with its arguments. */
  serve(environment?: Record<string, string>, flags?: string[], through?: string[]): Promise<Server>
}

export async function cli(): Promise<Cli> {
  const directory = freshDirectory()
  const base = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: directory,
    DATABASE_URL: await freshDatabaseUrl(directory),
    MAIL_FROM: 'Paquebot <paquebot@paquebot.localhost>',
  }
  const command = await program()
  const children: Bun.Subprocess[] = []
  const spawn = (args: string[], environment: Record<string, string> = {}, stdin = '', through: string[] = []) => {
    const child = Bun.spawn([...through, ...command, ...args], {
      env: { ...base, ...environment },
      stdin: new Blob([stdin]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    children.push(child)
    return child
  }
  const spawnAndWait: Cli['spawn'] = async (args, { environment, stdin } = {}) => {
    const child = spawn(args, environment, stdin)
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, out, err, json: parse(out) }
  }
  return {
    directory,
    spawn: spawnAndWait,
    async run(args, environment = {}) {
      // What it locked is free when its process ends.
      if (args[0] === 'serve') return await spawnAndWait(args, { environment })
      const said = { out: '', err: '' }
      const hear = (stream: 'out' | 'err') => (text: string) => {
        said[stream] += `${text}\n`
      }
      const code = await runCommandLine(args, {
        out: hear('out'),
        err: hear('err'),
        isTerminal: { out: false, err: false },
        environment: { ...base, ...environment },
      })
      return { code, ...said, json: parse(said.out) }
    },
    begin: (args, environment) => follow(spawn(args, environment)),
    async serve(environment = {}, flags = [], through = []) {
      const url = Promise.withResolvers<string>()
      const child = spawn(['serve', '--json', ...flags], { PORT: '0', ...environment }, '', through)
      const server = follow(child, (line) => {
        const listening = /^listening on (\S+)$/.exec(line)?.[1]
        if (listening) url.resolve(listening)
      })
      void server.ended.then(({ code, err }) =>
        url.reject(new Error(`serve ended with ${code} before it listened: ${err}`)),
      )
      return { ...server, url: await url.promise }
    },
    [Symbol.dispose]() {
      // A server left behind would go on working on the database, which the next test has on a libSQL server.
      for (const child of children) child.kill('SIGKILL')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** What a process says, as it says it. */
function follow(
  child: Bun.Subprocess<Blob, 'pipe', 'pipe'>,
  onLine: (line: string) => void = () => {},
): Omit<Server, 'url'> {
  let err = ''
  const waiting: { pattern: RegExp; resolve(): void }[] = []
  const reading = readLines(child.stderr, (line) => {
    err += `${line}\n`
    for (const one of waiting) if (one.pattern.test(line)) one.resolve()
    onLine(line)
  })
  return {
    said: () => err,
    whenSaid(pattern) {
      if (pattern.test(err)) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ pattern, resolve })
      return promise
    },
    kill: (signal) => child.kill(signal),
    ended: Promise.all([new Response(child.stdout).text(), child.exited, reading]).then(([out, code]) => ({
      code,
      out,
      err,
      json: parse(out),
    })),
  }
}

async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}

function parse(out: string): Json {
  try {
    return JSON.parse(out)
  } catch {
    return undefined
  }
}
