// The attachments of received mail as text, in pages. The text is made anew for each page and stored nowhere: it goes with its mail.

import type { App } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { passageMark } from '../../kit/visible.ts'
import { maxFileBytes } from '../../mail/attachment-text/reading.ts'
import type { AboutFile, AttachmentReading, WhichAttachment } from '../../mail/attachment-work.ts'
import { getSource } from './inbox.ts'

/** Of one page, in UTF-16 units. */
export const pageChars = 12_000

export interface WantedAttachment {
  messageId: string
  which: WhichAttachment
  /** `nextCursor` of the page before. */
  cursor: string | undefined
}

export interface AttachmentPage {
  file: AboutFile
  kind: string
  /** With `passageMark` where something is hidden; `passages` are in the order of its marks. */
  text: string
  passages: string[]
  totalChars: number
  nextCursor: string | null
  isComplete: boolean
}

/**
 * Throws `not_found` for a message or a file that is not there, `validation_failed` for a file that cannot be read as text, `invalid_cursor`,
 * and `overloaded` where too many files wait.
 */
export async function readAttachmentText(
  app: App,
  { workspaceId, id }: { workspaceId: string; id: string },
  { messageId, which, cursor }: WantedAttachment,
): Promise<AttachmentPage> {
  const { raw } = await getSource(app, id, messageId)
  const { file, kind, text: whole } = expectRead(await app.mailReader.attachmentText(workspaceId, raw, which))
  const context = `cursor ${id} attachment ${messageId} ${file.index}`
  const from = cursor === undefined ? 0 : await openCursor(app, cursor, context)
  const end = pageEnd(whole.text, from)
  const text = whole.text.slice(from, end)
  const [before, inside] = [whole.text.slice(0, from), text].map((part) => part.split(passageMark).length - 1)
  const totalChars = whole.text.length
  return {
    file,
    kind,
    text,
    passages: whole.passages.slice(before, (before ?? 0) + (inside ?? 0)),
    totalChars,
    nextCursor: end < totalChars ? await app.sealer.seal(String(end), context) : null,
    isComplete: whole.isComplete,
  }
}

function expectRead(reading: AttachmentReading): Extract<AttachmentReading, { outcome: 'read' }> {
  if (reading.outcome === 'read') return reading
  if (reading.outcome === 'refused')
    throw invalidField('attachment', `The attachment cannot be read as text. ${reading.reason}`, 'unreadable')
  if (reading.outcome === 'too_large')
    throw invalidField(
      'attachment',
      `The attachment has ${reading.sizeBytes} bytes; at most ${maxFileBytes} are read as text.`,
      'too_large',
    )
  if (reading.named > 1)
    throw invalidField('filename', `${reading.named} attachments have this filename; use index.`, 'ambiguous')
  throw new AppError('not_found', 'This mail has no such attachment.')
}

async function openCursor(app: App, cursor: string, context: string): Promise<number> {
  try {
    return Number(await app.sealer.open(cursor, context))
  } catch {
    throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this attachment')
  }
}

/** Never between the two units of one character. */
function pageEnd(text: string, from: number): number {
  const end = Math.min(from + pageChars, text.length)
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}
