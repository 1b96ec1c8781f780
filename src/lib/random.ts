// Randomness as a port: ids, secrets and jitter all use it, so a simulation can be replayed from its seed.

export interface Random {
  /** UUIDv7 as 32 lower-case hex digits; ids made in one process sort in the order they were made (RFC 9562, 5.7). */
  uuidv7(now: Date): string
  /** `count` bytes from a cryptographic generator. */
  bytes(count: number): Uint8Array
  /** A number in [0, 1), for jitter and sampling; never for secrets. */
  fraction(): number
}

export const systemRandom: Random = {
  uuidv7: (now) => Bun.randomUUIDv7('buffer', now.getTime()).toHex(),
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => Math.random(),
}
