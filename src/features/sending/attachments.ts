// Attachments of a send: limits are by decoded size, computed before anything is decoded, and the content must match its type. A file name
// is kept as given, in any script; a misleading one is refused.

import { isUtf8 } from 'node:buffer'
import { decodeBase64, decodedLength } from '../../kit/base64.ts'
import { isContentId } from '../../kit/content-id.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { liftedFile } from '../../kit/lifted-files.ts'
import { ownValue } from '../../kit/own-value.ts'
import { createPace, type Pace } from '../../kit/turn.ts'
import {
  allowedAttachments,
  allowedAttachmentTypes,
  defaultAttachmentTypes,
  refuseProgram,
} from '../../people/attachment-types.ts'
import type { Workspace } from '../../people/workspaces.ts'

const maxAttachmentBytes = 10 * 1024 * 1024
const maxAttachmentsTotalBytes = 20 * 1024 * 1024
/** The longest name that a file system accepts. */
const maxFilenameBytes = 255

/** How files of these types begin. */
const beginnings: Record<string, string> = {
  'application/pdf': '%PDF-',
  'application/zip': 'PK',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'PK',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'PK',
  'image/gif': 'GIF8',
  'image/jpeg': '\xff\xd8\xff',
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/webp': 'RIFF',
}

export interface AttachmentInput {
  filename: string
  contentType: string
  /** Base64 (RFC 4648, section 4), padded, without white space; or what stands for a file (kit/lifted-files.ts). */
  data: string
  /** For a picture that the HTML shows as `cid:…`. */
  contentId?: string | undefined
}

export interface Attachment {
  filename: string
  /** In lower case; text with its charset, if known. */
  contentType: string
  data: Buffer
  contentId: string | null
}

/** Validates all and decodes them piece by piece. Throws 413 for a size, 422 for anything else. */
export async function readAttachments(
  workspace: Pick<Workspace, 'attachmentTypes' | 'maxAttachments'>,
  inputs: AttachmentInput[],
): Promise<Attachment[]> {
  const allowed = allowedAttachmentTypes(workspace)
  const pace = createPace()
  checkCount(inputs, allowedAttachments(workspace))
  checkContentIds(inputs)
  const sizes = inputs.map((input, index) => decodedSize(input.data, `attachments[${index}].data`))
  checkSizes(sizes)
  const attachments: Attachment[] = []
  for (const [index, input] of inputs.entries())
    attachments.push(await readOne(input, `attachments[${index}]`, { allowed, pace }))
  return attachments
}

/** Pictures that the HTML shows count too. */
function checkCount({ length }: AttachmentInput[], most: number): void {
  if (length > most) throw issue('too_many_attachments', 'attachments', `at most ${most} attachments, not ${length}`)
}

function checkContentIds(inputs: AttachmentInput[]): void {
  const known = new Set<string>()
  for (const [index, { contentId }] of inputs.entries()) {
    if (contentId === undefined) continue
    const path = `attachments[${index}].contentId`
    if (!isContentId(contentId)) {
      const message =
        'must be like logo or logo@example.com: letters, digits and . _ + = ~ -, without "cid:" and brackets'
      throw invalidField(path, message)
    }
    if (known.has(contentId)) throw invalidField(path, 'is that of another attachment too', 'duplicate')
    known.add(contentId)
  }
}

/** Throws 413 when one attachment, or all together, are too large (decoded bytes). */
export function checkSizes(sizes: number[]): void {
  const large = sizes.findIndex((size) => size > maxAttachmentBytes)
  if (large >= 0) {
    const message = `is ${sizes[large]} bytes decoded; the limit is ${maxAttachmentBytes} (10 MB)`
    throw issue('attachment_too_large', `attachments[${large}].data`, message)
  }
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > maxAttachmentsTotalBytes) {
    const message = `are ${total} bytes decoded in all; the limit is ${maxAttachmentsTotalBytes} (20 MB)`
    throw issue('attachment_too_large', 'attachments', message)
  }
}

function issue(
  code: 'too_many_attachments' | 'attachment_too_large' | 'attachment_type_not_allowed',
  path: string,
  message: string,
) {
  const errors: Issue[] = [{ path, message, code }]
  return new AppError(code, `${path}: ${message}`, { errors })
}

const strictly = 'must be padded base64 without white space (RFC 4648, section 4)'

/** By arithmetic only: nothing is decoded for a refusal. */
function decodedSize(base64: string, path: string): number {
  const lifted = liftedFile(base64)
  if (lifted) return lifted.length
  if (base64.length % 4 !== 0) throw invalidField(path, strictly)
  return decodedLength(base64)
}

