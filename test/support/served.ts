// The program itself, as often as said, on one libSQL server, with one workspace and a key of it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linesOf, until } from '../../tools/process.ts'
import type { Json } from './app.ts'
import { program } from './program.ts'
import { startSqld } from './sqld.ts'

/** `environment`: more settings. */
export async function servedBy(count: number, environment: Record<string, string> = {}) {
  const server = await startSqld()
  const cwd = mkdtempSync(join(tmpdir(), 'served-'))
  const command = await program()
  const env = {
    HOME: cwd,
    PATH: '/usr/bin:/bin',
    PORT: '0',
    LOG_LEVEL: 'error',
    MAIL_FROM: 'acme@example.com',
    DATABASE_URL: await server.freshUrl(),
    SECRET_KEY: 'of the tests, which share it, and which is long enough',
    ...environment,
  }
  const init = Bun.spawn([...command, 'init', '--workspace', 'acme', '--email', 'owner@acme.test', '--json'], {
    cwd,
    env,
    stderr: 'inherit',
  })
  const { apiKey } = (await new Response(init.stdout).json()) as { apiKey: string }
  const children = Array.from({ length: count }, () =>
    Bun.spawn([...command, 'serve'], { cwd, env, stdout: 'ignore', stderr: 'pipe' }),
  )
  const urls = await Promise.all(
    children.map(async ({ stderr }) => (await until(linesOf(stderr), /listening on (http\S+)/))[1] ?? ''),
  )
  return {
    urls,
    async request(url: string, method: string, path: string, body?: object) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGTERM')
      await Promise.all(children.map(({ exited }) => exited))
      server.stop()
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}
