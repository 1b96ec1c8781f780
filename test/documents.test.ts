// Every shell block of the README and of docs/ is run as a reader would: pasted in order, in an empty folder, against a real server.
// What the document says it prints is compared. How a document is read: support/document.ts.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { remoteDatabase } from './support/database.ts'
import { fits, readDocument, type ShellBlock, startShell } from './support/document.ts'

const root = join(import.meta.dir, '..')
const tools = ['bash', 'curl', 'jq', 'openssl', 'sqlite3']
const path = '/usr/local/bin:/usr/bin:/bin'
const missing = tools.filter((tool) => Bun.which(tool, { PATH: path }) === null)
const documents = [
  join(root, 'README.md'),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name)),
]

describe.skipIf(remoteDatabase || missing.length > 0)(`documents (need ${tools.join(', ')})`, () => {
  for (const file of documents) {
    const { blocks, beginsAs } = readDocument(file)
    const run = blocks.filter(({ notRun }) => notRun === null)
    if (run.length === 0) continue
    test(`${basename(file)} does what it says`, () => paste(file, [...beginning(beginsAs), ...run]), 240_000)
  }
})

function beginning(document: string | null): ShellBlock[] {
  return document === null ? [] : readDocument(join(root, 'docs', document)).blocks.slice(0, 1)
}

async function paste(file: string, blocks: ShellBlock[]): Promise<void> {
  await using shell = await startShell(mkdtempSync(join(tmpdir(), 'paquebot-document-')), path)
  const faults: string[] = []
  for (const { line, steps } of blocks) {
    for (const { commands, printed } of steps) {
      const got = await shell.run(commands)
      const wanted = printed === null ? null : shell.here(printed)
      const isRight = wanted === null ? !got.includes('"success":false') : fits(wanted, got)
      if (!isRight) faults.push(`${basename(file)}:${line} says\n${wanted ?? 'nothing'}\nand prints\n${got}\n`)
    }
  }
  expect(faults.join('\n')).toBe('')
}

test('a document that prints something else is found', () => {
  expect(fits('{"id":"msg_…", "at": "…"}', '{"id":"msg_01a1","at":"x"}')).toBe(true)
  expect(fits('{"status":"sent"}', '{\n  "status": "sent"\n}')).toBe(true)
  expect(fits('{"status":"sent"}', '{"status":"queued"}')).toBe(false)
  expect(fits('one', 'one two')).toBe(false)
  expect(fits('a.c', 'abc')).toBe(false)
})
