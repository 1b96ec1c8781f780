// DKIM signatures (RFC 6376; Ed25519: RFC 8463), relaxed/relaxed, computed off the main thread.

import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { coalesce } from '../kit/coalesce.ts'
import { createPace } from '../kit/turn.ts'
import { type BodyPart, isLarge, type MimeMessage } from './mime.ts'

export interface DkimKey {
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  domain: string
  selector: string
  key: KeyObject
}

/** PKCS#8 private keys and public keys, base64; the public ones in the form of the DNS record. */
export interface DkimKeyPair {
  privateKey: string
  publicKey: string
}

const lf = 10

const rsaParameters = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const ed25519Parameters = { name: 'Ed25519' }
/** RFC 8301: at least 1024, 2048 recommended; longer keys do not fit one DNS string. */
const rsaBits = 2048

/** Signed once more often than they occur, so that adding another one breaks the signature (RFC 6376, 8.15). */
const overSigned = ['from', 'to', 'subject', 'date']
const signed = [
  ...overSigned,
  'cc',
  'message-id',
  'reply-to',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'cfbl-address',
  'cfbl-feedback-id',
]

export async function generateDkimKeys(): Promise<{ rsa: DkimKeyPair; ed25519: DkimKeyPair }> {
  const usages: KeyUsage[] = ['sign', 'verify']
  const rsaGeneration = { ...rsaParameters, modulusLength: rsaBits, publicExponent: new Uint8Array([1, 0, 1]) }
  const rsa = await crypto.subtle.generateKey(rsaGeneration, true, usages)
  const ed25519 = await crypto.subtle.generateKey(ed25519Parameters, true, usages)
  if (!('privateKey' in rsa) || !('privateKey' in ed25519)) throw new Error('key generation returned no key pair')
  return {
    rsa: { privateKey: await exported('pkcs8', rsa.privateKey), publicKey: await exported('spki', rsa.publicKey) },
    // RFC 8463, 4.2: the record holds the bare 32 bytes.
    ed25519: {
      privateKey: await exported('pkcs8', ed25519.privateKey),
      publicKey: await exported('raw', ed25519.publicKey),
    },
  }
}

async function exported(format: 'pkcs8' | 'spki' | 'raw', key: CryptoKey): Promise<string> {
  return Buffer.from(await crypto.subtle.exportKey(format, key)).toString('base64')
}

