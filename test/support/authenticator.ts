// A device with passkeys, as software: what a browser and its authenticator answer, and what a broken or hostile one would. A real
// browser with a virtual authenticator is in test/passkeys.test.ts too.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'

type Kind = 'ES256' | 'EdDSA' | 'RS256'

/** What may be wrong with an answer. */
export interface Twist {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  topOrigin?: string
  /** Present 1, verified 4, may be backed up 8, is backed up 16. */
  flags?: number
  counter?: number
  userHandle?: string | null
  /** Changes one bit of it. */
  signature?: 'broken'
  /** In place of the COSE key. */
  key?: CBORType
  attestationObject?: string
}

interface Options {
  challenge: string
}

const bytes = (value: string | Uint8Array) => Buffer.from(value).toString('base64url')
const verified = 0x05
const attested = 0x40

export function authenticator(origin: string, kind: Kind = 'ES256') {
  const { privateKey, publicKey } = keysOf(kind)
  const host = new URL(origin).hostname
  const id = bytes(
    createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest(),
  )
  let handle: string | null = null

  const clientData = (type: string, { challenge }: Options, twist: Twist) => {
    const { crossOrigin = false, topOrigin } = twist
    const said = { type: twist.type ?? type, challenge: twist.challenge ?? challenge, origin: twist.origin ?? origin }
    return Buffer.from(JSON.stringify({ ...said, crossOrigin, ...(topOrigin === undefined ? {} : { topOrigin }) }))
  }
  const head = ({ rpId = host, flags = verified, counter = 0 }: Twist, more = 0) => {
    const data = Buffer.alloc(37)
    createHash('sha256').update(rpId).digest().copy(data)
    data.writeUInt8(flags | more, 32)
    data.writeUInt32BE(counter, 33)
    return data
  }

  return {
    id,
    /** The answer of navigator.credentials.create(). */
    create(options: Options & { user: { id: string } }, twist: Twist = {}) {
      handle = options.user.id
      const length = Buffer.alloc(2)
      const credentialId = Buffer.from(id, 'base64url')
      length.writeUInt16BE(credentialId.length)
      const key = encodeCBOR(twist.key ?? coseOf(publicKey, kind))
      const authData = Buffer.concat([head(twist, attested), Buffer.alloc(16), length, credentialId, key])
      const object = new Map<string | number, CBORType>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(authData)],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: bytes(clientData('webauthn.create', options, twist)),
          attestationObject: twist.attestationObject ?? bytes(encodeCBOR(object)),
          transports: ['internal'],
        },
      }
    },
    /** The answer of navigator.credentials.get(). */
    get(options: Options, twist: Twist = {}) {
      const data = head(twist)
      const said = clientData('webauthn.get', options, twist)
      const signed = Buffer.concat([data, createHash('sha256').update(said).digest()])
      const signature = sign(kind === 'EdDSA' ? null : 'sha256', signed, privateKey)
      if (twist.signature === 'broken') signature.writeUInt8(signature.readUInt8(40) ^ 1, 40)
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: bytes(said),
          authenticatorData: bytes(data),
          signature: bytes(signature),
          userHandle: twist.userHandle === undefined ? handle : twist.userHandle,
        },
      }
    },
  }
}

function keysOf(kind: Kind): { privateKey: KeyObject; publicKey: KeyObject } {
  if (kind === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return kind === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2_048 })
}

/** A public key as COSE has it (RFC 9052, 7). */
function coseOf(key: KeyObject, kind: Kind): CBORType {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const part = (value: string) => Uint8Array.from(Buffer.from(value, 'base64url'))
  if (kind === 'ES256') return cose([1, 2], [3, -7], [-1, 1], [-2, part(x)], [-3, part(y)])
  if (kind === 'EdDSA') return cose([1, 1], [3, -8], [-1, 6], [-2, part(x)])
  return cose([1, 3], [3, -257], [-1, part(n)], [-2, part(e)])
}

export function cose(...entries: [number, CBORType][]): CBORType {
  return new Map<string | number, CBORType>(entries)
}
