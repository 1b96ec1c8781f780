// Characters that a text may not hold: the control characters (C0, DEL, C1) and, where it has to stay on one line, whatever ends one.

const inLine = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029'
const breaksLine = new RegExp(`[${inLine}]`)
const everyBreak = new RegExp(`[${inLine}]+`, 'g')
/** Tabs and line feeds are text. */
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

/** What a schema says of a text of one line. */
export const oneLinePattern = `^[^${inLine}]+$`

/** What is said of a text that is not isOneLine(). */
export const notOneLine = 'must not hold line breaks or control characters'

/** True for what may stand in a header of a mail: no line break, no tab, no control character. */
export function isOneLine(text: string): boolean {
  return !breaksLine.test(text)
}

/** The text on one line: each run of what breaks one becomes a space. */
export function toOneLine(text: string): string {
  return breaksLine.test(text) ? text.replace(everyBreak, ' ') : text
}

/** True for a text of several lines that holds a control character. */
export function hasControls(text: string): boolean {
  return control.test(text)
}
