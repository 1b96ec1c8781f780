// Quoted-printable (RFC 2045, 6.7): lines of at most 76 characters, nothing but printable ASCII. A text is put together from pieces,
// and a soft line break stands only where a line is full, whatever pieces meet on it.

const maxLine = 76
/** Printable ASCII but "=": stands for itself, unless a space or tab ends the line. */
const plainAscii = /^[\x20-\x3c\x3e-\x7e]*$/

/** Ends a line of the encoding, not of the text. */
const softBreak = '=\r\n'

/** A piece of a text, encoded as far as that does not depend on the pieces beside it. */
export interface EncodedPiece {
  /** Its first line, not yet broken: it goes on where the piece before it stopped. */
  first: string
  /** Its further lines, broken; null when it has one line only. */
  rest: string | null
  /** The column at which `rest` ends. */
  column: number
}

/** Line feeds (with or without CR) become CRLF. */
export function encodePiece(text: string): EncodedPiece {
  if (plainAscii.test(text)) return { first: text, rest: null, column: 0 }
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const [first = '', ...others] = lines.map((line, index) => encodeLine(line, index < lines.length - 1))
  if (others.length === 0) return { first, rest: null, column: 0 }
  const rest: Line = { out: '', column: 0 }
  for (const [index, line] of others.entries()) {
    if (index > 0) endLine(rest)
    write(rest, line)
  }
  return { first, rest: rest.out, column: rest.column }
}

/** The whole text. A space or tab at the end of a line is encoded, or it would be lost on the way. */
export function joinPieces(pieces: EncodedPiece[]): string {
  const text: Line = { out: '', column: 0 }
  for (const { first, rest, column } of pieces) {
    write(text, first)
    if (rest === null) continue
    if (first === '') protectEnd(text)
    endLine(text)
    text.out += rest
    text.column = column
  }
  protectEnd(text)
  return text.out
}

export function encodeQuotedPrintable(text: string): string {
  return joinPieces([encodePiece(text)])
}

/** What was written so far, and the column at which it stands. */
interface Line {
  out: string
  column: number
}

/** Appends encoded text that holds no line end, and breaks where the line is full: one column is left for the `=` of the break. */
function write(line: Line, encoded: string): void {
  let at = 0
  for (let room = maxLine - 1 - line.column; encoded.length - at > room; room = maxLine - 1) {
    const end = wholeTokens(encoded, at + room)
    line.out += encoded.slice(at, end) + softBreak
    line.column = 0
    at = end
  }
  line.out += at === 0 ? encoded : encoded.slice(at)
  line.column += encoded.length - at
}

/** The last place up to `end` that does not cut a `=C3` in two. */
function wholeTokens(encoded: string, end: number): number {
  if (encoded[end - 1] === '=') return end - 1
  return encoded[end - 2] === '=' ? end - 2 : end
}

function endLine(line: Line): void {
  line.out += '\r\n'
  line.column = 0
}

/** Where the piece that ends a line begins with that end. Looking at the last character of a long text is dear: once a piece. */
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
  let out = ''
  for (const byte of Buffer.from(line, 'utf8')) {
    const asIs = (byte >= 0x20 && byte <= 0x7e && byte !== 0x3d) || byte === 0x09
    out += asIs ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return out
}
