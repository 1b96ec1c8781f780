// Verifies the answer of a browser (WebAuthn Level 3, 7.1 and 7.2). Attestation is neither requested nor read: any authenticator will do,
// so no certificate is ever parsed. A refusal carries a reason that people can read.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { type CBORType, decodePartialCBOR } from '@levischuck/tiny-cbor'
import { parseForeignJson } from '../../../kit/json.ts'
import { ownValue } from '../../../kit/own-value.ts'

export interface Expected {
  /** As base64url. */
  challenge: string
  /** Of the page that asked. */
  origin: string
  /** The relying party: a host name. */
  rpId: string
}

/** All as base64url. */
export interface RegistrationAnswer {
  clientDataJSON: string
  attestationObject: string
}

export interface AuthenticationAnswer {
  clientDataJSON: string
  authenticatorData: string
  signature: string
}

export interface NewCredential {
  credentialId: string
  publicKey: JsonWebKey
  counter: number
  isBackupEligible: boolean
  isBackedUp: boolean
}

export interface KnownCredential {
  publicKey: JsonWebKey
  counter: number
  isBackupEligible: boolean
}

/** COSE algorithms (RFC 9053): EdDSA, ES256, RS256, the preferred first. */
export const algorithms = [-8, -7, -257]

const flags = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 }
const headBytes = 37
const aaguidBytes = 16
const maxCredentialIdBytes = 1_023
const maxExponentBytes = 4
const rsaBytes = { min: 256, max: 512 }

/** The credential that was made, or why it is not taken. */
export function readRegistration(answer: RegistrationAnswer, expected: Expected): NewCredential | string {
  const refusal = clientDataRefusal(answer.clientDataJSON, 'webauthn.create', expected)
  if (refusal !== null) return refusal
  const data = attestedData(answer.attestationObject)
  if (data === null) return 'what the authenticator said cannot be read'
  const credential = readCredential(data)
  if (credential === null) return 'the key type is not supported (EdDSA, ES256, RS256)'
  return dataRefusal(data, expected) ?? { ...credential, counter: readCounter(data), ...readBackupFlags(data) }
}

/** What is new about the credential, or why its answer proves nothing. */
export function readAuthentication(
  answer: AuthenticationAnswer,
  known: KnownCredential,
  expected: Expected,
): { counter: number; isBackedUp: boolean } | string {
  const refusal = clientDataRefusal(answer.clientDataJSON, 'webauthn.get', expected)
  if (refusal !== null) return refusal
  const data = decodeBytes(answer.authenticatorData)
  if (data.length < headBytes) return 'what the authenticator said cannot be read'
  const { isBackupEligible, isBackedUp } = readBackupFlags(data)
  const counter = readCounter(data)
  const refused = dataRefusal(data, expected)
  if (refused !== null) return refused
  if (isBackupEligible !== known.isBackupEligible) return 'it can be copied now, or no longer, which never changes'
  if (!isSigned(answer, known.publicKey)) return 'its signature is wrong'
  // Where one side counts, a number that does not grow means that the key exists twice.
  if ((counter > 0 || known.counter > 0) && counter <= known.counter) return 'another copy of it was used since'
  return { counter, isBackedUp }
}

function clientDataRefusal(encoded: string, type: string, { challenge, origin }: Expected): string | null {
  const data = parsed(encoded)
  if (data === null) return 'what the browser said cannot be read'
  if (data['type'] !== type) return 'it answers another question'
  if (data['challenge'] !== challenge) return 'it answers another challenge'
  if (data['origin'] !== origin) return `it was requested by another origin than ${origin}`
  if (data['crossOrigin'] === true || data['topOrigin'] !== undefined)
    return 'it was requested inside a page of another site'
  return null
}

