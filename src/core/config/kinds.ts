// Kinds of values that several settings share.

import { isAbsolute, resolve } from 'node:path'
import { parseAddress } from '../../kit/email-address.ts'
import { ConfigError } from '../../kit/environment.ts'

/** Of a secret that somebody chose. */
export const minSecretLength = 16

export function absolute(path: string, directory: string): string {
  return isAbsolute(path) ? path : resolve(directory, path)
}

/** Undefined stays so. */
export function readDomain(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const parsed = parseAddress(`postmaster@${value}`)
  if (!parsed.ok) throw new ConfigError(`${name} must be a domain like in.example.com, not ${JSON.stringify(value)}`)
  return parsed.domain
}
