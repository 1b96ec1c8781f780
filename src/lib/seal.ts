// Secrets that are needed again (signing keys) are stored sealed: AES-256-GCM, a fresh nonce each time, bound to what they are for.

import type { Random } from './random.ts'

const version = 'v1'
const nonceBytes = 12

export interface Sealer {
  /** `context` is bound in: a sealed value copied to another row does not open there. */
  seal(plain: string, context: string): Promise<string>
  /** Throws when the key, the context or a single bit is wrong. */
  open(sealed: string, context: string): Promise<string>
}

/** `secret` is SECRET_KEY, of any length; the AES key is derived from it (HKDF, RFC 5869). */
export async function createSealer(secret: string, random: Random): Promise<Sealer> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, ['deriveKey'])
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode('paquebot seal v1'),
  }
  const key = await crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
  const parameters = (nonce: Uint8Array, context: string) => ({
    name: 'AES-GCM',
    iv: new Uint8Array(nonce),
    additionalData: new TextEncoder().encode(context),
  })
  return {
    async seal(plain, context) {
      const nonce = random.bytes(nonceBytes)
      const sealed = await crypto.subtle.encrypt(parameters(nonce, context), key, new TextEncoder().encode(plain))
      return `${version}.${Buffer.from(nonce).toString('base64url')}.${Buffer.from(sealed).toString('base64url')}`
    },
    async open(sealed, context) {
      const [head, nonce, body] = sealed.split('.')
      if (head !== version || !nonce || !body) throw new Error('a sealed secret has an unknown form')
      const plain = await crypto.subtle.decrypt(
        parameters(Buffer.from(nonce, 'base64url'), context),
        key,
        Buffer.from(body, 'base64url'),
      )
      return new TextDecoder().decode(plain)
    },
  }
}
