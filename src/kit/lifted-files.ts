// Files that a JSON body brings as base64. Strings of megabytes would be copied to the main thread, and then decoded and collected as garbage
// there; so the thread that parses the body decodes the large ones, into memory that threads share, and leaves a token in their place. Whoever
// reads a file, or hashes the body, asks here what a text stands for.

import { base64Slices, decodeBase64, decodedLength } from './base64.ts'

/** Smaller ones stay where they are. */
const largeChars = 64 * 1024

export interface LiftedFile {
  token: string
  data: Uint8Array
}

/** Of all requests that are being answered. A token cannot be guessed, and is no base64: one that stands for nothing is refused as such. */
const files = new Map<string, Buffer>()
const tokens = /file:[0-9a-f]{36}\.\d{1,6}/g

/** Takes the files out of the mails of a body, for the thread that parses it. `secret`: 36 hex digits that nobody outside knows. */
export async function liftFiles(body: unknown, secret: string): Promise<LiftedFile[]> {
  const lifted: LiftedFile[] = []
  for (const attachment of mailsOf(body).flatMap(attachmentsOf)) {
    for (const name of ['data', 'content', 'Content', 'RawContent']) {
      const data = await lift(attachment[name])
      if (!data) continue
      const token = `file:${secret}.${lifted.length}`
      attachment[name] = token
      lifted.push({ token, data })
    }
  }
  return lifted
}

async function lift(text: unknown): Promise<Buffer | null> {
  if (typeof text !== 'string' || text.length < largeChars || text.length % 4 !== 0) return null
  const data = Buffer.from(new SharedArrayBuffer(decodedLength(text)))
  // What is malformed is refused with its place, by whoever reads it.
  return (await decodeBase64(text, data)) === 'decoded' ? data : null
}

type Members = Record<string, unknown>

/** A body is one mail, or a list of them, or has them inside. */
function mailsOf(body: unknown): Members[] {
  const { messages, Messages, Content } = isMembers(body) ? body : {}
  const simple = isMembers(Content) ? Content['Simple'] : undefined
  return [body, simple, ...[body, messages, Messages].flatMap((list) => (Array.isArray(list) ? list : []))].filter(
    isMembers,
  )
}

function attachmentsOf({ attachments, Attachments }: Members): Members[] {
  return [attachments, Attachments].flatMap((list) => (Array.isArray(list) ? list.filter(isMembers) : []))
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Knows them until the returned function is called. */
export function holdFiles(lifted: LiftedFile[]): () => void {
  for (const { token, data } of lifted) files.set(token, Buffer.from(data.buffer, data.byteOffset, data.byteLength))
  return () => {
    for (const { token } of lifted) files.delete(token)
  }
}

/** The file that a text stands for; null for any other text. */
export function liftedFile(text: string): Buffer | null {
  return files.get(text) ?? null
}

/** JSON as it came, in parts: with its files in base64. */
export function* withFiles(json: string): Generator<string> {
  let from = 0
  for (const { 0: name, index } of json.matchAll(tokens)) {
    const file = files.get(name)
    if (!file) continue
    yield json.slice(from, index)
    yield* base64Slices(file)
    from = index + name.length
  }
  yield json.slice(from)
}
