// Secrets that are needed again (signing keys) are stored sealed: AES-256-GCM, a fresh nonce each time, bound to what they are for.
// The cipher is node's and not WebCrypto's: a campaign seals a link for every recipient, and one call costs 6 µs instead of 35.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { Random } from './random.ts'

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

export interface Sealer {
  /** `context` is bound in: a sealed value copied to another row does not open there. */
  seal(plain: string, context: string): Promise<string>
  /** Throws when the key, the context or a single bit is wrong. */
  open(sealed: string, context: string): Promise<string>
  /** HMAC-SHA256 of `text`, as hex: for what must be recognised as ours and not hidden. Compare in constant time. */
  mac(text: string, context: string): string
}

/** `secret` is SECRET_KEY, of any length; the keys are derived from it (HKDF, RFC 5869). */
export async function createSealer(secret: string, random: Random): Promise<Sealer> {
  const derived = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, keyBytes))
  const [sealKey, macKey] = [derived('paquebot seal v1'), derived('paquebot mac v1')]
  return {
    async seal(plain, context) {
      const nonce = random.bytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${Buffer.from(nonce).toString('base64url')}.${sealed.toString('base64url')}`
    },
    async open(sealed, context) {
      const [head, nonce, text] = sealed.split('.')
      if (head !== version || !nonce || !text) throw new Error('a sealed secret has an unknown form')
      const body = Buffer.from(text, 'base64url')
      const tag = body.subarray(-tagBytes)
      if (tag.length !== tagBytes) throw new Error('a sealed secret is too short')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, Buffer.from(nonce, 'base64url'))
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return decipher.update(body.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    mac: (text, context) => createHmac('sha256', macKey).update(`${context}\0${text}`).digest('hex'),
  }
}
