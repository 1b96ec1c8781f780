// The README's first command, in an empty data directory.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test('first-mail sends a mail that is captured, and says where to look and with which key', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-first-'))
  const script = join(import.meta.dir, '../docs/first-mail.ts')
  const env = { PATH: process.env.PATH ?? '', HOME: directory, DATA_DIR: directory, PORT: '0' }
  const run = async () => {
    const child = Bun.spawn([process.execPath, script, '--exit'], {
      env,
      cwd: directory,
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const output = await new Response(child.stdout).text()
    return { output, code: await child.exited }
  }
  const first = await run()
  expect(first.code).toBe(0)
  expect(first.output).toContain('Sent: "Welcome aboard, Ada" to ada@example.net')
  expect(first.output).toMatch(/^ {2}API key {10}pqk_\w{38}$/m)
  expect(first.output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/login\/[\w-]{43}\?to=\/dashboard\/acme\/captured\/1\n/)
  const again = await run()
  expect(again.code).toBe(1)
  expect(again.output).toContain('key create --workspace acme')
  rmSync(directory, { recursive: true, force: true })
})
