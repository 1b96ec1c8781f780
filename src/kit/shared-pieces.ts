// Memory that threads share, for bodies too large to be copied: used again and again, because the pages of fresh memory cost more than what
// is written to them.

/** How much is copied in one turn. */
const pieceBytes = 1024 * 1024
/** As much as the largest body that brings attachments needs. */
const mostSpare = 26
const spareMs = 60_000

let spare: Uint8Array[] = []
let release: ReturnType<typeof setTimeout> | undefined

export class SharedPieces {
  readonly #pieces: Uint8Array[] = []
  length = 0

  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const used = this.length % pieceBytes
      if (used === 0) this.#pieces.push(spare.pop() ?? new Uint8Array(new SharedArrayBuffer(pieceBytes)))
      const part = bytes.subarray(from, from + pieceBytes - used)
      this.#pieces.at(-1)?.set(part, used)
      this.length += part.length
      from += part.length
    }
  }

  /** All of it; nothing is copied. */
  get parts(): Uint8Array[] {
    return this.#pieces.map((piece, index) => piece.subarray(0, this.length - index * pieceBytes))
  }

  /** When nobody reads it any more. */
  giveBack(): void {
    spare = [...spare, ...this.#pieces.splice(0)].slice(0, mostSpare)
    clearTimeout(release)
    release = setTimeout(() => {
      spare = []
    }, spareMs)
    release.unref()
  }
}