/** `privateKey` as generateDkimKeys() made it. */
export function importDkimKey(privateKey: string, about: Omit<DkimKey, 'key'>): DkimKey {
  return { ...about, key: createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' }) }
}

/** The TXT record of a public key (RFC 6376, 3.6.1). */
export function dkimRecord(algorithm: DkimKey['algorithm'], publicKey: string): string {
  return `v=DKIM1; k=${algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'}; p=${publicKey}`
}

/** Node's crypto instead of WebCrypto: with a callback it is faster, and also runs off the main thread. */
const signInBackground = promisify(sign)

/** What is signed at the same time is ready at the same moment: then its hand-overs and ends are long lists, too. */
const signTogether = coalesce(
  (take: () => { algorithm: 'sha256' | null; data: Buffer; key: KeyObject }[]) =>
    Promise.all(take().map(({ algorithm, data, key }) => signInBackground(algorithm, data, key))),
  { isGathering: true, beside: 16 },
)

/** The message with one DKIM-Signature header per key before its other headers. */
export async function signDkim(message: MimeMessage, keys: DkimKey[], now: Date): Promise<MimeMessage> {
  const bodyHash = await hashBody(message.body)
  const signatures = await Promise.all(keys.map((key) => signature(message, key, { bodyHash, now })))
  return {
    ...message,
    headers: [...signatures.map((value): [string, string] => ['DKIM-Signature', value]), ...message.headers],
  }
}

async function signature(
  message: MimeMessage,
  { algorithm, domain, selector, key }: DkimKey,
  { bodyHash, now }: { bodyHash: string; now: Date },
): Promise<string> {
  const names = signed.filter(
    (name) => overSigned.includes(name) || message.headers.some(([header]) => header.toLowerCase() === name),
  )
  const present = names.flatMap((name) => {
    const header = message.headers.find(([other]) => other.toLowerCase() === name)
    return header ? [header] : []
  })
  const listed = [...names, ...overSigned.filter((name) => present.some(([header]) => header.toLowerCase() === name))]
  const time = Math.floor(now.getTime() / 1_000)
  const unsigned =
    `v=1; a=${algorithm}; c=relaxed/relaxed; d=${domain};\r\n s=${selector}; t=${time};` +
    `\r\n h=${inLines(listed)};\r\n bh=${bodyHash};\r\n b=`
  const data = [...present.map(relaxedHeader), relaxedHeader(['DKIM-Signature', unsigned])].join('\r\n')
  const bytes = Buffer.from(data)
  const made = await signTogether(
    algorithm === 'rsa-sha256'
      ? { algorithm: 'sha256', data: bytes, key }
      : // RFC 8463, 3: Ed25519 signs the SHA-256 of the data.
        { algorithm: null, data: new Bun.CryptoHasher('sha256').update(bytes).digest(), key },
  )
  return unsigned + made.toString('base64').replace(/.{72}(?=.)/g, '$&\r\n  ')
}

/** RFC 6376, 3.4.2. */
function relaxedHeader([name, value]: [string, string]): string {
  return `${name.toLowerCase()}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`
}

/**
 * The canonical body (RFC 6376, 3.4.4): runs of spaces become one, and spaces at the end of a line and empty lines at the end are dropped.
 */
async function hashBody(body: BodyPart[]): Promise<string> {
  const pace = createPace()
  const hash = new Bun.CryptoHasher('sha256')
  let isEmpty = true
  let open = ''
  let lineEnds = ''
  for (const part of body) {
    await pace()
    if (isLarge(part) && isCanonical(part)) {
      hash.update(lineEnds).update(part.subarray(0, -2))
      isEmpty = false
      lineEnds = '\r\n'
      continue
    }
    if (typeof part === 'string') {
      open += part
      if (!part.endsWith('\r\n')) continue
    }
    const { text, ends } = typeof part === 'string' ? relaxed(open) : relaxedOnce(part)
    open = ''
    if (text !== '') {
      hash.update(lineEnds).update(text, 'latin1')
      isEmpty = false
      lineEnds = ''
    }
    lineEnds += ends
  }
  return (isEmpty ? hash : hash.update('\r\n')).digest('base64')
}

/** Whole lines as of base64: no spaces, and the last is not empty. */
function isCanonical(lines: Buffer): boolean {
  return !lines.includes(' ') && !lines.includes('\t') && lines.at(-1) === lf && lines.at(-3) !== lf
}

/** Whole lines, without the last line end. */
interface Relaxed {
  text: string
  ends: string
}

function relaxed(lines: string): Relaxed {
  const all = lines.replace(/[ \t]+/g, ' ').replace(/ \r\n/g, '\r\n')
  const text = withoutEndingLines(all)
  return { text, ends: all.slice(text.length) }
}

const relaxedBytes = new WeakMap<Buffer, Relaxed>()

/** The bytes of a revision are shared by its mails, so their canonical form is cached. */
function relaxedOnce(lines: Buffer): Relaxed {
  return relaxedBytes.getOrInsertComputed(lines, () => relaxed(lines.toString('latin1')))
}

function withoutEndingLines(text: string): string {
  let end = text.length
  while (text.endsWith('\r\n', end)) end -= 2
  return text.slice(0, end)
}

/** Separated by colons, some 60 characters a line. */
function inLines(names: string[]): string {
  let list = ''
  let line = 0
  for (const name of names) {
    if (line > 60) list += '\r\n  '
    line = (line > 60 ? 0 : line) + name.length + 1
    list += `${name}:`
  }
  return list.slice(0, -1)
}
