// Puts the runs of a page together to lines, in the order in which they are drawn. A page says only where letters stand: spaces are where
// there is room, and what is read from right to left stands as it looks and is turned around here.

import { type Run, wordGap } from './pdf-runs.ts'
import type { ShownWriter } from './reading.ts'

/** All of these in sizes of the letters. */
const sameLine = 0.5
const cellGap = 1.5
const paragraphGap = 1.9
const turned = 0.01

/** Throws WriterFull. */
export function writeLines(runs: Run[], writer: ShownWriter): void {
  let line: Run[] = []
  for (const run of runs) {
    const last = line.at(-1)
    if (last && !isSameLine(last, run)) {
      writeLine(line, writer)
      if (isNewParagraph(last, run)) writer.add('\n')
      line = []
    }
    line.push(run)
  }
  if (line.length > 0) writeLine(line, writer)
  writer.add('\n')
}

function isSameLine(one: Run, other: Run): boolean {
  return (
    Math.abs(one.angle - other.angle) < turned &&
    Math.abs(one.across - other.across) < sameLine * Math.max(one.size, other.size)
  )
}

function isNewParagraph(one: Run, other: Run): boolean {
  return Math.abs(one.across - other.across) > paragraphGap * Math.max(one.size, other.size)
}

function writeLine(line: Run[], writer: ShownWriter): void {
  if (line.some(({ text }) => rightToLeft.test(text))) writeTurned(line, writer)
  else {
    let before: Run | undefined
    for (const run of line) {
      writer.add(gapBetween(before, run), run.isShown && before?.isShown !== false)
      writer.add(run.text, run.isShown)
      before = run
    }
  }
  writer.add('\n')
}

function gapBetween(before: Run | undefined, { text, along, size }: Run): string {
  if (before === undefined) return ''
  const gap = along - (before.along + before.width)
  if (gap > cellGap * size) return '\t'
  const isApart = Math.abs(gap) > wordGap * size
  return isApart && !before.text.endsWith(' ') && !text.startsWith(' ') ? ' ' : ''
}

/** What is seen first; what is hidden in the line comes after it. */
function writeTurned(line: Run[], writer: ShownWriter): void {
  for (const isShown of [true, false]) {
    const sorted = line.filter((run) => run.isShown === isShown).sort((one, other) => one.along - other.along)
    const seen = sorted.map((run, at) => gapBetween(sorted[at - 1], run) + run.text).join('')
    if (seen !== '') writer.add(toLogical(seen), isShown)
  }
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u
const leftToRight = /[\p{L}\p{N}]/u
/** Forms of Arabic letters by their place in a word, as fonts have them. */
const forms = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g
const mirrored = new Map([...'()[]{}<>«»'].map((char, at, all) => [char, all[at ^ 1] ?? char]))

/** A line as it is read, of one as it looks from left to right (Unicode Bidirectional Algorithm, in short). */
function toLogical(seen: string): string {
  const chars = [...seen]
  const { sides, ofLine } = sidesOf(chars)
  const parts: { side: Side; chars: string[] }[] = []
  sides.forEach((side, at) => {
    const char = chars[at] ?? ''
    const last = parts.at(-1)
    if (last?.side === side) last.chars.push(char)
    else parts.push({ side, chars: [char] })
  })
  if (ofLine === 'right') parts.reverse()
  return parts
    .map(({ side, chars: own }) =>
      (side === 'left' ? own : own.reverse().map((char) => mirrored.get(char) ?? char)).join(''),
    )
    .join('')
    .replace(forms, (found) => found.normalize('NFKC'))
}

type Side = 'left' | 'right'

/** What has no side of its own goes with its neighbours, or with the line where they differ. */
function sidesOf(chars: string[]): { sides: Side[]; ofLine: Side } {
  const own = chars.map((char) => (rightToLeft.test(char) ? 'right' : leftToRight.test(char) ? 'left' : null))
  const right = own.filter((side) => side === 'right').length
  const ofLine: Side = 2 * right > own.filter((side) => side !== null).length ? 'right' : 'left'
  const after: (Side | null)[] = []
  let next: Side | null = null
  for (let at = own.length - 1; at >= 0; at--) {
    next = own[at] ?? next
    after[at] = next
  }
  let before: Side | null = null
  const sides = own.map((side, at) => {
    before = side ?? before
    return side ?? (before !== null && before === after[at] ? before : ofLine)
  })
  return { sides, ofLine }
}
