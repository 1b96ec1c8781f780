// The form of a backup: a tar of its files, compressed with zstd, sealed with age (https://age-encryption.org/v1). So it can also be opened
// without paquebot: `age -d FILE | zstd -d | tar x`.

import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Encrypter } from 'age-encryption'
import type { TarSource } from 'modern-tar/fs'
import { AppError } from '../../kit/error.ts'
import { privateFile, privateFolder } from '../../kit/private-file.ts'
import { filling, writeSteadily } from '../../kit/steady-file.ts'

/** A passphrase, or the public key of those who may open it. */
export type Seal = { passphrase: string } | { recipient: string }

/** A passphrase, or the secret key of a recipient; whatever is at hand. */
export interface Keys {
  passphrase?: string | undefined
  identity?: string | undefined
}

const sealedSuffix = '.age'
const packedSuffix = '.tar.zst'
/** How a sealed file begins. */
export const sealedBegin = 'age-encryption.org/'

type Bytes = AsyncIterable<Uint8Array<ArrayBuffer>>

/** `.tar.zst.age`, or `.tar.zst` without a seal. */
export function fileSuffix(seal: Seal | null): string {
  return seal === null ? packedSuffix : packedSuffix + sealedSuffix
}

/** Writes `path`, and forces it to the disk. Returns what opens it for as long as this process remembers. */
export async function pack(sources: TarSource[], path: string, seal: Seal | null): Promise<Keys> {
  const { packTar } = await import('modern-tar/fs')
  const { encrypter, keys } = await prepare(seal)
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const sealing = (bytes: Bytes) => (encrypter === null ? bytes : sealed(bytes, encrypter))
  await pipeline(packTar(sources), compress, sealing, (bytes: Bytes) => writeSteadily(path, bytes))
  return keys
}

/** Who has only a public key could not read back what it wrote: so it adds a key of its own, which nobody keeps. */
async function prepare(seal: Seal | null): Promise<{ encrypter: Encrypter | null; keys: Keys }> {
  if (seal === null) return { encrypter: null, keys: {} }
  const { Encrypter, generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const encrypter = new Encrypter()
  if ('passphrase' in seal) {
    encrypter.addRecipient((await import('./passphrase.ts')).passphraseRecipient(seal.passphrase))
    return { encrypter, keys: { passphrase: seal.passphrase } }
  }
  const identity = await generateX25519Identity()
  for (const recipient of [seal.recipient, await identityToRecipient(identity)]) encrypter.addRecipient(recipient)
  return { encrypter, keys: { identity } }
}

interface Expected {
  /** What people call the file. */
  known: string
  /** One that is not sealed anybody could have put there. Default: what its name says. */
  mustBeSealed?: boolean
}

/** Unpacks into `folder`. Throws AppError, in which the file is called `known`, when it cannot be opened, is damaged, or lacks its seal. */
export async function unpack(path: string, folder: string, keys: Keys, expected: Expected): Promise<void> {
  const { known, mustBeSealed = known.endsWith(sealedSuffix) } = expected
  const { unpackTar } = await import('modern-tar/fs')
  const isSealed = (await Bun.file(path).slice(0, sealedBegin.length).text()) === sealedBegin
  if (mustBeSealed && !isSealed)
    throw new AppError('conflict', `${known} is not sealed, or is damaged: it is not the original file`)
  const opening = (bytes: Bytes) => (isSealed ? opened(bytes, keys) : bytes)
  const unpacking = unpackTar(folder, { fmode: privateFile, dmode: privateFolder })
  try {
    await pipeline(createReadStream(path), opening, createZstdDecompress(), filling(folder), unpacking)
  } catch (error) {
    if (error instanceof AppError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('conflict', `${known} cannot be opened, or is damaged: ${reason}`)
  }
}

async function* sealed(bytes: Bytes, encrypter: Encrypter): AsyncGenerator<Uint8Array> {
  yield* await encrypter.encrypt(toStream(bytes))
}

async function* opened(bytes: Bytes, { passphrase, identity }: Keys): AsyncGenerator<Uint8Array> {
  if (passphrase === undefined && identity === undefined)
    throw new AppError(
      'conflict',
      'the backup is sealed: set BACKUP_PASSPHRASE, or name the file of a key with --identity',
    )
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  if (passphrase !== undefined) decrypter.addIdentity((await import('./passphrase.ts')).passphraseIdentity(passphrase))
  if (identity !== undefined) decrypter.addIdentity(identity)
  yield* await decrypter.decrypt(toStream(bytes))
}

function toStream(bytes: Bytes): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = bytes[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
