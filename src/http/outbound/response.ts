// Reads one HTTP/1.1 response from a stream of bytes (RFC 9112), and only as much as needed: at most 16 KiB of headers and, by default,
// 8 KiB of body. Nothing is decompressed. The other server is not trusted.

const maxHeadBytes = 16 * 1024
const loggedBodyBytes = 8 * 1024
const maxInterim = 4

export interface ResponseHead {
  status: number
  /** By lower-case name; the first of repeated ones. */
  headers: Map<string, string>
}

export type Progress = 'more' | 'done' | 'protocol_error' | 'headers_too_large'

type Framing = { kind: 'length'; length: number } | { kind: 'chunked' } | { kind: 'until_close' }

export class ResponseReader {
  readonly #maxBodyBytes: number
  #bytes: Buffer = Buffer.alloc(0)
  #framing: Framing = { kind: 'until_close' }
  #interim = 0
  #minor = 1
  #body: Buffer = Buffer.alloc(0)
  #clean = false
  head: ResponseHead | null = null

  constructor(maxBodyBytes = loggedBodyBytes) {
    this.#maxBodyBytes = maxBodyBytes
  }

  push(chunk: Uint8Array): Progress {
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#bytes, chunk])
    while (!this.head) {
      const progress = this.#readHead()
      if (progress !== 'done') return progress
    }
    return this.#readBody()
  }

  /** At most the wanted length of the body, as far as received. */
  get body(): Buffer {
    return this.#body
  }

  /** True when the response ended exactly where the next would begin: the connection can carry another request. */
  get reusable(): boolean {
    return this.#clean && this.#minor === 1 && !/\bclose\b/i.test(this.head?.headers.get('connection') ?? '')
  }

  /** `done`: headers were read, possibly of an interim response (1xx), which is dropped. */
  #readHead(): Progress {
    const end = this.#bytes.indexOf('\r\n\r\n')
    if (end < 0 || end > maxHeadBytes) {
      if (this.#bytes.length > maxHeadBytes) return 'headers_too_large'
      return couldBeHttp(this.#bytes) ? 'more' : 'protocol_error'
    }
    const [first = '', ...lines] = this.#bytes.subarray(0, end).toString('latin1').split('\r\n')
    const match = /^HTTP\/1\.([01]) (\d{3})(?: [^\r\n]*)?$/.exec(first)
    const headers = headersOf(lines)
    if (!match || !headers) return 'protocol_error'
    this.#bytes = this.#bytes.subarray(end + 4)
    const status = Number(match[2])
    if (status < 200) return status === 101 || ++this.#interim > maxInterim ? 'protocol_error' : 'done'
    this.#minor = Number(match[1])
    this.head = { status, headers }
    const framing = framingOf(status, headers)
    if (!framing) return 'protocol_error'
    this.#framing = framing
    return 'done'
  }

  #readBody(): Progress {
    const { body, ended, excess } = unframed(this.#bytes, this.#framing)
    this.#body = body.subarray(0, this.#maxBodyBytes)
    this.#clean = ended && !excess && body.length <= this.#maxBodyBytes
    return ended || this.#bytes.length >= this.#maxBodyBytes ? 'done' : 'more'
  }
}

const start = 'HTTP/1.'

function couldBeHttp(bytes: Buffer): boolean {
  const begun = bytes.subarray(0, start.length).toString('latin1')
  return start.startsWith(begun)
}

const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/

function headersOf(lines: string[]): Map<string, string> | null {
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

function framingOf(status: number, headers: Map<string, string>): Framing | null {
  if (status === 204 || status === 304) return { kind: 'length', length: 0 }
  const coding = headers.get('transfer-encoding')
  if (coding !== undefined) return coding.toLowerCase() === 'chunked' ? { kind: 'chunked' } : { kind: 'until_close' }
  const length = headers.get('content-length')
  if (length === undefined) return { kind: 'until_close' }
  return /^\d{1,15}$/.test(length) ? { kind: 'length', length: Number(length) } : null
}

interface Unframed {
  body: Buffer
  ended: boolean
  /** Bytes follow that belong to no response. */
  excess: boolean
}

function unframed(bytes: Buffer, framing: Framing): Unframed {
  if (framing.kind === 'until_close') return { body: bytes, ended: false, excess: false }
  if (framing.kind === 'chunked') return dechunked(bytes)
  const { length } = framing
  return { body: bytes.subarray(0, length), ended: bytes.length >= length, excess: bytes.length > length }
}

function dechunked(bytes: Buffer): Unframed {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd < 0 ? null : /^([0-9a-f]{1,8})(?:[ \t]*;.*)?$/i.exec(bytes.toString('latin1', at, lineEnd))
    if (!size) return { body: Buffer.concat(parts), ended: false, excess: false }
    const length = Number.parseInt(size[1] ?? '', 16)
    const dataAt = lineEnd + 2
    if (length === 0) {
      const end = bytes.indexOf('\r\n', dataAt)
      // Trailers are not read: a connection that sends them is not reused.
      return { body: Buffer.concat(parts), ended: end >= 0, excess: end !== dataAt || bytes.length > end + 2 }
    }
    parts.push(bytes.subarray(dataAt, dataAt + length))
    if (bytes.length < dataAt + length + 2) return { body: Buffer.concat(parts), ended: false, excess: false }
    at = dataAt + length + 2
  }
}
