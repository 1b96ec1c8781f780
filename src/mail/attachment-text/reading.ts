// What reading a file as text results in, and its limits. Every reader of a kind writes through ShownWriter, which keeps what a person would
// not see apart from what they would.

import { passageMark } from '../../kit/visible.ts'

/** Of one file as it is attached, decoded. */
export const maxFileBytes = 10 * 1024 * 1024
/** Of a file that is packed, unpacked. */
export const maxUnpackedBytes = 64 * 1024 * 1024
/** Pages of a PDF. */
export const maxPages = 500
/** Of the text that is kept of one file, in UTF-16 units. */
export const maxTextChars = 200_000

/** What can be read, in the words of a refusal. */
export const readableKinds = 'PDF, DOCX, ICS, HTML, EML, CSV, JSON and other plain text'

export type Kind = 'pdf' | 'docx' | 'ics' | 'html' | 'eml' | 'text'

export interface TextOfFile {
  /** With `passageMark` where something is hidden. */
  text: string
  /** What is hidden, in the order of the marks. */
  passages: string[]
  /** False: a limit was reached, or there are letters that cannot be told. */
  isComplete: boolean
}

/** The file is not read; the message says why, as a sentence. */
export class UnreadableFile extends Error {}

/** Thrown by a writer that takes no more; its reader may end there. */
export class WriterFull extends Error {}

/** Of one passage; what is longer is cut. */
const maxPassageChars = 2_000
/** More are left out without a mark: nobody is shown more. */
const maxPassages = 1_000

/** Collects text in the order of the file. */
export class ShownWriter {
  readonly #parts: string[] = []
  readonly #passages: string[] = []
  #chars = 0
  #hidden = ''
  #isCut = false

  /** Throws WriterFull. */
  add(text: string, isShown = true): void {
    const clean = text.replaceAll(passageMark, '')
    if (!isShown) {
      if (this.#hidden.length < maxPassageChars) this.#hidden += clean.slice(0, maxPassageChars)
      return
    }
    if (clean.trim() !== '') this.#endPassage()
    else if (this.#hidden !== '') this.#hidden += ' '
    this.#write(clean)
  }

  /** A reader has left something out. */
  cut(): void {
    this.#isCut = true
  }

  done(): TextOfFile {
    this.#endPassage()
    const text = this.#parts.join('').replace(/\r\n?/g, '\n').split('\n').map(withoutEndSpace).join('\n')
    return { text: text.replace(/\n{3,}/g, '\n\n').trim(), passages: this.#passages, isComplete: !this.#isCut }
  }

  #endPassage(): void {
    const passage = this.#hidden.replace(/\s+/g, ' ').trim().slice(0, maxPassageChars)
    this.#hidden = ''
    if (passage === '' || this.#passages.length === maxPassages) return
    this.#passages.push(passage)
    this.#parts.push(passageMark)
  }

  #write(text: string): void {
    const left = maxTextChars - this.#chars
    this.#chars += text.length
    if (text.length <= left) {
      this.#parts.push(text)
      return
    }
    this.#parts.push(text.slice(0, left).toWellFormed())
    this.#isCut = true
    throw new WriterFull('the text is long enough')
  }
}

function withoutEndSpace(line: string): string {
  return line.trimEnd()
}
