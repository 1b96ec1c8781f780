// The product as a process of its own, for benches: `serve` on a fresh database, an API key and what the process costs.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linesOf, until } from '../../tools/process.ts'
import { memoryMiB } from '../support/process-memory.ts'

const main = join(import.meta.dir, '../../src/main.ts')
const loopProbe = join(import.meta.dir, 'loop-probe.ts')
const statementProbe = join(import.meta.dir, 'statement-probe.ts')
const statementRecorder = join(import.meta.dir, 'statement-recorder.ts')

export interface Serving extends AsyncDisposable {
  url: string
  apiKey: string
  directory: string
  /** From the start of the process to its first answer of /readyz. */
  readyMs: number
  rssMiB(): number
  /** Without what is mapped from files. */
  ownMiB(): number
  /** Of all its threads, since its start. */
  cpuSeconds(): number
  /** Of the thread that runs the program; the others collect garbage, sign and sync. */
  mainSeconds(): number
  /** The longest block of its event loop since the last time this was asked; of a server that was started with `watchLoop`. */
  longestBlockMs(): Promise<number>
  /** Of its file, since its start; of a server that was started with `countStatements`. */
  counted(): Promise<Counted>
  /** Begins to record what it runs on its file; the second time the path of what was recorded. Of one started with `recordStatements`. */
  recorded(): Promise<string>
  /** Ends it, in order unless it is killed; its directory stays for another one (`again`). */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  post(path: string, body: unknown): Promise<unknown>
  get(path: string): Promise<unknown>
}

export interface Counted {
  statements: number
  commits: number
}

export interface ServingOptions {
  watchLoop?: boolean
  countStatements?: boolean
  recordStatements?: boolean
  /** Another process, whose database this one shares. */
  joining?: Serving
  /** One that was stopped: this one goes on with its directory. */
  again?: Serving
  /** What is started, with its arguments; default is the checkout. */
  program?: string[]
}

/** Makes the installation. Returns the API key. */
async function initialised(env: Record<string, string | undefined>): Promise<string> {
  const command = ['bun', main, 'init', '--workspace', 'bench', '--email', 'a@example.com', '--json']
  const init = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'inherit' })
  return (await new Response(init.stdout).json()).apiKey
}

export async function serving(
  environment: Record<string, string> = {},
  prepare: (directory: string) => void | Promise<void> = () => {},
  {
    watchLoop = false,
    countStatements = false,
    recordStatements = false,
    joining,
    again,
    program,
  }: ServingOptions = {},
): Promise<Serving> {
  const directory = again?.directory ?? mkdtempSync(join(tmpdir(), 'paquebot-bench-'))
  const env = { ...process.env, DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'error', ...environment }
  const apiKey = (joining ?? again)?.apiKey ?? (await initialised(env))
  await prepare(directory)
  const began = performance.now()
  const [probe = null] = [
    ...(watchLoop ? [loopProbe] : []),
    ...(countStatements ? [statementProbe] : []),
    ...(recordStatements ? [statementRecorder] : []),
  ]
  const asked: ((answer: unknown) => void)[] = []
  const child = Bun.spawn([...(program ?? ['bun', ...(probe ? ['--preload', probe] : []), main]), 'serve'], {
    env,
    stdout: 'ignore',
    stderr: 'pipe',
    ...(probe ? { ipc: (answer: unknown) => asked.shift()?.(answer) } : {}),
  })
  const ask = <T>(): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    asked.push(resolve)
    child.send('tell')
    return promise as Promise<T>
  }
  const url = (await until(linesOf(child.stderr), /listening on (http\S+)/))[1] ?? ''
  await fetch(`${url}/readyz`)
  const readyMs = performance.now() - began
  return {
    url,
    apiKey,
    directory,
    readyMs,
    rssMiB: () => memoryMiB(child.pid),
    ownMiB: () => memoryMiB(child.pid, 'RssAnon'),
    cpuSeconds: () => cpuSecondsOf(child.pid),
    mainSeconds: () => cpuSecondsOf(`${child.pid}/task/${child.pid}`),
    longestBlockMs: () => ask<number>(),
    counted: () => ask<Counted>(),
    recorded: () => ask<string>(),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await child.exited
    },
    async post(path, body) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
      return await response.json()
    },
    async get(path) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
      return await response.json()
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Processor time of a process, or of one thread (`PID/task/TID`), in user and system mode. */
export function cpuSecondsOf(pid: number | string): number {
  const [, ...fields] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
  const [user, system] = (fields[0] ?? '').split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) / 100
}

/** Another file of test/bench as a process that says where it listens. */
export async function child(file: string, ...args: string[]): Promise<{ url: string } & Disposable> {
  const process = Bun.spawn(['bun', join(import.meta.dir, file), ...args], { stdout: 'pipe', stderr: 'inherit' })
  const url = (await until(linesOf(process.stdout), /listening on (\S+)/))[1] ?? ''
  return { url, [Symbol.dispose]: () => process.kill('SIGKILL') }
}
