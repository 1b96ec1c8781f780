// Randomness as a port: ids, secrets and jitter all use it, so a simulation can be replayed from its seed.

export interface Random {
  /** UUIDv7 as 32 lower-case hex digits; ids of one process and one time sort in the order in which they were made, whatever is made between. */
  uuidv7(now: Date): string
  /** `count` bytes from a cryptographic generator. */
  bytes(count: number): Uint8Array
  /** A number in [0, 1), for jitter and sampling; never for secrets. */
  fraction(): number
}

export const systemRandom: Random = {
  uuidv7: uuidv7(),
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => Math.random(),
}

/**
 * Makes UUIDv7 that sort as they were made: after the time, 42 bits of a counter that begins by chance and never goes back (RFC 9562, 6.2,
 * method 1), then 32 bits of chance. No time begins the counter anew, for transactions read their time once and run between each other.
 */
function uuidv7(): Random['uuidv7'] {
  const chance = crypto.getRandomValues(Buffer.alloc(1024))
  // Half of its values are left to count: a million ids a second for 25 days.
  let counter = chance.readUIntBE(0, 6) % 2 ** 41
  let used = 8
  const id = Buffer.alloc(16)
  return (now) => {
    if (used === chance.length) {
      crypto.getRandomValues(chance)
      used = 0
    }
    counter++
    id.writeUIntBE(now.getTime(), 0, 6)
    id.writeUInt16BE(0x7000 + (Math.floor(counter / 2 ** 30) % 2 ** 12), 6)
    id.writeUInt32BE(0x8000_0000 + (counter % 2 ** 30), 8)
    chance.copy(id, 12, used, used + 4)
    used += 4
    return id.toString('hex')
  }
}
