// What age does with a passphrase (https://age-encryption.org/v1), by the scrypt of the runtime: it takes half of the time that the
// one of age-encryption takes, and not of the thread that asks, which goes on.

import { randomBytes, scrypt } from 'node:crypto'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { type Identity, type Recipient, Stanza } from 'age-encryption'

const kind = 'scrypt'
const label = 'age-encryption.org/v1/scrypt'
const saltBytes = 16
/** Of 2: what age takes for a file of its own, and the most that it takes for a file of others. */
const usualWork = 18
const mostWork = 20
const blockSize = 8
/** A key is used once, so that what is else different each time need not be. */
const nonce = new Uint8Array(12)
const sealedKeyBytes = 32

export function passphraseRecipient(passphrase: string): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(saltBytes)
      const key = await keyOf(passphrase, salt, usualWork)
      const body = chacha20poly1305(key, nonce).encrypt(fileKey)
      return [new Stanza([kind, withoutPadding(salt), String(usualWork)], body)]
    },
  }
}

export function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const own = stanzas.find(({ args }) => args[0] === kind)
      if (!own) return null
      if (stanzas.length !== 1) throw new Error('a passphrase is not the only key to it')
      const { salt, work } = readArguments(own.args)
      if (own.body.length !== sealedKeyBytes) throw invalid()
      const key = await keyOf(passphrase, salt, work)
      try {
        return chacha20poly1305(key, nonce).decrypt(own.body)
      } catch {
        return null
      }
    },
  }
}

function readArguments([, told = '', power = '', ...more]: string[]): { salt: Buffer; work: number } {
  const salt = Buffer.from(told, 'base64')
  const isWhole = salt.length === saltBytes && withoutPadding(salt) === told && /^[1-9]\d?$/.test(power)
  if (!isWhole || more.length > 0) throw invalid()
  const work = Number(power)
  if (work > mostWork) throw new Error('its passphrase would take too much work')
  return { salt, work }
}

function invalid(): Error {
  return new Error('what it says of its passphrase is not valid')
}

function withoutPadding(salt: Buffer): string {
  return salt.toString('base64').replaceAll('=', '')
}

function keyOf(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const cost = 2 ** work
  // What it needs, and a little for itself.
  const maxmem = 128 * (cost + 1_024) * blockSize
  return new Promise((resolve, reject) =>
    scrypt(
      passphrase,
      Buffer.concat([Buffer.from(label), salt]),
      32,
      { N: cost, r: blockSize, p: 1, maxmem },
      (error, key) => (error ? reject(error) : resolve(key)),
    ),
  )
}
