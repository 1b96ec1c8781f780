// The tables of docs/importing.md that are written from what the tests import.

import { expect } from 'bun:test'
import { join } from 'node:path'

const file = join(import.meta.dir, '../../docs/importing.md')

/** The table between two marks is this one; with UPDATE_DOCS it becomes so. */
export async function holdTable(name: string, table: string): Promise<void> {
  const begin = `<!-- ${name}: UPDATE_DOCS=1 bun test test/moving.test.ts test/import-exports.test.ts -->\n`
  const end = `<!-- end of ${name} -->\n`
  const before = await Bun.file(file).text()
  const from = before.indexOf(begin) + begin.length
  const to = before.indexOf(end)
  expect(from).toBeGreaterThan(begin.length - 1)
  const written = before.slice(0, from) + table + before.slice(to)
  if (process.env['UPDATE_DOCS']) await Bun.write(file, written)
  expect(await Bun.file(file).text(), 'UPDATE_DOCS=1 writes it anew').toBe(written)
}
