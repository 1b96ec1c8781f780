// CONTRIBUTING.md tells the truth: its changes are made in a copy of the checkout, which then has to pass what every change passes, and
// `bun run dev` serves that copy anew when a file of it is saved.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { linesOf } from '../tools/process.ts'
import { freshDirectory } from './support/place.ts'

const root = join(import.meta.dir, '..')
const copy = freshDirectory()
const notCopied = ['node_modules', '.git', 'data', 'dist']
const document = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

beforeAll(() => {
  for (const name of readdirSync(root).filter((one) => !notCopied.includes(one)))
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

async function run(...args: string[]) {
  const child = Bun.spawn([process.execPath, ...args], { cwd: copy, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, said: out + err }
}

/** Writes what the document says into each file that it names, and returns their names. */
function makeChanges(): string[] {
  const changes = [...document.matchAll(/^`([\w./-]+)`( \(new\))?\n```(diff|tsx?)\n([\s\S]*?)\n```$/gm)]
  expect(changes.length).toBeGreaterThan(9)
  return changes.map(([, name = '', isNew, , body = '']) => {
    const path = join(copy, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, isNew ? `${body}\n` : patched(name, readFileSync(path, 'utf8'), body))
    return name
  })
}

/** `…` stands between places; each of them must be there once. */
function patched(name: string, file: string, diff: string): string {
  return diff.split('\n…\n').reduce((text, place) => {
    const lines = place.split('\n')
    const side = (left: string) =>
      lines.filter((line) => line.startsWith(' ') || line.startsWith(left)).map((line) => `${line.slice(1)}\n`)
    const before = side('-').join('')
    expect(text.split(before).length - 1, `how often ${name} has\n${before}`).toBe(1)
    return text.replace(before, () => side('+').join(''))
  }, file)
}

test('the changes of CONTRIBUTING.md are whole: format, rules of the house, documents, and their test', async () => {
  const changed = makeChanges().filter((name) => /\.tsx?$/.test(name))
  for (const command of [
    ['run', 'db:generate', '--name', 'notes'],
    ['run', 'languages'],
    ['x', 'biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn', ...changed],
    ['test', '--timeout=60000', 'test/first-change.test.ts', 'test/tidy.test.ts'],
    ['test', 'test/webhooks.test.ts', '-t', 'the documentation lists'],
  ]) {
    const { code, said } = await run(...command)
    expect(code, said).toBe(0)
  }
}, 240_000)

test('bun run dev says where it listens, and serves what was saved over the same data', async () => {
  const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: join(copy, 'data') }
  const child = Bun.spawn([process.execPath, 'run', 'dev'], { cwd: copy, env, stdout: 'ignore', stderr: 'pipe' })
  const lines = linesOf(child.stderr)
  const healthy = async () => {
    for (;;) {
      const { value = '', done } = await lines.next()
      const url = /^listening on (\S+)$/.exec(value)?.[1]
      if (url) return (await (await fetch(`${url}/healthz`)).json()).status
      if (done) throw new Error('it ended')
    }
  }
  expect(await healthy()).toBe('ok')
  const database = readdirSync(join(copy, 'data')).filter((name) => name.endsWith('.db'))
  appendFileSync(join(copy, 'src/operator/health/health.ts'), '\n// A change.\n')
  expect(await healthy()).toBe('ok')
  expect(readdirSync(join(copy, 'data')).filter((name) => name.endsWith('.db'))).toEqual(database)
  child.kill('SIGTERM')
  await child.exited
})

test('every command of CONTRIBUTING.md is there, and the README leads to it', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const [, name = ''] of document.matchAll(/bun run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name)
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('](CONTRIBUTING.md)')
})
