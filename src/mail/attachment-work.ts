// Runs on the Worker that reads attachments as text (attachment-reader.ts). It is not the one that parses mail: what a file holds up holds up
// no mail, and the reader of PDFs is loaded here alone.

import { serveSideThread } from '../kit/side-thread-inside.ts'
import { visible } from '../kit/visible.ts'
import { readFile } from './attachment-text/read-file.ts'
import { type Kind, maxFileBytes, type TextOfFile, UnreadableFile } from './attachment-text/reading.ts'
import { type RawMail, wholeMail } from './raw-mail.ts'
import { type Content, readContents } from './received-mail.ts'

/** Counted from 0; or by the name that people are shown. */
export type WhichAttachment = { index: number } | { filename: string }

export interface AboutFile {
  /** Counted from 0. */
  index: number
  filename: string
  contentType: string
  sizeBytes: number
}

export type AttachmentReading =
  | { outcome: 'read'; file: AboutFile; kind: Kind; text: TextOfFile }
  /** `reason`: a sentence. */
  | { outcome: 'refused'; reason: string }
  | { outcome: 'too_large'; sizeBytes: number }
  /** `named`: how many have that name. */
  | { outcome: 'missing'; named: number }

const work = {
  async attachmentText({ raw, which }: { raw: RawMail; which: WhichAttachment }): Promise<AttachmentReading> {
    const contents = (await readContents(wholeMail(raw))) ?? []
    const found = indexesOf(which, contents)
    const [index = 0] = found
    const one = contents[index]
    if (found.length !== 1 || one === undefined) return { outcome: 'missing', named: found.length }
    const { filename, contentType, content } = one
    const sizeBytes = content.length
    if (sizeBytes > maxFileBytes) return { outcome: 'too_large', sizeBytes }
    try {
      const { kind, ...text } = await readFile({ filename, contentType, bytes: content })
      return { outcome: 'read', file: { index, filename, contentType, sizeBytes }, kind, text }
    } catch (error) {
      if (error instanceof UnreadableFile) return { outcome: 'refused', reason: error.message }
      throw error
    }
  },
}

function indexesOf(which: WhichAttachment, contents: Content[]): number[] {
  if ('index' in which) return which.index < contents.length ? [which.index] : []
  return contents.flatMap(({ filename }, at) => (visible(filename) === which.filename ? [at] : []))
}

export type AttachmentWork = typeof work

serveSideThread(work)
