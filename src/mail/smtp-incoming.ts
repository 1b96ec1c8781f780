// Buffers one mail while it arrives. A mail that is too large is read to its end and dropped, so that the refusal comes when the sender
// expects a reply. All incoming mails share one memory limit.

import { type RawMail, toRawMail } from './raw-mail.ts'
import { type DataEvent, DataReader } from './smtp-data.ts'

export interface IncomingLimits {
  maxMessageBytes: number
  maxHeldBytes: number
}

export class IncomingMail {
  readonly #limits: IncomingLimits
  readonly #held: { bytes: number }
  readonly #reader = new DataReader((bytes) => this.#keep(bytes))
  #chunks: Buffer[] = []
  #bytes = 0
  #refusal: SmtpAnswer | null = null

  /** `held` is shared by all mails. */
  constructor(limits: IncomingLimits, held: { bytes: number }) {
    this.#limits = limits
    this.#held = held
  }

  /** Why it will be refused; null while it may be accepted. */
  get refusal(): SmtpAnswer | null {
    return this.#refusal
  }

  /** True when the sender keeps sending far beyond the limit. */
  get isFlood(): boolean {
    return this.#bytes > 2 * this.#limits.maxMessageBytes
  }

  push(chunk: Buffer): DataEvent {
    return this.#reader.push(chunk)
  }

  raw(): Promise<RawMail> {
    return toRawMail(this.#chunks)
  }

  /** Frees its memory. */
  release(): void {
    for (const chunk of this.#chunks) this.#held.bytes -= chunk.length
    this.#chunks = []
  }

  #keep(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#refusal) return
    if (this.#bytes > this.#limits.maxMessageBytes) this.#refuse(552, '5.3.4 the mail is too large')
    else if (this.#held.bytes + bytes.length > this.#limits.maxHeldBytes)
      this.#refuse(452, '4.3.1 too much mail at once; try again later')
    else {
      this.#held.bytes += bytes.length
      this.#chunks.push(Buffer.from(bytes))
    }
  }

  #refuse(code: number, text: string): void {
    this.#refusal = { code, text }
    this.release()
  }
}

/** The reply to the sending server; its code decides whether the server tries again. */
export interface SmtpAnswer {
  code: number
  /** Line feeds make a reply of several lines. */
  text: string
}
