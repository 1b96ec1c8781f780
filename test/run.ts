// All checks, in order: types, format and lint, the tests on a file, the tests on a libSQL server. The last line counts them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bun = process.execPath
const directory = mkdtempSync(join(tmpdir(), 'paquebot-run-'))
let passed = 0
let failed = 0

async function run(title: string, command: string[], environment: Record<string, string> = {}): Promise<number> {
  process.stdout.write(`\n== ${title}\n`)
  const child = Bun.spawn(command, { env: { ...process.env, ...environment }, stdout: 'inherit', stderr: 'inherit' })
  return await child.exited
}

/** A step that passes or fails as one. */
async function step(title: string, command: string[]): Promise<void> {
  if ((await run(title, command)) === 0) passed++
  else failed++
}

/** A run of the tests, counted one by one. A runner that ends without counts is a failure of its own. */
async function tests(title: string, environment: Record<string, string>): Promise<void> {
  const report = join(directory, `${title.replaceAll(/\W+/g, '-')}.xml`)
  const command = [bun, 'test', '--timeout=60000', '--reporter=junit', `--reporter-outfile=${report}`]
  const code = await run(title, command, environment)
  const totals = /<testsuites[^>]* tests="(\d+)"[^>]* failures="(\d+)"[^>]* skipped="(\d+)"/.exec(readReport(report))
  const [ran, failures, skipped] = [Number(totals?.[1] ?? 0), Number(totals?.[2] ?? 0), Number(totals?.[3] ?? 0)]
  passed += ran - failures - skipped
  failed += failures
  if ((code !== 0 && failures === 0) || ran === 0) failed++
}

function readReport(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

await step('types', [bun, 'x', '--bun', 'tsc', '-p', '.'])
await step('format and lint', [bun, 'x', 'biome', 'ci', '--error-on-warnings'])
await tests('tests on a file', {})
await tests('tests on a libSQL server', { DATABASE: 'remote' })
rmSync(directory, { recursive: true, force: true })
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
