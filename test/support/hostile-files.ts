// Attachments that are built to hold, fill or break whoever reads them, each with what its reading is answered with: a part of a refusal, or
// null where it is read.

import { deflateSync } from 'node:zlib'
import { type AttachedFile, docxOf, packed, pdfFile, pdfOf, pdfStream } from './attached-files.ts'

export interface HostileFile extends AttachedFile {
  what: string
  refusal: RegExp | null
  /** How much memory it takes is up to the machine: it may be read, too. */
  mayBeRead?: true
}

const pdf = { name: 'a.pdf', type: 'application/pdf' }
const docx = { name: 'a.docx', type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' }
const ics = { name: 'a.ics', type: 'text/calendar' }
const txt = { name: 'a.txt', type: 'text/plain' }
const html = { name: 'a.html', type: 'text/html' }
const eml = { name: 'a.eml', type: 'message/rfc822' }

const limits = /more than|longer than|too much memory/
const limitsOrNothing = /more than|longer than|too much memory|no text/
const said = 'BT /F1 12 Tf 72 700 Td (here) Tj ET'
const flated = '/Filter /FlateDecode'

export function* hostileFiles(): Generator<HostileFile> {
  yield* hostilePdfs()
  yield* hostileDocx()
  yield* others()
}

function* hostilePdfs(): Generator<HostileFile> {
  const good = pdfOf([said])
  const spaces = deflateSync(Buffer.alloc(400_000_000, ' '))
  yield {
    ...pdf,
    what: 'PDF: 400 MB of nothing to draw',
    content: pdfOf([pdfStream(spaces, flated)]),
    refusal: limitsOrNothing,
  }
  const twice = pdfStream(
    deflateSync(deflateSync(Buffer.alloc(400_000_000, '0 '))),
    '/Filter [/FlateDecode /FlateDecode]',
  )
  yield { ...pdf, what: 'PDF: 400 MB packed twice', content: pdfOf([twice]), refusal: limitsOrNothing }
  const letters = pdfStream(deflateSync(Buffer.from(`${said}\n`.repeat(1_000_000))), flated)
  yield { ...pdf, what: 'PDF: a million words on a page', content: pdfOf([letters]), refusal: limits, mayBeRead: true }
  const boxes = pdfStream(deflateSync(Buffer.from(`0 0 1 1 re f ${said}\n`.repeat(50_000))), flated)
  yield { ...pdf, what: 'PDF: 50,000 boxes and words', content: pdfOf([boxes]), refusal: null }
  yield { ...pdf, what: 'PDF: 10,000 pages', content: pdfOf(Array.from({ length: 10_000 }, () => said)), refusal: null }
  yield {
    ...pdf,
    what: 'PDF: a million saved states',
    content: pdfOf([`${'q '.repeat(1_000_000)}${said}`]),
    refusal: limits,
  }
  yield {
    ...pdf,
    what: 'PDF: arrays 100,000 deep',
    content: pdfOf([`${'['.repeat(100_000)} ${said}`]),
    refusal: /no text|damaged/,
  }
  const deep = `<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(200_000)}${']'.repeat(200_000)} >>`
  yield {
    ...pdf,
    what: 'PDF: a catalog 200,000 deep',
    content: pdfFile([deep, '<< /Type /Pages /Kids [] /Count 0 >>']),
    refusal: /damaged/,
  }
  const form = (next: number) =>
    pdfStream(
      `/X${next} Do ${said}`,
      `/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /Font << /F1 3 0 R >> /XObject << /X4 4 0 R /X5 5 0 R >> >>`,
    )
  const loop = pdfOf([`${said} /X4 Do`], { resources: '/XObject << /X4 4 0 R >>', more: [form(5), form(4)] })
  yield { ...pdf, what: 'PDF: forms that draw each other', content: loop, refusal: null }
  const doubling = Array.from({ length: 30 }, (_, at) => {
    const next = `/X Do /X Do`
    return pdfStream(
      at === 29 ? said : next,
      `/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /Font << /F1 3 0 R >> /XObject << /X ${at + 5} 0 R >> >>`,
    )
  })
  yield {
    ...pdf,
    what: 'PDF: forms that double 29 times',
    content: pdfOf(['/X Do'], { resources: '/XObject << /X 4 0 R >>', more: doubling }),
    refusal: limits,
  }
  const circle = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 5 >>',
    '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 5 >>',
  ]
  yield { ...pdf, what: 'PDF: pages in a circle', content: pdfFile(circle), refusal: /damaged|cannot be read/ }
  const places = good.toString('latin1').replace('/Root', '/Prev 9 /Root')
  yield { ...pdf, what: 'PDF: a table that goes on in itself', content: places, refusal: null }
  const secret =
    '<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (abcdefghijklmnopqrstuvwxyz012345) /U (abcdefghijklmnopqrstuvwxyz012345) >>'
  const locked = pdfFile(
    ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>', secret],
    '/Encrypt 3 0 R /ID [(0123456789abcdef) (0123456789abcdef)]',
  )
  yield { ...pdf, what: 'PDF: encrypted', content: locked, refusal: /encrypted/ }
  yield { ...pdf, what: 'PDF: cut off', content: good.subarray(0, 300), refusal: /damaged|no text/ }
  yield { ...pdf, what: 'PDF: a header only', content: '%PDF-1.7\n', refusal: /damaged/ }
  yield { ...pdf, what: 'PDF: 0 bytes', content: '', refusal: /empty/ }
  const huge = pdfOf(['q 9 0 0 9 0 0 cm /I Do Q'], {
    resources: '/XObject << /I 4 0 R >>',
    more: [
      pdfStream(
        deflateSync(Buffer.alloc(1_000_000)),
        `/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 ${flated}`,
      ),
    ],
  })
  yield { ...pdf, what: 'PDF: a picture of 60,000 by 60,000', content: huge, refusal: /no text/ }
}