interface Reading {
  allowed: string[]
  pace: Pace
}

async function readOne(input: AttachmentInput, path: string, { allowed, pace }: Reading): Promise<Attachment> {
  const { type, charset } = readContentType(input.contentType, `${path}.contentType`, allowed)
  const data = liftedFile(input.data) ?? (await decode(input.data, `${path}.data`, pace))
  const isOfText = type.startsWith('text/')
  const begins = ownValue(beginnings, type) ?? ''
  const fits = (!isOfText || isText(data, charset)) && (data.length === 0 || startsWith(data, begins))
  if (!fits) {
    const message = `is not ${input.contentType}: its content looks like something else`
    throw issue('attachment_type_not_allowed', `${path}.data`, message)
  }
  const contentType = isOfText ? textType(type, charset, data) : type
  const filename = checkedFilename(input.filename, `${path}.filename`)
  if (!defaultAttachmentTypes.includes(type)) refuseProgram({ filename, data }, path)
  return { filename, contentType, data, contentId: input.contentId ?? null }
}

/** `TEXT/CSV; charset=ISO-8859-1; header=present` (RFC 2045, 5.1). Only the charset of a text is kept. */
function readContentType(given: string, path: string, allowed: string[]): { type: string; charset: string | null } {
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim())
  const name = type.toLowerCase()
  if (!allowed.includes(name)) {
    const message = `must be one of ${allowed.join(', ') || 'none'}, not ${JSON.stringify(given.slice(0, 100))}`
    throw issue('attachment_type_not_allowed', path, message)
  }
  const pairs = parameters.filter((part) => part !== '').map((part) => parameter.exec(part)?.groups)
  if (pairs.includes(undefined)) throw invalidField(path, 'must have parameters like charset=utf-8', 'invalid_type')
  const charset = pairs.find((pair) => pair?.name?.toLowerCase() === 'charset')
  const value = (charset?.quoted ?? charset?.token)?.toLowerCase() ?? null
  if (value !== null && !/^[a-z0-9][a-z0-9._:+-]{0,39}$/.test(value))
    throw invalidField(path, 'must have a charset like utf-8 or iso-8859-1', 'invalid_type')
  return { type: name, charset: value }
}

const parameter =
  /^(?<name>[\w.+-]{1,50})\s*=\s*(?:"(?<quoted>[^"\\\x00-\x1f\x7f]{0,100})"|(?<token>[^\s"(),/:;<=>?@[\\\]]{1,100}))$/

async function decode(base64: string, path: string, pace: Pace): Promise<Buffer> {
  const data = Buffer.allocUnsafeSlow(decodedLength(base64))
  const result = await decodeBase64(base64, data, pace)
  if (result === 'malformed') throw invalidField(path, strictly)
  if (result === 'not canonical')
    throw invalidField(path, 'must be canonical base64: unused bits are zero (RFC 4648, 3.5)')
  return data
}

function startsWith(data: Buffer, magic: string): boolean {
  return data.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1'))
}

/** Charsets in which text contains zero bytes; no other text does. */
const wide = /^(utf-?(16|32)|ucs-?[24]|iso-10646-ucs)/

function isText(data: Buffer, charset: string | null): boolean {
  if (charset === 'utf-8' || charset === 'utf8') return isUtf8(data) && !data.includes(0)
  const isWide = charset === null ? startsWith(data, '\xff\xfe') || startsWith(data, '\xfe\xff') : wide.test(charset)
  return isWide || !data.includes(0)
}

/** Text without a charset is labelled UTF-8 if it is valid UTF-8; otherwise it is left to the reader. */
function textType(type: string, charset: string | null, data: Buffer): string {
  const known = charset ?? (data.length > 0 && isUtf8(data) ? 'utf-8' : null)
  return known === null ? type : `${type}; charset=${known}`
}

/** Line breaks and other control characters, path separators, and characters that change the text direction. */
const unsafeInNames = /[\x00-\x1f\x7f-\x9f/\\\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u

function checkedFilename(name: string, path: string): string {
  if (unsafeInNames.test(name)) {
    const message = 'must not contain line breaks, control characters, "/", "\\" or text direction marks'
    throw invalidField(path, message, 'invalid_filename')
  }
  const bytes = Buffer.byteLength(name)
  if (bytes > 0 && bytes <= maxFilenameBytes) return name
  throw invalidField(path, `must have 1 to ${maxFilenameBytes} bytes, not ${bytes}`, 'invalid_filename')
}
