// docs/attention.md is made here, of the table of all kinds.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Code, codes, rules } from '../src/operator/attention/rules.ts'

const file = join(import.meta.dir, '../docs/attention.md')
const begin = '<!-- from src/operator/attention/rules.ts: UPDATE_DOCS=1 bun test test/attention-page.test.ts -->\n'

test('docs/attention.md has a row for each kind', async () => {
  const row = (code: Code) => {
    const { severity, area, text, todo, operator } = rules[code]
    return `| <a id="${code}"></a>\`${code}\` | ${severity} | ${area}${operator ? ', operator' : ''} | ${text} | ${todo} |`
  }
  const table = `| code | how bad | about | what is wrong | what to do |\n|---|---|---|---|---|\n${codes.map(row).join('\n')}\n`
  const before = await Bun.file(file).text()
  const written = before.slice(0, before.indexOf(begin) + begin.length) + table
  if (process.env['UPDATE_DOCS']) await Bun.write(file, written)
  expect(await Bun.file(file).text()).toBe(written)
})
