// Files as people attach them, made by hand: PDFs of objects, archives of Word, and the mail that brings them.

import { deflateRawSync } from 'node:zlib'
import { writeZip } from '../../src/kit/zip.ts'

export interface AttachedFile {
  name: string
  type: string
  content: Uint8Array | string
}

/** A mail with these. */
export function mailWith(...files: AttachedFile[]): string {
  const parts = files.map(({ name, type, content }) => {
    const head = [
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
    ]
    const lines = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n')
    return [...head, '', lines].join('\r\n')
  })
  const text = 'Content-Type: text/plain; charset=utf-8\r\n\r\nSee the file.'
  const head = [
    'From: Ada Lovelace <ada@example.net>',
    'To: desk@paquebot.localhost',
    'Subject: A file',
    `Message-ID: <${crypto.randomUUID()}@example.net>`,
    'Date: Mon, 05 Jan 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="=_parts"',
  ]
  return [...head, '', ...[text, ...parts].map((part) => `--=_parts\r\n${part}`), '--=_parts--', ''].join('\r\n')
}

/** A PDF of numbered objects, the first of them its catalog; `trailer` is added to its trailer. */
export function pdfFile(objects: (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let at = parts[0]?.length ?? 0
  const add = (bytes: Buffer) => {
    parts.push(bytes)
    at += bytes.length
  }
  objects.forEach((object, index) => {
    places.push(at)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  })
  const start = at
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`))
  add(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

/** `dictionary`: what stands in it besides the length. */
export function pdfStream(content: string | Buffer, dictionary = ''): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

const size = '[0 0 595 842]'

/** A PDF whose pages are drawn by these, in Helvetica (`/F1`). `more` are objects from the fourth on. */
export function pdfOf(pages: (string | Buffer)[], { resources = '', more = [] as (string | Buffer)[] } = {}): Buffer {
  const first = 4 + more.length
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  const drawn = pages.flatMap((content, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox ${size} /Contents ${first + 2 * index + 1} 0 R /Resources << /Font << /F1 3 0 R >> ${resources} >> >>`,
    Buffer.isBuffer(content) ? content : pdfStream(content),
  ])
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...more,
    ...drawn,
  ])
}

const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** A Word document with this body; `parts` are further files of the folder `word`. */
export function docxOf(body: string, parts: Record<string, string> = {}): Buffer {
  const document = `<?xml version="1.0" encoding="UTF-8"?><w:document ${wordNamespace}><w:body>${body}</w:body></w:document>`
  return packed({ 'word/document.xml': document, ...inWord(parts) })
}

function inWord(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, xml]) => [`word/${name}`, xml.replace('>', ` ${wordNamespace}>`)]),
  )
}

/** An archive whose files are deflated. */
export function packed(files: Record<string, string | Uint8Array>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    bytes: deflateRawSync(Buffer.from(content)),
  }))
  const bytes = writeZip(entries)
  const deflated = 8
  let local = 0
  let central = bytes.readUInt32LE(bytes.length - 6)
  for (const { name, bytes: content } of entries) {
    bytes.writeUInt16LE(deflated, local + 8)
    bytes.writeUInt16LE(deflated, central + 10)
    local += 30 + Buffer.byteLength(name) + content.length
    central += 46 + Buffer.byteLength(name)
  }
  return bytes
}
