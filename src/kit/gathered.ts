// Bytes that come in parts, however small: none is copied, or looked at, again for each part that follows.

const leastBytes = 256

export class Gathered {
  #store: Buffer = Buffer.alloc(0)
  #from = 0
  #to = 0
  #sought = ''
  /** Before here there is no beginning of what was sought last. */
  #searched = 0

  get length(): number {
    return this.#to - this.#from
  }

  /** All that is here; it stays as it is when more is added or taken. */
  get bytes(): Buffer {
    return this.#store.subarray(this.#from, this.#to)
  }

  add(part: Uint8Array): void {
    const length = this.length + part.length
    if (this.#to + part.length > this.#store.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * length, leastBytes))
      larger.set(this.bytes)
      this.#to = this.length
      this.#from = 0
      this.#store = larger
    }
    this.#store.set(part, this.#to)
    this.#to += part.length
  }

  /** Where `what` begins; -1 if nowhere. */
  indexOf(what: string): number {
    const at = this.bytes.indexOf(what, what === this.#sought ? this.#searched : 0, 'latin1')
    this.#sought = what
    this.#searched = at === -1 ? Math.max(0, this.length - what.length + 1) : at
    return at
  }

  /** The first `count` bytes, which are then gone from here. */
  take(count: number): Buffer {
    const taken = this.bytes.subarray(0, count)
    this.#from += taken.length
    this.#searched = Math.max(0, this.#searched - taken.length)
    return taken
  }

  /** All behind the first `count` bytes is dropped. */
  cut(count: number): void {
    this.#to = Math.min(this.#to, this.#from + count)
    this.#sought = ''
  }
}
