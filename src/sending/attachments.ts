// Attachments of a send: limits are by decoded size, computed before anything is decoded; content must be what its type says.

import { AppError, type Issue, invalidField } from '../lib/error.ts'
import { ownValue } from '../lib/own-value.ts'

const maxAttachments = 3
const maxAttachmentBytes = 10 * 1024 * 1024
const maxAttachmentsTotalBytes = 20 * 1024 * 1024
const maxFilenameLength = 100

/** Allowed content types, the extension each goes by, and how its first bytes look. */
const allowedTypes: Record<string, { extensions: string[]; matches: (data: Buffer) => boolean }> = {
  'application/pdf': { extensions: ['pdf'], matches: (data) => startsWith(data, '%PDF-') },
  'image/png': { extensions: ['png'], matches: (data) => startsWith(data, '\x89PNG\r\n\x1a\n') },
  'image/jpeg': { extensions: ['jpg', 'jpeg'], matches: (data) => startsWith(data, '\xff\xd8\xff') },
  'text/plain': { extensions: ['txt', 'text', 'log', 'md'], matches: isPlainText },
  'text/csv': { extensions: ['csv'], matches: isPlainText },
}
const allowedAttachmentTypes = Object.keys(allowedTypes)

export interface AttachmentInput {
  filename: string
  contentType: string
  /** Base64 (RFC 4648, section 4), padded, without white space. */
  data: string
}

export interface Attachment {
  filename: string
  contentType: string
  data: Buffer
}

/** Checks all and decodes. Throws 413 for a size, 422 for anything else. */
export function readAttachments(inputs: AttachmentInput[]): Attachment[] {
  if (inputs.length > maxAttachments) {
    throw issue('too_many_attachments', 'attachments', `at most ${maxAttachments} attachments, not ${inputs.length}`)
  }
  const sizes = inputs.map((input, index) => decodedSize(input.data, `attachments[${index}].data`))
  checkSizes(sizes)
  return inputs.map((input, index) => readOne(input, `attachments[${index}]`))
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

/** By length arithmetic alone: nothing is decoded for a refusal. */
function decodedSize(base64: string, path: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  if (base64.length % 4 !== 0)
    throw invalidField(path, 'must be padded base64 without white space (RFC 4648, section 4)')
  return (base64.length / 4) * 3 - padding
}

function readOne(input: AttachmentInput, path: string): Attachment {
  const type = ownValue(allowedTypes, input.contentType)
  if (!type) {
    const message = `must be one of ${allowedAttachmentTypes.join(', ')}, not ${JSON.stringify(input.contentType.slice(0, 100))}`
    throw issue('attachment_type_not_allowed', `${path}.contentType`, message)
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(input.data)) {
    throw invalidField(`${path}.data`, 'must be padded base64 without white space (RFC 4648, section 4)')
  }
  const data = Buffer.from(input.data, 'base64')
  if (data.length === 0) throw invalidField(`${path}.data`, 'must not be empty')
  const lastQuantum = data.subarray(data.length - (data.length % 3 || 3))
  if (lastQuantum.toString('base64') !== input.data.slice(-4)) {
    throw invalidField(`${path}.data`, 'must be canonical base64: unused bits are zero (RFC 4648, 3.5)')
  }
  if (!type.matches(data)) {
    throw issue(
      'attachment_type_not_allowed',
      `${path}.data`,
      `is not ${input.contentType}: its content looks like something else`,
    )
  }
  return { filename: cleanFilename(input.filename, type.extensions), contentType: input.contentType, data }
}

function startsWith(data: Buffer, magic: string): boolean {
  return data.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1'))
}

function isPlainText(data: Buffer): boolean {
  if (data.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data)
    return true
  } catch {
    return false
  }
}

/** A name that no file system or mail client reads otherwise: `[\w .-]`, at most 100 characters, the extension of its type. */
function cleanFilename(name: string, extensions: string[]): string {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  const safe = base
    .normalize('NFKC')
    .replace(/[^\w .-]/g, '')
    .replace(/^[. ]+|[. ]+$/g, '')
  const dot = safe.lastIndexOf('.')
  const stem = dot > 0 ? safe.slice(0, dot) : safe
  const extension = dot > 0 ? safe.slice(dot + 1).toLowerCase() : ''
  const kept = extensions.includes(extension) ? extension : (extensions[0] ?? 'bin')
  const body = (extensions.includes(extension) ? stem : safe)
    .slice(0, maxFilenameLength - kept.length - 1)
    .replace(/[. ]+$/, '')
  const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(body)
  return `${body === '' || reserved ? 'attachment' : body}.${kept}`
}