function parsed(encoded: string): Record<string, unknown> | null {
  try {
    const value = parseForeignJson(decodeBytes(encoded).toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/** The checks of every answer: it is for this site, and the user was present and verified by the device. */
function dataRefusal(data: Buffer, { rpId }: Expected): string | null {
  if (!data.subarray(0, 32).equals(createHash('sha256').update(rpId).digest())) return `it is not for ${rpId}`
  if (!has(data, flags.present)) return 'the user was not present'
  if (!has(data, flags.verified)) return 'the device did not ask for a finger, a face or a PIN'
  if (has(data, flags.backedUp) && !has(data, flags.backupEligible)) return 'it is copied and cannot be'
  return null
}

function has(data: Buffer, flag: number): boolean {
  return (data.readUInt8(32) & flag) !== 0
}

function readCounter(data: Buffer): number {
  return data.readUInt32BE(33)
}

function readBackupFlags(data: Buffer): { isBackupEligible: boolean; isBackedUp: boolean } {
  return { isBackupEligible: has(data, flags.backupEligible), isBackedUp: has(data, flags.backedUp) }
}

/** The authenticator data inside an attestation object. */
function attestedData(encoded: string): Buffer | null {
  const object = decoded(decodeBytes(encoded), 0)
  const data = object instanceof Map ? object.get('authData') : null
  return data instanceof Uint8Array && data.length >= headBytes ? Buffer.from(data) : null
}

function readCredential(data: Buffer): { credentialId: string; publicKey: JsonWebKey } | null {
  const idAt = headBytes + aaguidBytes + 2
  if (!has(data, flags.attested) || data.length < idAt) return null
  const length = data.readUInt16BE(idAt - 2)
  const keyAt = idAt + length
  if (length === 0 || length > maxCredentialIdBytes || keyAt >= data.length) return null
  const publicKey = toJwk(decoded(data, keyAt))
  return publicKey && { credentialId: data.toString('base64url', idAt, keyAt), publicKey }
}

/** A COSE key (RFC 9052, 7) as a JSON web key. */
function toJwk(cose: CBORType): JsonWebKey | null {
  if (!(cose instanceof Map)) return null
  const part = (label: number) => {
    const value = cose.get(label)
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : ''
  }
  const kinds: Record<string, JsonWebKey> = {
    '1 -8 6': { kty: 'OKP', crv: 'Ed25519', x: part(-2) },
    '2 -7 1': { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) },
    '3 -257': { kty: 'RSA', n: part(-1), e: part(-2) },
  }
  const [kty, algorithm, curve] = [cose.get(1), cose.get(3), cose.get(-1)]
  const key = ownValue(kinds, kty === 3 ? `${kty} ${algorithm}` : `${kty} ${algorithm} ${curve}`)
  return key && isUsable(key) ? key : null
}

/** On its curve; or long enough to be safe, and short enough to be quick. */
function isUsable(key: JsonWebKey): boolean {
  try {
    createPublicKey({ key, format: 'jwk' })
  } catch {
    return false
  }
  if (key.n === undefined || key.e === undefined) return true
  const [modulus, exponent] = [decodeBytes(key.n).length, decodeBytes(key.e).length]
  return modulus >= rsaBytes.min && modulus <= rsaBytes.max && exponent <= maxExponentBytes
}

function isSigned({ clientDataJSON, authenticatorData, signature }: AuthenticationAnswer, key: JsonWebKey): boolean {
  const signed = Buffer.concat([
    decodeBytes(authenticatorData),
    createHash('sha256').update(decodeBytes(clientDataJSON)).digest(),
  ])
  const publicKey = createPublicKey({ key, format: 'jwk' })
  return verify(key.kty === 'OKP' ? null : 'sha256', signed, publicKey, decodeBytes(signature))
}

function decoded(bytes: Buffer, at: number): CBORType {
  try {
    // A copy: the decoder looks at the whole memory behind a view, and a Buffer may share its own.
    return decodePartialCBOR(Uint8Array.from(bytes), at)[0]
  } catch {
    return null
  }
}

function decodeBytes(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}
