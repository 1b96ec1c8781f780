// Reads one HTTP/1.1 response from a stream of bytes (RFC 9112), and only as much as needed: at most 16 KiB of headers and, by default,
// 8 KiB of body. Nothing is decompressed. The other server is not trusted.

import { Gathered } from '../gathered.ts'

export const maxHeadBytes = 16 * 1024
const loggedBodyBytes = 8 * 1024
const maxInterim = 4

export interface ResponseHead {
  status: number
  /** By lower-case name; the first of repeated ones. */
  headers: Map<string, string>
}

export type Progress = 'more' | 'done' | 'protocol_error' | 'headers_too_large'

/** How the body ends. `left`: what is still to come of it, or of its chunk. */
type Framing =
  | { kind: 'length'; left: number }
  | { kind: 'chunked'; next: 'size' | 'data' | 'end' | 'trailers' | 'nothing'; left: number }
  | { kind: 'until_close' }

const headEnd = '\r\n\r\n'
const lineEnd = '\r\n'

export class ResponseReader {
  readonly #maxBodyBytes: number
  /** What was not read yet. */
  readonly #rest = new Gathered()
  #framing: Framing = { kind: 'until_close' }
  #interim = 0
  #minor = 1
  readonly #body = new Gathered()
  /** What came after the head, with its framing. */
  #bodyBytes = 0
  #isWhole = false
  /** Something follows the end that is not of this response, or not understood. */
  #isFollowed = false
  head: ResponseHead | null = null

  constructor(maxBodyBytes = loggedBodyBytes) {
    this.#maxBodyBytes = maxBodyBytes
  }

  push(chunk: Uint8Array): Progress {
    this.#rest.add(chunk)
    if (this.head) this.#bodyBytes += chunk.length
    while (!this.head) {
      const progress = this.#readHead()
      if (progress !== 'done') return progress
      if (this.head) this.#bodyBytes = this.#rest.length
    }
    this.#readBody()
    return this.#isWhole || this.#bodyBytes >= this.#maxBodyBytes ? 'done' : 'more'
  }

  /** At most the wanted length of the body, as far as received. */
  get body(): Buffer {
    return this.#body.bytes.subarray(0, this.#maxBodyBytes)
  }

  /** True when the response ended exactly where the next would begin: the connection can carry another request. */
  get reusable(): boolean {
    const isClean = this.#isWhole && !this.#isFollowed && this.#rest.length === 0
    const isKept = this.#minor === 1 && !/\bclose\b/i.test(this.head?.headers.get('connection') ?? '')
    return isClean && isKept && this.#body.length <= this.#maxBodyBytes
  }

  /** `done`: headers were read, possibly of an interim response (1xx), which is dropped. */
  #readHead(): Progress {
    const end = this.#rest.indexOf(headEnd)
    if (end < 0 || end > maxHeadBytes) {
      if (this.#rest.length > maxHeadBytes) return 'headers_too_large'
      return couldBeHttp(this.#rest.bytes) ? 'more' : 'protocol_error'
    }
    const [first = '', ...lines] = this.#take(end, headEnd).split(lineEnd)
    const match = /^HTTP\/1\.([01]) (\d{3})(?: [^\r\n]*)?$/.exec(first)
    const headers = parseHeaders(lines)
    if (!match || !headers) return 'protocol_error'
    const status = Number(match[2])
    if (status < 200) return status === 101 || ++this.#interim > maxInterim ? 'protocol_error' : 'done'
    this.#minor = Number(match[1])
    this.head = { status, headers }
    const framing = readFraming(status, headers)
    if (!framing) return 'protocol_error'
    this.#framing = framing
    return 'done'
  }

  #readBody(): void {
    const framing = this.#framing
    if (framing.kind === 'chunked') while (this.#readChunk(framing));
    else if (framing.kind === 'until_close') this.#body.add(this.#rest.take(this.#rest.length))
    else {
      this.#readData(framing)
      this.#isWhole = framing.left === 0
    }
  }

  /** The next step through chunks; false when it must wait for more. */
  #readChunk(framing: Extract<Framing, { kind: 'chunked' }>): boolean {
    if (framing.next === 'data') {
      this.#readData(framing)
      if (framing.left === 0) framing.next = 'end'
      return framing.left === 0
    }
    if (framing.next === 'end') {
      if (this.#rest.length < lineEnd.length) return false
      this.#rest.take(lineEnd.length)
      framing.next = 'size'
      return true
    }
    if (framing.next === 'nothing') return false
    const end = this.#rest.indexOf(lineEnd)
    if (end < 0) return false
    const line = this.#take(end, lineEnd)
    if (framing.next === 'trailers') {
      // They are not read: a connection that sends them is not reused.
      this.#isFollowed = line !== ''
      this.#isWhole = true
      framing.next = 'nothing'
      return false
    }
    const [, size] = /^([0-9a-f]{1,8})(?:[ \t]*;.*)?$/i.exec(line) ?? []
    framing.left = Number.parseInt(size ?? '', 16)
    framing.next = size === undefined ? 'nothing' : framing.left === 0 ? 'trailers' : 'data'
    return true
  }

  #readData(framing: { left: number }): void {
    const data = this.#rest.take(framing.left)
    framing.left -= data.length
    this.#body.add(data)
  }

  /** The text up to `end`, where `mark` stands, which is dropped. */
  #take(end: number, mark: string): string {
    const text = this.#rest.take(end).toString('latin1')
    this.#rest.take(mark.length)
    return text
  }
}

const start = 'HTTP/1.'

function couldBeHttp(bytes: Buffer): boolean {
  const begun = bytes.subarray(0, start.length).toString('latin1')
  return start.startsWith(begun)
}

const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/

function parseHeaders(lines: string[]): Map<string, string> | null {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    // A pattern for the whole line would try every way to divide the white space around a value.
    if (!fieldName.test(name) || /[\r\n\0]/.test(line)) return null
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

function readFraming(status: number, headers: Map<string, string>): Framing | null {
  if (status === 204 || status === 304) return { kind: 'length', left: 0 }
  const coding = headers.get('transfer-encoding')
  if (coding !== undefined)
    return coding.toLowerCase() === 'chunked' ? { kind: 'chunked', next: 'size', left: 0 } : { kind: 'until_close' }
  const length = headers.get('content-length')
  if (length === undefined) return { kind: 'until_close' }
  return /^\d{1,15}$/.test(length) ? { kind: 'length', left: Number(length) } : null
}
