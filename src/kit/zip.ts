// ZIP archives (APPNOTE 6.3), read in memory and within limits, and written uncompressed. Nothing is unpacked to a disk. An archive that
// names files outside of itself, or that grows beyond the limit, is refused whole.

import { crc32, inflateRaw } from 'node:zlib'
import { AppError } from './error.ts'

export interface ZipFile {
  /** With its folders: `lists/people.csv`. */
  name: string
  bytes: Buffer
}

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 }
const sizes = { local: 30, central: 46, end: 22 }
const methods = { stored: 0, deflated: 8 }
const encrypted = 1
const maxFiles = 1_000
const maxComment = 65_535

export function isZip(bytes: Buffer): boolean {
  return bytes.length >= sizes.end && [signatures.local, signatures.end].includes(bytes.readUInt32LE(0))
}

/**
 * Its files without folders, or those of them that are wanted. Throws 422 for an archive that cannot be read safely, 413 when its files are
 * too large together.
 */
export async function readZip(
  bytes: Buffer,
  maxBytes: number,
  isWanted: (name: string) => boolean = () => true,
): Promise<ZipFile[]> {
  const files: ZipFile[] = []
  let left = maxBytes
  for (const entry of readEntries(bytes)) {
    if (entry.name.endsWith('/') || !isWanted(entry.name)) continue
    expectPlainName(entry.name)
    const content = await readContent(bytes, entry, left)
    left -= content.length
    files.push({ name: entry.name, bytes: content })
  }
  return files
}

interface Entry {
  name: string
  method: number
  packedSize: number
  offset: number
}

function readEntries(bytes: Buffer): Entry[] {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end === -1 || end + sizes.end > bytes.length || bytes.length - end > sizes.end + maxComment)
    throw broken('it has no directory')
  const count = bytes.readUInt16LE(end + 10)
  if (count > maxFiles) throw broken(`it has more than ${maxFiles} files`)
  const entries: Entry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let number = 0; number < count; number++) {
    if (at + sizes.central > end || bytes.readUInt32LE(at) !== signatures.central)
      throw broken('its directory is damaged')
    if ((bytes.readUInt16LE(at + 8) & encrypted) !== 0) throw broken('it is encrypted')
    const nameEnd = at + sizes.central + bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString('utf8', at + sizes.central, nameEnd),
      method: bytes.readUInt16LE(at + 10),
      packedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    })
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function expectPlainName(name: string): void {
  const isOutside = name.startsWith('/') || /(^|\/)\.\.(\/|$)|[\\:\p{Cc}\ufffd]/u.test(name)
  if (isOutside || name === '') throw broken(`it names a file ${JSON.stringify(name.slice(0, 80))}`)
}

/** The file of an archive that has exactly one, still packed. Throws 422 as readZip() does, and for more than one. */
export function onlyFile(bytes: Buffer): { packed: Buffer; isDeflated: boolean } {
  const [entry, second] = readEntries(bytes).filter(({ name }) => !name.endsWith('/'))
  if (entry === undefined || second !== undefined) throw broken('it must have exactly one file')
  return { packed: packedContent(bytes, entry), isDeflated: entry.method === methods.deflated }
}

async function readContent(bytes: Buffer, entry: Entry, maxBytes: number): Promise<Buffer> {
  const packed = packedContent(bytes, entry)
  if (entry.method === methods.deflated) return await inflated(packed, maxBytes)
  if (packed.length > maxBytes) throw tooLarge()
  return packed
}

function packedContent(bytes: Buffer, { method, packedSize, offset, name }: Entry): Buffer {
  if (offset + sizes.local > bytes.length || bytes.readUInt32LE(offset) !== signatures.local)
    throw broken('its directory is damaged')
  const start = offset + sizes.local + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (start + packedSize > bytes.length) throw broken('it is cut off')
  if (method !== methods.deflated && method !== methods.stored)
    throw broken(`${name.slice(0, 80)} is packed in a way that is not known`)
  return bytes.subarray(start, start + packedSize)
}

async function inflated(packed: Buffer, maxOutputLength: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  inflateRaw(packed, { maxOutputLength: Math.max(1, maxOutputLength) }, (error, content) => {
    if (error === null) resolve(content)
    else reject('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : broken('it is damaged'))
  })
  return await promise
}

function broken(why: string): AppError {
  return new AppError('validation_failed', `The ZIP archive cannot be read: ${why}.`)
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The files of the ZIP archive are too large together.')
}

/** An archive of these files, stored as they are. */
export function writeZip(files: ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const path = Buffer.from(name)
    const local = header(signatures.local, sizes.local, 4, bytes, path)
    const central = header(signatures.central, sizes.central, 6, bytes, path)
    central.writeUInt32LE(offset, 42)
    parts.push(local, path, bytes)
    directory.push(central, path)
    offset += local.length + path.length + bytes.length
  }
  const end = Buffer.alloc(sizes.end)
  end.writeUInt32LE(signatures.end)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** What a file's own header and the directory have alike, from `at` on. */
function header(signature: number, size: number, at: number, bytes: Buffer, path: Buffer): Buffer {
  const utf8Name = 0x0800
  const head = Buffer.alloc(size)
  head.writeUInt32LE(signature)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(20, at)
  head.writeUInt16LE(utf8Name, at + 2)
  head.writeUInt32LE(crc32(bytes), at + 10)
  head.writeUInt32LE(bytes.length, at + 14)
  head.writeUInt32LE(bytes.length, at + 18)
  head.writeUInt16LE(path.length, at + 22)
  return head
}
