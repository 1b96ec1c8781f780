// Plain text of any kind: what its first bytes say, else UTF-8, else the encoding of old Windows, in which every byte is a letter.

import { UnreadableFile } from './reading.ts'

/** Throws UnreadableFile for what is no text. */
export function decodeText(bytes: Buffer): string {
  const text = decode(bytes)
  if (text.includes('\0'))
    throw new UnreadableFile('It is said to be text, but it is not: it has bytes that no text has.')
  return text
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