function* hostileDocx(): Generator<HostileFile> {
  const bomb = packed({ 'word/document.xml': Buffer.alloc(200_000_000, ' ') })
  yield { ...docx, what: 'DOCX: 200 MB in 200 KB', content: bomb, refusal: /more than 67108864 bytes/ }
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  const xml = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${laughs}]><w:document><w:body><w:p><w:r><w:t>&l9;</w:t></w:r></w:p></w:body></w:document>`
  yield {
    ...docx,
    what: 'DOCX: a billion laughs',
    content: packed({ 'word/document.xml': xml }),
    refusal: /document type/,
  }
  yield {
    ...docx,
    what: 'DOCX: elements 100,000 deep',
    content: docxOf('<w:sdt>'.repeat(100_000)),
    refusal: /256 deep/,
  }
  yield {
    ...docx,
    what: 'DOCX: 5 million empty paragraphs',
    content: docxOf('<w:p/>'.repeat(5_000_000)),
    refusal: limitsOrNothing,
  }
  const attributes = Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(' ')
  yield {
    ...docx,
    what: 'DOCX: 200,000 attributes',
    content: docxOf(`<w:p ${attributes}><w:r><w:t>here</w:t></w:r></w:p>`),
    refusal: null,
  }
  const chain = Array.from(
    { length: 10_000 },
    (_, at) =>
      `<w:style w:styleId="s${at}"><w:basedOn w:val="s${(at + 1) % 10_000}"/><w:rPr><w:sz w:val="24"/></w:rPr></w:style>`,
  ).join('')
  const styled = '<w:p><w:pPr><w:pStyle w:val="s0"/></w:pPr><w:r><w:t>here </w:t></w:r></w:p>'.repeat(20_000)
  yield {
    ...docx,
    what: 'DOCX: 10,000 styles in a circle',
    content: docxOf(styled, { 'styles.xml': `<w:styles>${chain}</w:styles>` }),
    refusal: null,
  }
  const good = docxOf('<w:p><w:r><w:t>here</w:t></w:r></w:p>')
  yield {
    ...docx,
    what: 'DOCX: cut off',
    content: good.subarray(0, good.length - 30),
    refusal: /ZIP archive cannot be read/,
  }
  yield {
    ...docx,
    what: 'DOCX: an archive of something else',
    content: packed({ 'a.txt': 'here' }),
    refusal: /only of DOCX/,
  }
  yield {
    ...docx,
    what: 'DOCX: an old or encrypted one',
    content: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    refusal: /encrypted/,
  }
}

function* others(): Generator<HostileFile> {
  const event = (lines: string) =>
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:here\r\n${lines}END:VEVENT\r\nEND:VCALENDAR\r\n`
  yield {
    ...ics,
    what: 'ICS: 5 MB of rules',
    content: event('RRULE:FREQ=SECONDLY;COUNT=999999999\r\n'.repeat(140_000)),
    refusal: null,
  }
  yield {
    ...ics,
    what: 'ICS: one line folded 2 million times',
    content: event(`DESCRIPTION:${'a\r\n '.repeat(2_000_000)}\r\n`),
    refusal: null,
  }
  yield {
    ...ics,
    what: 'ICS: 2 MB of parameters',
    content: event(`ATTENDEE${';A="b",c'.repeat(250_000)}:x\r\n`),
    refusal: null,
  }
  yield {
    ...ics,
    what: 'ICS: 100,000 components deep',
    content: `BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(100_000)}`,
    refusal: /8 deep/,
  }
  yield { ...html, what: 'HTML: 8 MB', content: '<p>here</p>'.repeat(700_000), refusal: null }
  yield { ...html, what: 'HTML: 100,000 deep', content: '<div>'.repeat(100_000), refusal: /too deep/ }
  yield {
    ...eml,
    what: 'EML: 20,000 parts',
    content: `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\n\r\nx\r\n'.repeat(20_000)}`,
    refusal: /no text/,
  }
  yield {
    ...txt,
    what: 'text that is a program',
    content: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]),
    refusal: /it is not/,
  }
  yield { ...txt, what: 'text of one line of 8 MB', content: 'a'.repeat(8_000_000), refusal: null }
  yield { ...txt, what: 'more than 10 MB', content: 'a'.repeat(10_485_761), refusal: /10485760/ }
  yield {
    name: 'a.png',
    type: 'image/png',
    what: 'a picture',
    content: Buffer.from('89504e470d0a1a0a', 'hex'),
    refusal: /PDF, DOCX, ICS/,
  }
}
