// What signing cannot be quicker than: RSA-2048 signatures a second that Bun makes on all cores, and nothing else.
// bun test/bench/rsa.ts COUNT

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

const count = Number(process.argv[2])
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signInBackground = promisify(sign)
let next = 0
const worker = async () => {
  while (next++ < count) await signInBackground('sha256', randomBytes(1_000), privateKey)
}
const began = performance.now()
await Promise.all(Array.from({ length: 64 }, worker))
process.stdout.write(String((count / (performance.now() - began)) * 1_000))
