// Patterns that look at the same text again and again, which a caller can make last for minutes: there are none.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { analyse } from 'scslre'
import ts from 'typescript-5'

const root = join(import.meta.dir, '..')

interface Pattern {
  place: string
  text: string
}

function* patternsIn(path: string, source: string): Generator<Pattern> {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false, kind)
  const nodes: ts.Node[] = [file]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.pos)
      yield { place: `${path}:${line + 1}`, text: node.text }
    }
    ts.forEachChild(node, (child) => void nodes.push(child))
  }
}

/** What more than linear time is spent on. */
function faultsOf({ place, text }: Pattern): string[] {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true } })
  return reports.map(({ character }) => `${place}: ${text} on a long run of ${character.literal.source}`)
}

/** Files without one need not be parsed. */
const mayHold = /[=(,:?[!&|{};\s]\/[^/*\s]/

async function everyPattern(): Promise<Pattern[]> {
  const found: Pattern[] = []
  for (const folder of ['src', 'db', 'dashboard', 'clients/typescript/src']) {
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root)) {
      const source = path.includes('/generated/') ? '' : await Bun.file(join(root, path)).text()
      if (mayHold.test(source)) found.push(...patternsIn(path, source))
    }
  }
  return found
}

test('a pattern that tries a text in every way is found', () => {
  for (const text of ['/x\\s*=\\s*["\']?\\s*cid:/g', '/^\\s*(.*)$/', '/\\s+$/', '/(a+)+$/'])
    expect(faultsOf({ place: 'a.ts:1', text })).not.toEqual([])
  for (const text of ['/x\\s{0,9}=\\s{0,9}cid:/g', '/^(.*)$/', '/^\\s+/'])
    expect(faultsOf({ place: 'a.ts:1', text })).toEqual([])
})

test('none of ours does', async () => {
  const patterns = await everyPattern()
  expect(patterns.length).toBeGreaterThan(400)
  expect(patterns.flatMap(faultsOf)).toEqual([])
})
