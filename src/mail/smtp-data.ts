// Parses the bytes between 354 and the final dot. Lines end only with CRLF: a bare CR or LF is where two servers may disagree about the end
// of a mail, which allows smuggling in a second one (RFC 5321, 2.3.8 and 4.1.1.4). Dots are un-stuffed (4.5.2).

const cr = 0x0d
const lf = 0x0a
const dot = 0x2e

export type DataEvent =
  | { event: 'more' }
  /** `rest` came after the final dot: the next command. */
  | { event: 'end'; rest: Buffer }
  | { event: 'bare' }

export class DataReader {
  readonly #onBytes: (bytes: Buffer) => void
  /** Bytes whose meaning depends on what follows: a dot at the start of a line, a CR. */
  #carry: Buffer = Buffer.alloc(0)
  #atLineStart = true

  /** `onBytes` receives the mail with its dots un-stuffed. */
  constructor(onBytes: (bytes: Buffer) => void) {
    this.#onBytes = onBytes
  }

  push(chunk: Buffer): DataEvent {
    const bytes = this.#carry.length > 0 ? Buffer.concat([this.#carry, chunk]) : chunk
    this.#carry = Buffer.alloc(0)
    let line = 0
    let from = 0
    for (let end = bytes.indexOf(lf); end !== -1; end = bytes.indexOf(lf, line)) {
      if (bytes[end - 1] !== cr || end === line || bytes.indexOf(cr, line) !== end - 1) return { event: 'bare' }
      if (this.#atLineStart && bytes[line] === dot) {
        this.#emit(bytes, from, line)
        if (end === line + 2) return { event: 'end', rest: bytes.subarray(end + 1) }
        from = line + 1
      }
      this.#atLineStart = true
      line = end + 1
    }
    return this.#openLine(bytes, { from, line })
  }

  /** The incomplete line at the end of a chunk. */
  #openLine(bytes: Buffer, { from, line }: { from: number; line: number }): DataEvent {
    const strayCr = bytes.indexOf(cr, line)
    if (strayCr !== -1 && strayCr !== bytes.length - 1) return { event: 'bare' }
    const rest = bytes.length - line
    const undecided = this.#atLineStart && bytes[line] === dot && rest <= 2
    const keep = undecided ? rest : strayCr === -1 ? 0 : 1
    const end = bytes.length - keep
    const stuffed = !undecided && this.#atLineStart && rest > 0 && bytes[line] === dot
    if (stuffed) this.#emit(bytes, from, line)
    this.#emit(bytes, stuffed ? line + 1 : from, end)
    if (end > line) this.#atLineStart = false
    this.#carry = Buffer.from(bytes.subarray(end))
    return { event: 'more' }
  }

  #emit(bytes: Buffer, from: number, to: number): void {
    if (to > from) this.#onBytes(bytes.subarray(from, to))
  }
}
