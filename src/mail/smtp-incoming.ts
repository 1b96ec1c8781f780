// Buffers one mail while it arrives. A mail that is too large is read to its end and dropped, so that the refusal comes when the sender
// expects a reply. All incoming mails share one memory limit.

import { type RawMail, toRawMail } from './raw-mail.ts'
import { type DataEvent, DataReader } from './smtp-data.ts'

export interface IncomingLimits {
  maxMessageBytes: number
  maxHeldBytes: number
}

const blockBytes = 16 * 1024

export class IncomingMail {
  readonly #limits: IncomingLimits
  readonly #held: { bytes: number }
  readonly #reader = new DataReader((bytes) => this.#keep(bytes))
  /** Of equal length, because a mail may come in the smallest parts. The last is filled so far. */
  #blocks: Buffer[] = []
  #filled = 0
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
    return toRawMail(
      this.#blocks.map((block, index) => (this.#isLast(index) ? block.subarray(0, this.#filled) : block)),
    )
  }

  /** Frees its memory. */
  release(): void {
    this.#held.bytes -= this.#blocks.length * blockBytes
    this.#blocks = []
  }

  #isLast(index: number): boolean {
    return index === this.#blocks.length - 1
  }

  #keep(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#refusal) return
    if (this.#bytes > this.#limits.maxMessageBytes) this.#refuse(552, '5.3.4 the mail is too large')
    else if (this.#held.bytes + bytes.length > this.#limits.maxHeldBytes)
      this.#refuse(452, '4.3.1 too much mail at once; try again later')
    else this.#store(bytes)
  }

  #store(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#blocks.length === 0 || this.#filled === blockBytes) {
        this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes))
        this.#held.bytes += blockBytes
        this.#filled = 0
      }
      const part = bytes.subarray(at, at + blockBytes - this.#filled)
      this.#blocks.at(-1)?.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
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
