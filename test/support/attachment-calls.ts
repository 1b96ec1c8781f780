// How the readers of attachments are called with text of anybody (text-functions.ts).

import { SharedPieces } from '../../src/kit/shared-pieces.ts'
import { ShownWriter } from '../../src/mail/attachment-text/reading.ts'
import { docxOf, pdfOf } from './attached-files.ts'
import type { Call } from './text-functions.ts'

const sharedOf = (text: string) => {
  const shared = new SharedPieces()
  shared.append(Buffer.from(text))
  return shared
}

export const attachmentCalls: Record<string, Call> = {
  'src/kit/json.ts readMailJson': { with: (text) => [{}, sharedOf(text), ''] },
  'src/kit/shared-pieces.ts SharedPieces.append': { run: sharedOf },
  'src/mail/attachment-text/calendar.ts readCalendar': {
    around: [(text) => `BEGIN:VCALENDAR\nBEGIN:VEVENT\nATTENDEE${text}`, (text) => text],
    with: (text) => [text, new ShownWriter()],
    isBeside: true,
  },
  'src/mail/attachment-text/docx-xml.ts walkXml': {
    with: (text) => [Buffer.from(`<a>${text}`), { open() {}, close() {}, text() {} }],
    isBeside: true,
  },
  'src/mail/attachment-text/docx.ts readDocx': { with: (text) => [docxOf(text), new ShownWriter()], isBeside: true },
  'src/mail/attachment-text/pdf.ts readPdf': { with: (text) => [pdfOf([text]), new ShownWriter()], isBeside: true },
  'src/mail/attachment-text/reading.ts ShownWriter.add': {
    run: (text) => [true, false].map((isShown) => new ShownWriter().add(text, isShown)),
  },
}
