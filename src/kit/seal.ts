// Secrets that are needed again (signing keys) are stored sealed: AES-256-GCM with a fresh nonce, bound to their purpose. It uses node's
// cipher instead of WebCrypto's, because a campaign seals a link for every recipient and a call costs 6 µs instead of 35. What a former
// secret sealed or signed still opens until that secret is removed.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Random } from './random.ts'

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/** The shortest keyed token; shorter ones could be guessed. */
const minMacChars = 16

export interface Sealer {
  /** `context` is bound in: a sealed value copied to another row cannot be opened there. */
  seal(plain: string, context: string): Promise<string>
  /** Throws when the key, the context or a single bit is wrong. */
  open(sealed: string, context: string): Promise<string>
  /** Whether it is sealed with the current secret, a former one, or an unknown one. */
  sealedWith(sealed: string, context: string): 'present' | 'former' | 'unknown'
  /** The same value sealed with the current secret; null when it already is. Throws as open() does. */
  reseal(sealed: string, context: string): Promise<string | null>
  /** HMAC-SHA256 of `text`, as hex, for text that is public but must be recognized as ours. Verify it with isMac(). */
  mac(text: string, context: string): string
  /** Whether `given` is our mac() of the text, or its first characters (at least 16). Takes constant time. */
  isMac(given: string, text: string, context: string): boolean
}

/** `secrets`: SECRET_KEY, of any length, then former ones; the keys are derived from them (HKDF, RFC 5869). */
export async function createSealer(secrets: string[], random: Random): Promise<Sealer> {
  const [present, ...former] = secrets.map(deriveKeys)
  if (!present) throw new Error('a sealer needs a secret')
  const open = async (sealed: string, context: string) => {
    const parts = parseSealed(sealed)
    for (const { sealKey } of [present, ...former]) {
      const plain = tryOpen(sealKey, parts, context)
      if (plain !== null) return plain
    }
    throw new Error('a sealed secret was sealed with another SECRET_KEY, or for something else, or was changed')
  }
  const seal = async (plain: string, context: string) =>
    encrypt(present.sealKey, random.bytes(nonceBytes), plain, context)
  return {
    seal,
    open,
    sealedWith(sealed, context) {
      const parts = parseSealed(sealed)
      const opens = ({ sealKey }: { sealKey: Buffer }) => tryOpen(sealKey, parts, context) !== null
      return opens(present) ? 'present' : former.some(opens) ? 'former' : 'unknown'
    },
    async reseal(sealed, context) {
      return tryOpen(present.sealKey, parseSealed(sealed), context) === null
        ? await seal(await open(sealed, context), context)
        : null
    },
    mac: (text, context) => computeMac(present.macKey, text, context),
    isMac(given, text, context) {
      if (given.length < minMacChars) return false
      const right = [present, ...former].map(({ macKey }) =>
        Buffer.from(computeMac(macKey, text, context).slice(0, given.length)),
      )
      const presented = Buffer.from(given)
      return right.filter((mac) => mac.length === presented.length && timingSafeEqual(mac, presented)).length > 0
    },
  }
}

function deriveKeys(secret: string): { sealKey: Buffer; macKey: Buffer } {
  const derived = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, keyBytes))
  return { sealKey: derived('paquebot seal v1'), macKey: derived('paquebot mac v1') }
}

function computeMac(key: Buffer, text: string, context: string): string {
  return createHmac('sha256', key).update(`${context}\0${text}`).digest('hex')
}

function encrypt(key: Buffer, nonce: Uint8Array, plain: string, context: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${Buffer.from(nonce).toString('base64url')}.${sealed.toString('base64url')}`
}

interface SealedParts {
  nonce: Buffer
  /** Ciphertext followed by its tag. */
  body: Buffer
}

function parseSealed(sealed: string): SealedParts {
  const [head, nonce, text] = sealed.split('.')
  if (head !== version || !nonce || !text) throw new Error('a sealed secret has an unknown format')
  const body = Buffer.from(text, 'base64url')
  if (body.length < tagBytes) throw new Error('a sealed secret is too short')
  return { nonce: Buffer.from(nonce, 'base64url'), body }
}

function decrypt(key: Buffer, { nonce, body }: SealedParts, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(Buffer.from(context)).setAuthTag(body.subarray(-tagBytes))
  return decipher.update(body.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

function tryOpen(key: Buffer, parts: SealedParts, context: string): string | null {
  try {
    return decrypt(key, parts, context)
  } catch {
    return null
  }
}
