// What a person would see of a text: without the characters that only a machine reads; and which ones those are.

const maxChars = 50_000
/**
 * Everything that Unicode displays as nothing (tags, variation selectors, fillers, joiners …), bidirectional controls, and control
 * characters.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\x00-\x08\x0b-\x1f\x7f-\x9f]/gu
/** Stands in a text for a passage that a browser would not show (Unicode: the annotation separator, which displays as nothing). */
export const passageMark = '\ufffa'
/** A joiner is visible between two pictures, and between letters of scripts that join. */
const joiner = /^[\u200c\u200d]$/
const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}'
const joinableEnd = new RegExp(`(?:\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?|[${joining}])$`, 'u')
const joinableStart = new RegExp(`^(?:\\p{Extended_Pictographic}|[${joining}])`, 'u')
/** In UTF-16 units: a picture and its modifiers. */
const joinableChars = 4

/** The text as a person would see it, cut when it is too long for a model. */
export function visible(text: string): string {
  const seen = text
    .slice(0, maxChars)
    .toWellFormed()
    .replace(invisible, (char, at: number, whole: string) => (isSeen(char, at, whole) ? char : ''))
  return text.length > maxChars ? `${seen}\n[cut: ${text.length - maxChars} more characters]` : seen
}

/** A run of characters that visible() removes. */
export interface Hidden {
  /** Where it begins, in UTF-16 units. */
  at: number
  /** `U+200B`, …; the first of them. */
  codePoints: string[]
  /** What it says to a machine; null when it only hides. */
  reads: string | null
}

const maxRuns = 100
const maxShown = 200
/** Tags are a second ASCII that nothing displays. */
const tagStart = 0xe0000

/**
 * What visible() removes, the first runs of it, for a person who wants to see what a machine would have read. `passages`: what the marks of
 * passages stand for.
 */
export function hiddenIn(text: string, passages: readonly string[] = []): Hidden[] {
  const runs: { at: number; chars: string[]; end: number; passage?: string }[] = []
  let marks = 0
  for (const { 0: char, index: at } of text.toWellFormed().matchAll(invisible)) {
    if (isSeen(char, at, text)) continue
    const last = runs.at(-1)
    const passage = char === passageMark ? passages[marks++] : undefined
    if (passage !== undefined && runs.length < maxRuns) runs.push({ at, chars: [char], end: at, passage })
    else if (last?.end === at) last.chars.push(char)
    else if (runs.length === maxRuns) break
    else runs.push({ at, chars: [char], end: at })
    const run = runs.at(-1)
    if (run) run.end = at + char.length
  }
  return runs.map(({ at, chars, passage }) => {
    const points = chars.slice(0, maxShown).map((char) => char.codePointAt(0) ?? 0)
    const tags = points.filter((point) => point > tagStart + 0x1f && point < tagStart + 0x7f)
    const said = String.fromCharCode(...tags.map((point) => point - tagStart))
    const reads = `${passage ?? ''}${said}` || null
    return { at, codePoints: points.map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`), reads }
  })
}

function isSeen(char: string, at: number, whole: string): boolean {
  return joiner.test(char) && joins(whole, at)
}

function joins(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - joinableChars), at)
  return joinableEnd.test(before) && joinableStart.test(text.slice(at + 1, at + 1 + joinableChars))
}
