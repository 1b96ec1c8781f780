// Parses SMTP replies (RFC 5321, 4.2): lines in, whole replies out, with the enhanced code (RFC 3463) if there is one.

import { Gathered } from '../kit/gathered.ts'

export interface SmtpReply {
  code: number
  /** "5.1.1", or null. */
  enhanced: string | null
  /** The text of each line, without the code. */
  lines: string[]
}

/** The longest reply of a server; more is not SMTP. */
export const maxReplyBytes = 64 * 1024

const lineFeed = 0x0a

export class ReplyError extends Error {}

/** Feed it bytes as they arrive; it calls `onReply` for each complete reply. Throws ReplyError on anything else. */
export class ReplyReader {
  readonly #onReply: (reply: SmtpReply) => void
  readonly #rest = new Gathered()
  #lines: string[] = []
  /** The length of the lines. */
  #chars = 0

  constructor(onReply: (reply: SmtpReply) => void) {
    this.#onReply = onReply
  }

  /** True when bytes remain that belong to no reply yet. */
  get hasRest(): boolean {
    return this.#rest.length > 0 || this.#lines.length > 0
  }

  push(data: Buffer): void {
    // Most of what comes is whole lines.
    if (this.#rest.length === 0 && data.at(-1) === lineFeed) {
      const lines = data.toString('latin1', 0, data.length - 1).split('\n')
      for (const line of lines) this.#line(line.endsWith('\r') ? line.slice(0, -1) : line)
    } else this.#pushPart(data)
    if (this.#rest.length + this.#chars > maxReplyBytes) throw new ReplyError('a reply longer than 64 KB')
  }

  #pushPart(data: Buffer): void {
    this.#rest.add(data)
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const line = this.#rest.take(end + 1).toString('latin1', 0, end)
      this.#line(line.endsWith('\r') ? line.slice(0, -1) : line)
    }
  }

  #line(line: string): void {
    const match = /^([2-5]\d\d)([ -]?)/.exec(line)
    if (!match) throw new ReplyError(`not a reply: ${JSON.stringify(line.slice(0, 100))}`)
    this.#lines.push(line)
    this.#chars += line.length
    if (match[2] === '-') return
    const code = Number(match[1])
    const lines = this.#lines.map((one) => one.slice(4).trim())
    this.#lines = []
    this.#chars = 0
    const enhanced = /^([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(lines[0] ?? '')?.[1] ?? null
    this.#onReply({ code, enhanced, lines })
  }
}

/** The reply as one line for logs and Email Activity. */
export function replyLine({ code, lines }: SmtpReply): string {
  return `${code} ${lines.join(' ')}`.slice(0, 500)
}
