// Columns of a section: how wide each is.

import { describe, expect, test } from 'bun:test'
import { compileContent } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { AppError } from '../../src/kit/error.ts'

const text = (words: string) => ({ type: 'text', text: words })
const htmlOf = (content: unknown[]) =>
  fill(
    compileContent({ content: parseTree(content).content, subject: 'S', locale: 'en', kind: 'transactional' }).html,
    {},
  )

/** Paths and codes of the faults. */
function faults(content: unknown[]): string[] {
  try {
    parseTree(content)
  } catch (error) {
    if (error instanceof AppError) return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`)
    throw error
  }
  return []
}

describe('columns with widths', () => {
  const section = (more: object) => [{ type: 'section', columns: 2, children: [text('a'), text('b')], ...more }]

  test('are as wide as their twelfths, gaps included, and equal without', () => {
    const widths = (more: object) => [...htmlOf(section(more)).matchAll(/<td width="(\d+)"/g)].map(([, width]) => width)
    expect(widths({ columnWidths: [8, 4] })).toEqual(['345', '172'])
    expect(widths({ columnWidths: [6, 6] })).toEqual(widths({}))
    expect(htmlOf(section({ columnWidths: [6, 6] }))).toBe(htmlOf(section({})))
  })

  test('are refused where they do not add up', () => {
    const wrong = [
      { columnWidths: [8, 5] },
      { columnWidths: [4, 4, 4] },
      { columnWidths: [12] },
      { columnWidths: [8.5, 3.5] },
    ]
    for (const more of wrong)
      expect(faults(section(more)), JSON.stringify(more)).toEqual(['content[0].columnWidths invalid_value'])
    expect(faults([{ type: 'section', columnWidths: [8, 4] }])).toEqual(['content[0].columnWidths invalid_value'])
  })
})
