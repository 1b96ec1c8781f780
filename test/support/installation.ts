// What a walk through the dashboard goes through: an app of the checkout, or, for `bun run test:browser`, the single binary as a process
// in an empty folder. A walk knows neither: it has the API, the browser, and the servers around it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import type { TrustLevel } from '../../db/tables/workspaces.ts'
import { parseDuration } from '../../src/kit/duration.ts'
import { linesOf, until } from '../../tools/process.ts'
import { testApp } from './app.ts'
import { type Arrangements, arrangementsBy } from './arrange.ts'
import { type Calls, callsTo, type Json } from './calls.ts'
import { trust } from './campaign.ts'

/** The binary that walks go through, if they do. */
const binary = process.env.BROWSER_TESTS_BINARY

/** False where time is that of the machine, and names are asked of its own name server. */
export const isCheckout = binary === undefined

export interface Installation extends Calls, Arrangements, AsyncDisposable {
  url: string
  apiKey: string
  /** Of the owner. */
  sessionCookie: string
  /** Ends when nothing is due, and nothing falls due within the duration (`10s`); an app of the checkout moves its clock on by it. */
  advance(duration: string): Promise<void>
  /** Ends when nothing is due. */
  settle(): Promise<void>
}

interface Options {
  trustLevel?: TrustLevel
  environment?: Record<string, string>
}

/** The workspace is `acme`, named Acme. */
export async function openInstallation({ trustLevel = 'M2', environment = {} }: Options = {}): Promise<Installation> {
  if (binary !== undefined) return await startBinary(binary, trustLevel, environment)
  const t = await testApp({ environment })
  await trust(t, trustLevel)
  return t
}

const longestWaitMs = 30_000
const lookEveryMs = 50

/** One that nobody has an account of yet; `setUpUrl` is the link that it prints. A process from the checkout, too. */
export async function openEmpty(): Promise<{ setUpUrl: string } & AsyncDisposable> {
  const program = binary === undefined ? [process.execPath, join(import.meta.dir, '../../src/main.ts')] : [binary]
  const { found, stop } = await serve(program, folder(), /set up the dashboard: (\S+)/)
  return { setUpUrl: found, [Symbol.asyncDispose]: stop }
}

function folder(environment: Record<string, string> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'paquebot-walk-'))
  const basics = { HOME: cwd, PATH: '/usr/bin:/bin', PORT: '0', LOG_LEVEL: 'error', MAIL_FROM: 'acme@example.com' }
  return { cwd, env: { ...basics, ...environment } }
}

/** Serves until `stop`; `found` is what it said that matches. */
async function serve(program: string[], { cwd, env }: ReturnType<typeof folder>, pattern: RegExp) {
  const child = Bun.spawn([...program, 'serve'], { cwd, env, stdout: 'ignore', stderr: 'pipe' })
  const [, found = ''] = await until(linesOf(child.stderr), pattern)
  const stop = async () => {
    child.kill('SIGTERM')
    const code = await child.exited
    rmSync(cwd, { recursive: true, force: true })
    if (code !== 0) throw new Error(`the server ended with ${code}`)
  }
  return { found, stop }
}

async function startBinary(
  program: string,
  trustLevel: TrustLevel,
  environment: Record<string, string>,
): Promise<Installation> {
  const place = folder(environment)
  const owner = ['--email', 'owner@acme.test', '--trust', trustLevel]
  const init = Bun.spawn([program, 'init', '--workspace', 'acme', '--name', 'Acme', ...owner, '--json'], place)
  const { apiKey, loginLink } = (await new Response(init.stdout).json()) as { apiKey: string; loginLink: string }
  const { found: url, stop } = await serve([program], place, /listening on (http\S+)/)
  const signedIn = await fetch(url + new URL(loginLink).pathname, { method: 'POST', redirect: 'manual' })
  const [sessionCookie = ''] = signedIn.headers.get('set-cookie')?.split(';') ?? []
  const calls = callsTo(url, { apiKey, sessionCookie })
  const advance = async (duration: string) => {
    const ms = parseDuration(duration)
    if (ms === null || ms > longestWaitMs) throw new Error(`the time of the machine cannot be moved by ${duration}`)
    const until = Date.now() + ms
    const isDue = ({ state, dueAt }: Json) => state === 'running' || Date.parse(dueAt) <= until
    const jobsIn = async (state: string) => (await calls.get(`/v1/jobs?state=${state}&perPage=100`, 200)).data
    let quietLooks = 0
    for await (const _ of setInterval(lookEveryMs)) {
      // Between its two questions a job may begin, which the next look sees; what runs may leave something due behind.
      const open = [...(await jobsIn('running')), ...(await jobsIn('pending'))]
      quietLooks = open.some(isDue) ? 0 : quietLooks + 1
      if (quietLooks === 2) return
    }
  }
  return {
    url,
    apiKey,
    sessionCookie,
    ...calls,
    ...arrangementsBy(calls),
    advance,
    settle: () => advance('0s'),
    [Symbol.asyncDispose]: stop,
  }
}
