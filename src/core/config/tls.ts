// Certificates of our own listeners, from PEM files.

import { readFileSync } from 'node:fs'
import { ConfigError, type Reader } from '../../kit/environment.ts'
import { absolute } from './kinds.ts'

export interface TlsFiles {
  key: string
  cert: string
}

/** Of `listener`, e.g. INBOUND. Both files, or neither. */
export function readTls({ text }: Reader, listener: string, directory: string): TlsFiles | undefined {
  const names = { cert: `${listener}_TLS_CERT`, key: `${listener}_TLS_KEY` }
  const [cert, key] = [text(names.cert), text(names.key)]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw new ConfigError(`${names.cert} and ${names.key} must be set together`)
  }
  return { cert: readPem(names.cert, cert, directory), key: readPem(names.key, key, directory) }
}

function readPem(name: string, path: string, directory: string): string {
  const file = absolute(path, directory)
  try {
    const text = readFileSync(file, 'utf8')
    if (text.includes('-----BEGIN ')) return text
  } catch {
    // Reported below.
  }
  throw new ConfigError(`${name} must be the path of a PEM file that can be read, not ${JSON.stringify(path)}`)
}
