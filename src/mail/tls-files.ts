// A certificate with its key, from files that may be replaced while the server runs. The files are checked when a connection needs them, so
// no timer runs; if the new ones are broken, the previous ones stay in use.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** Absolute paths of PEM files. */
export interface TlsPaths {
  cert: string
  key: string
}

export interface TlsPair {
  cert: string
  key: string
}

/** Throws when they cannot be read, or do not belong together. */
export function readPair({ cert, key }: TlsPaths): TlsPair {
  const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
    throw new Error(`the key in ${key} is not that of the certificate in ${cert}`)
  return pair
}

/** `pair()`: as the files are now, or were when they were last whole. `onBroken` hears of each change that cannot be used. Throws at first. */
export function tlsFiles(paths: TlsPaths, onBroken: (error: unknown) => void): () => TlsPair {
  let seen = fileStamp(paths)
  let pair = readPair(paths)
  return () => {
    const stamp = fileStamp(paths)
    if (stamp === seen) return pair
    seen = stamp
    try {
      pair = readPair(paths)
    } catch (error) {
      onBroken(error)
    }
    return pair
  }
}

/** Changes when a file does. */
function fileStamp({ cert, key }: TlsPaths): string {
  return [cert, key]
    .map((path) => {
      const { ino, mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, mtimeMs: 0, size: 0 }
      return `${ino} ${mtimeMs} ${size}`
    })
    .join(', ')
}
