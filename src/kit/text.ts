// Which characters a text may not contain: control characters (C0, DEL, C1) and, for one-line text, line breaks.

const inLine = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029'
const breaksLine = new RegExp(`[${inLine}]`)
const everyBreak = new RegExp(`[${inLine}]+`, 'g')
/** Tabs and line feeds are allowed in text of several lines. */
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

/** All that \s matches and that breaks no line. */
const spaces = ' \\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff'

/**
 * The JSON Schema pattern for one-line text, for what isOneLine() lets pass. It does not name U+2028 and U+2029: generators of clients write
 * an escape as its character, and these two end a regular expression in JavaScript.
 */
export const oneLinePattern = `^(?:[^\\s\\x00-\\x1f\\x7f-\\x9f]|[${spaces}])+$`

/** The message for text that is not isOneLine(). */
export const notOneLine = 'must not contain line breaks or control characters'

/** True for text that may be put in a mail header: no line break, no tab, no control character. */
export function isOneLine(text: string): boolean {
  return !breaksLine.test(text)
}

/** The text on one line: each run of line breaks and control characters becomes a space. */
export function toOneLine(text: string): string {
  return breaksLine.test(text) ? text.replace(everyBreak, ' ') : text
}

/** Without the `character`s at its end. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** True for text of several lines that contains a control character. */
export function hasControls(text: string): boolean {
  return control.test(text)
}
