// Quoted-printable (RFC 2045, 6.7): lines of at most 76 characters, nothing but printable ASCII.

const maxLine = 76
/** Printable ASCII but "=": stands for itself, unless a space or tab ends the line. */
const plainAscii = /^[\x20-\x3c\x3e-\x7e]*$/

/** A soft line break: ends a line of the encoding, not of the text. */
export const softBreak = '=\r\n'

/**
 * Encodes `text`, beginning at the first column; line feeds (with or without CR) become CRLF. The result is to be followed by a
 * soft break or the end of a line, so a space at its very end is safe only when `atLineEnd` is false.
 */
export function encodeQuotedPrintable(text: string, { atLineEnd }: { atLineEnd: boolean }): string {
  if (!atLineEnd && text.length < maxLine && plainAscii.test(text)) return text
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.map((line, index) => encodeLine(line, atLineEnd || index < lines.length - 1)).join('\r\n')
}

function encodeLine(line: string, endsLine: boolean): string {
  const bytes = Buffer.from(line, 'utf8')
  let out = ''
  let column = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    const last = endsLine && i === bytes.length - 1
    const asIs = (byte >= 0x21 && byte <= 0x7e && byte !== 0x3d) || ((byte === 0x20 || byte === 0x09) && !last)
    const token = asIs ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
    if (column + token.length > maxLine - 1) {
      out += softBreak
      column = 0
    }
    out += token
    column += token.length
  }
  return out
}
