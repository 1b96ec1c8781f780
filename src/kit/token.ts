// Secrets that we hand out. An API key carries a checksum, so a mistyped or invented key is refused without a look-up. Only their SHA-256
// is stored (kit/digest).

import type { IdSource } from './id.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyPrefix = 'pqk_'
const testKeyPrefix = 'pqk_test_'
const keyRandomChars = 32
const checksumChars = 6
const keyPattern = /^pqk_(?:test_)?[0-9A-Za-z]{38}$/
/** How many characters of a key are stored in the clear, so that people can tell keys apart. */
const keyHintChars = 6
const secretBytes = 32
/** The largest multiple of 62 up to 256: higher bytes are discarded, so that all characters are equally likely. */
const unbiasedBytes = 248

/** `pqk_`, of a test workspace `pqk_test_`, + 32 base62 characters (190 bits) + the CRC32 of it all as 6 base62 characters. */
export function newApiKey(source: IdSource, kind: 'real' | 'test' = 'real'): string {
  const body = (kind === 'test' ? testKeyPrefix : keyPrefix) + randomBase62(source, keyRandomChars)
  return body + checksum(body)
}

/** True when `text` has the form of an API key and a correct checksum. It may still not exist. */
export function isApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false
  const body = text.slice(0, -checksumChars)
  return text === body + checksum(body)
}

/** The part of an API key that may be shown again: `pqk_3fA9xK`. */
export function apiKeyHint(apiKey: string): string {
  const prefix = apiKey.startsWith(testKeyPrefix) ? testKeyPrefix : keyPrefix
  return apiKey.slice(0, prefix.length + keyHintChars)
}

/** 256 random bits as 43 base64url characters: sessions, one-time links, mailbox tokens. */
export function newSecretToken(source: IdSource): string {
  return Buffer.from(source.random.bytes(secretBytes)).toString('base64url')
}

const mailboxTokenPrefix = 'mbtok_'
const mailboxTokenPattern = /^mbtok_[A-Za-z0-9_-]{43}$/

/** `mbtok_` + 43 base64url characters. */
export function newMailboxToken(source: IdSource): string {
  return mailboxTokenPrefix + newSecretToken(source)
}

/** True when `text` has the form of a mailbox token. It may still not exist. */
export function isMailboxToken(text: string): boolean {
  return mailboxTokenPattern.test(text)
}

/** The part of a mailbox token that may be shown again: `mbtok_3fA9xK`. */
export function mailboxTokenHint(token: string): string {
  return token.slice(0, mailboxTokenPrefix.length + 6)
}

const oauthPrefixes = { code: 'pqc_', access: 'pqo_', refresh: 'pqr_' } as const
export type OAuthTokenKind = keyof typeof oauthPrefixes
const secretPattern = /^[A-Za-z0-9_-]{43}$/

/** What a client of OAuth gets: a prefix for its kind and 43 base64url characters. */
export function newOAuthToken(source: IdSource, kind: OAuthTokenKind): string {
  return oauthPrefixes[kind] + newSecretToken(source)
}

/** True when `text` has the form of one of that kind. It may still not exist. */
export function isOAuthToken(text: string, kind: OAuthTokenKind): boolean {
  const prefix = oauthPrefixes[kind]
  return text.startsWith(prefix) && secretPattern.test(text.slice(prefix.length))
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let count = 0; count < checksumChars; count++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

function randomBase62(source: IdSource, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of source.random.bytes(length)) {
      if (byte < unbiasedBytes && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}
