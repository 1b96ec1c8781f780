// Separates what somebody wrote from what they quoted below it. Mail programs agree on little, so only clear signs count; without one, all
// of the text is the writer's own.

export interface SplitText {
  own: string
  /** '' when nothing is quoted. */
  quoted: string
}

const maxIntroLines = 3
/** `On Mon, 5 Jan 2026 at 10:00, Ada <ada@example.net> wrote:` in the languages that mail programs speak most. */
const introBegins = /^(?:on|am|le|el|il|op|em|den|w dniu)\b/i
const introEnds = /(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał\(?a?\)?)[^:]{0,80}:$/i
/** Long enough for a name after the verb. Longer text is not an introduction, and would be slow to match. */
const introEndChars = 100
const maxIntroChars = 500
const separator =
  /^(?:-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|forwarded message)\s*-{2,}|_{20,})$/i
const headerLine = /^(?:from|von|de|da|van): .+/i
const headerBelow = /^(?:sent|date|to|gesendet|datum|an|envoyé|à|enviado|para): .+/i

export function splitQuoted(text: string): SplitText {
  const lines = text.split('\n')
  const start = lines.findIndex((_, index) => beginsQuote(lines, index))
  const end = start === -1 ? trailingQuote(lines) : start
  if (end === -1) return { own: text.trim(), quoted: '' }
  const own = lines.slice(0, end).join('\n').trim()
  // Replies written between the quoted lines cannot be separated: then all of it is the writer's own.
  return own === '' ? { own: text.trim(), quoted: '' } : { own, quoted: lines.slice(end).join('\n').trim() }
}

function beginsQuote(lines: string[], index: number): boolean {
  const line = lines[index]?.trim() ?? ''
  if (separator.test(line)) return true
  if (headerLine.test(line) && headerBelow.test(lines[index + 1]?.trim() ?? '')) return true
  return introBegins.test(line) && isIntro(lines, index)
}

/** The introduction may be wrapped over several lines. */
function isIntro(lines: string[], index: number): boolean {
  let text = ''
  for (const line of lines.slice(index, index + maxIntroLines)) {
    text += ` ${line.trim()}`
    if (text.length > maxIntroChars) return false
    if (introEnds.test(text.slice(-introEndChars))) return true
  }
  return false
}

/** The first line of a block of `>` lines at the end of the text; -1 when there is none. */
function trailingQuote(lines: string[]): number {
  let at = lines.length
  while (at > 0 && /^(>.*|\s*)$/.test(lines[at - 1] ?? '')) at--
  const first = lines.findIndex((line, index) => index >= at && line.startsWith('>'))
  return first
}
