// Quoted-printable (RFC 2045, 6.7): lines of at most 76 characters, only printable ASCII. A text is joined from encoded pieces; a soft line
// break is only made where a line is full, wherever the pieces meet, or before a very long piece. No line begins with a dot, so
// dot-stuffing never applies.

const maxLine = 76
/** Printable ASCII except "=": encodes as itself, unless a space or tab ends the line. */
const plainAscii = /^[\x20-\x3c\x3e-\x7e]*$/

const lineEnd = '\r\n'
/** A line end of the encoding, not of the text. */
const softBreak = '=\r\n'
const encodedDot = '=2E'
const equals = 0x3d
const hexDigits = Buffer.from('0123456789ABCDEF')

/** A piece of text, encoded as far as possible without knowing the pieces around it. */
export interface EncodedPiece {
  /** The first part, not broken into lines yet: it continues the line of the piece before. */
  first: string
  /** The whole lines that follow; null when there are none. */
  lines: Buffer | null
  /** What precedes them: a line end, or a soft break before a long piece. */
  end: typeof lineEnd | typeof softBreak
  /** The start of the line after them. */
  last: string
}

/** A piece with more characters than this starts on its own line, so its line breaks do not depend on what precedes it. */
const longLine = 1_000

/** Line feeds (with or without CR) become CRLF. */
export function encodePiece(text: string): EncodedPiece {
  if (text.length < longLine && plainAscii.test(text)) return { first: text, lines: null, end: lineEnd, last: '' }
  const [first = '', ...others] = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line, index, all) => encodeLine(line, index < all.length - 1))
  const isLong = first.length >= longLine
  if (others.length === 0 && !isLong) return { first, lines: null, end: lineEnd, last: '' }
  const rest: Line = { out: '', column: 0 }
  for (const [index, line] of (isLong ? [first, ...others] : others).entries()) {
    if (index > 0) endLine(rest)
    write(rest, line)
  }
  const { out, column } = rest
  const lines = Buffer.from(out.slice(0, out.length - column), 'latin1')
  return { first: isLong ? '' : first, lines, end: isLong ? softBreak : lineEnd, last: out.slice(out.length - column) }
}

/**
 * The whole text in parts, all but the last ending with a line end. A space or tab at the end of a line is encoded, because it could be
 * lost in transit.
 */
export function joinPieces(pieces: EncodedPiece[]): (string | Buffer)[] {
  const parts: (string | Buffer)[] = []
  let text: Line = { out: '', column: 0 }
  for (const { first, lines, end, last } of pieces) {
    write(text, first)
    if (lines === null) continue
    if (end === lineEnd) protectEnd(text)
    parts.push(end === softBreak && text.column === 0 ? text.out : text.out + end, lines)
    text = { out: last, column: last.length }
  }
  protectEnd(text)
  return [...parts, text.out]
}

export function encodeQuotedPrintable(text: string): (string | Buffer)[] {
  return joinPieces([encodePiece(text)])
}

/** The text so far, and the current column. */
interface Line {
  out: string
  column: number
}

/** Appends encoded text without line ends, breaking full lines: one column is kept for the `=` of the break. */
function write(line: Line, encoded: string): void {
  for (let at = 0; at < encoded.length; ) {
    if (line.column === 0 && encoded[at] === '.') {
      at += 1
      line.out += encodedDot
      line.column = encodedDot.length
    }
    const room = maxLine - 1 - line.column
    const fits = encoded.length - at <= room
    const end = fits ? encoded.length : wholeTokens(encoded, at + room)
    line.out += encoded.slice(at, end) + (fits ? '' : softBreak)
    line.column = fits ? line.column + end - at : 0
    at = end
  }
}

/** The last position up to `end` that does not split a `=C3`. */
function wholeTokens(encoded: string, end: number): number {
  if (encoded[end - 1] === '=') return end - 1
  return encoded[end - 2] === '=' ? end - 2 : end
}

function endLine(line: Line): void {
  line.out += lineEnd
  line.column = 0
}

/** Encodes a space or tab at the end of a line. Reading the last character of a long text is expensive, so once per piece. */
function protectEnd(line: Line): void {
  const last = line.column > 0 ? line.out.at(-1) : undefined
  if (last !== ' ' && last !== '\t') return
  line.out = line.out.slice(0, -1)
  line.column--
  write(line, last === ' ' ? '=20' : '=09')
}

function encodeLine(line: string, ends: boolean): string {
  if (ends && line.endsWith(' ')) return `${encodeLine(line.slice(0, -1), false)}=20`
  if (ends && line.endsWith('\t')) return `${encodeLine(line.slice(0, -1), false)}=09`
  if (plainAscii.test(line)) return line
  const bytes = Buffer.from(line, 'utf8')
  const out = Buffer.allocUnsafe(3 * bytes.length)
  let end = 0
  for (const byte of bytes) {
    if ((byte >= 0x20 && byte <= 0x7e && byte !== equals) || byte === 0x09) out[end++] = byte
    else {
      out[end++] = equals
      out[end++] = hexDigits[byte >> 4] as number
      out[end++] = hexDigits[byte & 15] as number
    }
  }
  return out.toString('latin1', 0, end)
}
