// Unpacks one file (gzip, a ZIP archive with one file, or as it is) as a stream within a limit, so that a few bytes which unpack to gigabytes
// cost no memory and a bounded time. An archive inside of an archive is refused.

import { createGunzip, createInflateRaw } from 'node:zlib'
import { AppError } from './error.ts'
import { isZip, onlyFile } from './zip.ts'

/** It is not unpacked; the message says why, as a clause. */
export class UnpackFault extends Error {}

const chunkSize = 64 * 1024

/** Throws UnpackFault, also in the middle. */
export async function* unpacked(bytes: Buffer, maxBytes: number): AsyncGenerator<Buffer> {
  let total = 0
  for await (const chunk of contentOf(bytes)) {
    if (total === 0 && isPacked(chunk)) throw new UnpackFault('it is an archive inside of an archive')
    total += chunk.length
    if (total > maxBytes) throw new UnpackFault(`it has more than ${maxBytes} bytes unpacked`)
    yield chunk
  }
}

function contentOf(bytes: Buffer): AsyncIterable<Buffer> | Iterable<Buffer> {
  if (isGzip(bytes)) return throughZlib(createGunzip({ chunkSize }), bytes)
  if (!isZip(bytes)) return slices(bytes)
  const { packed, isDeflated } = fileOf(bytes)
  return isDeflated ? throughZlib(createInflateRaw({ chunkSize }), packed) : slices(packed)
}

function isPacked(bytes: Buffer): boolean {
  return isGzip(bytes) || isZip(bytes)
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

function fileOf(bytes: Buffer): ReturnType<typeof onlyFile> {
  try {
    return onlyFile(bytes)
  } catch (error) {
    if (error instanceof AppError) throw new UnpackFault(error.message)
    throw error
  }
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
}

async function* throughZlib(stream: ReturnType<typeof createGunzip>, packed: Buffer): AsyncGenerator<Buffer> {
  stream.end(packed)
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UnpackFault('it is damaged')
    throw error
  } finally {
    stream.destroy()
  }
}
