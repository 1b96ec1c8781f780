// Every function that takes text of callers, found in the sources: exported, with text or bytes as its first argument, which it looks at.
// What it needs besides text is said here; a function for which that is not known is a fault, so that none is left out.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5'
import type { Wanted } from '../../src/lib/html/style-rules.ts'
import type { RawMail } from '../../src/mail/raw-mail.ts'
import { LeftOut } from '../../src/rendering/own-html/left-out.ts'
import type { Writing } from '../../src/rendering/own-html/tags.ts'

const root = join(import.meta.dir, '../..')

export interface TextFunction {
  /** `src/lib/csv.ts csvCells` */
  name: string
  /** How many characters it is given at most. */
  limit: number
  /** It has a thread of its own, or lets others have their turn: what it holds is not measured. */
  isBeside: boolean
  run(text: string): unknown
}

type Called = (...given: unknown[]) => unknown

interface Call {
  /** Default: as its types say. */
  with?: (text: string) => unknown[]
  /** Each in the place of the text. */
  around?: ((text: string) => string)[]
  limit?: number
  isBeside?: true
}

const usual = 64_000
const head = 'From: a@example.net\r\nTo: b@example.net\r\nSubject: a\r\n'
const mails: Call = {
  around: [
    (text) => text,
    (text) => `Subject: ${text.replaceAll(/[\r\n]+/g, '\r\n ')}\r\n\r\nx`,
    (text) => `From: ${text.replaceAll(/[\r\n]+/g, '\r\n ')}\r\n\r\nx`,
    (text) => `${head}Content-Type: text/html\r\n\r\n${text}`,
    (text) => `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${text}`,
    (text) =>
      `${head}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${text}`,
  ],
  limit: 16_000,
  isBeside: true,
}
const wanted: Wanted = { isWanted: () => true, expand: (name, value) => [[name, value]] }
const writing = (): Writing => ({ leftOut: new LeftOut(), styles: new Map() })
const html: Call = { limit: 16_000, isBeside: true }
/** A declaration that is none costs css-tree an Error. */
const css: Call = { limit: 8_000, isBeside: true }
/** src/imports/file.ts, maxHeaderLength. */
const headerLine: Call = { limit: 20_000 }

/** What the types of their arguments do not say. */
const calls: Record<string, Call> = {
  'src/events/mapping.ts mappingIssues': { with: (text) => [text, { value: text }] },
  'src/http/outbound/url.ts checkOutboundUrl': {
    with: (text) => [`https://${text}`, { webhookAllowHttp: true, webhookAllowCidrs: [] }],
  },
  'src/imports/columns.ts propertyNameOf': { with: (text) => [text, 1, new Map()] },
  'src/imports/columns.ts expectClear': headerLine,
  'src/imports/columns.ts whoIsMissing': headerLine,
  'src/imports/columns.ts readColumns': { ...headerLine, with: (text) => [[text, ...text.split(',')], new Map()] },
  'src/imports/columns.ts strayKeys': { ...headerLine, with: (text) => [text.split(','), { [text]: null }] },
  'src/inspection/inspect-html.ts inspectHtml': html,
  'src/lib/content-id.ts expectAttached': {
    with: (text) => [[], text.split(',').map((contentId) => ({ contentId })), 'a'],
  },
  'src/lib/content-id.ts withAddresses': { with: (text) => [`cid:a ${text}`, new Map([['a', 'b']])] },
  'src/lib/html/css-syntax.ts readCss': { ...css, with: (text) => [text, 'sheet', 32] },
  'src/lib/html/parse.ts parseHtml': html,
  'src/lib/html/style-rules.ts readRules': { ...css, with: (text) => [text, wanted] },
  'src/lib/html/style-rules.ts readDeclarations': { ...css, with: (text) => [text, wanted] },
  'src/lib/nearest.ts nearest': { with: (text) => [text, ['email', 'firstName', text.slice(1)]] },
  'src/mail/bounce-report.ts readBounceReport': mails,
  'src/mail/parse-mime.ts parseMail': mails,
  'src/mail/postmark.ts readPostmark': mails,
  'src/mail/quoted-text.ts splitQuoted': { isBeside: true },
  'src/mail/received-mail.ts readAttachment': mails,
  'src/mail/received-mail.ts readHead': mails,
  'src/mail/received-mail.ts readReceived': mails,
  'src/mail/smtp-command.ts readMailCommand': { with: (text) => [`MAIL FROM:<${text}`, 'FROM'] },
  'src/mail/submitted-mail.ts completed': {
    ...mails,
    with: (text) => [rawOf(text), { messageId: 'a@b', date: new Date(0) }],
  },
  'src/mail/submitted-mail.ts readSubmitted': mails,
  'src/moving/html-tree.ts treeOfHtml': {
    ...html,
    with: (text) => [text, (words: string) => ({ text: words, unknown: [] })],
  },
  'src/moving/records.ts objectsOf': { with: (text) => [`[${text}`, async () => {}], isBeside: true },
  'src/moving/records.ts rowsOf': {
    with: (text) => ['a.csv', `email,a\n${text}`, { pace: async () => {}, refuse: () => {}, takes: () => true }],
    isBeside: true,
  },
  'src/rendering/own-html/css.ts writeDeclarations': { with: (text) => [text, new LeftOut()], isBeside: true },
  'src/rendering/own-html/css.ts writeSheet': { with: (text) => [text, new LeftOut()], isBeside: true },
  'src/rendering/own-html/outlook.ts outlookComment': {
    with: (text) => [`[if mso]>${text}<![endif]`, writing()],
    isBeside: true,
  },
  'src/rendering/own-html/outlook.ts styleElement': { with: (text) => [text, undefined, writing()], isBeside: true },
  'src/rendering/own-html/write.ts rewriteHtml': html,
  'src/rendering/own-html/tags.ts openTag': {
    with: (text) => ['a', { name: 'a', attributes: { href: text, style: text, title: text } }, writing()],
    isBeside: true,
  },
  'src/rendering/placeholders.ts withoutPlaceholders': { with: (text) => [text, 'x'] },
  'src/rendering/marks.ts followMark': { with: (text) => [[], text] },
  // Where it leads is ours, or was checked to be a path.
  'src/workspaces/cookie.ts redirect': { with: (text) => [`/${Buffer.from(text).toString('hex')}`] },
  'src/webhooks/publish.ts payloadOf': { with: (text) => ['contact.created', { text }, new Date(0)] },
}

/** What the operator says, who holds this process anyway. */
const ofOperator =
  /^src\/(cli|config|archive|backup|store|ui|tracing)\/|^src\/(main|config|installation|secrets)\.ts$|^src\/lib\/seal\.ts$/
const looks =
  /\.(matchAll|exec|match|replace|replaceAll|split|indexOf|test|search|charCodeAt|slice)\(|\bwhile \(|\bfor \(/
const reads = /^(parse|read|decode|split|rewrite|write)/
const textual =
  /^(?:readonly )?(?:string|Buffer|Uint8Array|RawMail|string\[\])(?: \| (?:null|undefined|string|string\[\]))*$/

export interface Found {
  functions: TextFunction[]
  /** Those for which it is not known how they are called. */
  unknown: string[]
}

export async function textFunctions(): Promise<Found> {
  const found: Found = { functions: [], unknown: [] }
  for (const path of [...new Bun.Glob('src/**/*.ts').scanSync(root)].sort()) {
    if (ofOperator.test(path)) continue
    for (const { name, parameters } of declaredIn(path)) {
      const key = `${path} ${name}`
      const call = calls[key] ?? {}
      const types = parameters.map((one) => one.type?.getText() ?? 'unknown')
      const required = types.slice(0, parameters.findLastIndex((one) => !one.questionToken && !one.initializer) + 1)
      if (call.with === undefined && !required.every(isKnown)) found.unknown.push(key)
      else found.functions.push(await called(path, name, { call, required }))
    }
  }
  return found
}

function declaredIn(path: string) {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((one) => {
    if (!ts.isFunctionDeclaration(one) || !one.name || !one.body) return []
    const { name, parameters, body, modifiers } = one
    const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    const isOfText = textual.test(parameters[0]?.type?.getText() ?? '')
    const isReader = reads.test(name.text) || looks.test(body.getText())
    return isExported && isOfText && isReader ? [{ name: name.text, parameters: [...parameters] }] : []
  })
}

const plain = ['number', 'Date', 'boolean']
const isKnown = (type: string) => textual.test(type) || plain.includes(type)

async function called(
  path: string,
  name: string,
  { call, required }: { call: Call; required: string[] },
): Promise<TextFunction> {
  const module = (await import(join(root, path))) as Record<string, Called>
  const work = module[name]
  if (!work) throw new Error(`${path} has no ${name}`)
  const { with: given = (text) => required.map((type) => argument(type, text)), around = [(text: string) => text] } =
    call
  const run = async (text: string) => {
    for (const frame of around) await drain(() => work(...given(frame(text))))
  }
  return { name: `${path} ${name}`, limit: call.limit ?? usual, isBeside: call.isBeside ?? false, run }
}

function argument(type: string, text: string): unknown {
  if (type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'Date') return new Date(0)
  if (/^string(?!\[)/.test(type)) return text
  if (/string\[\]/.test(type)) return text.match(/[\s\S]{1,20}/g) ?? []
  return type === 'RawMail' ? rawOf(text) : Buffer.from(text)
}

function rawOf(text: string): RawMail {
  const bytes = Buffer.from(text)
  return { pieces: [bytes], bytes: bytes.length }
}

/** To its end; what it refuses it has read. */
async function drain(work: () => unknown): Promise<void> {
  try {
    const result = await work()
    if (typeof result !== 'object' || result === null || Array.isArray(result)) return
    if (Symbol.asyncIterator in result) for await (const _ of result as AsyncIterable<unknown>);
    else if (Symbol.iterator in result && 'next' in result) for (const _ of result as Iterable<unknown>);
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) throw error
  }
}

/** What such text is divided by, and what makes a reader of it look ahead or back. */
export const delimiters = [
  ...'<>"\'`,;:=()[]{}|\\/?#&%.+-*_~!@$^ \t\n\0a0',
  ...[
    '<x-',
    '<!--',
    '<a href=',
    '<img ',
    '<style>',
    '<div style="',
    '<div>',
    '<b><p>',
    '</',
    '<?',
    '<![CDATA[',
    '<a@b>,',
  ],
  ...['{{', '}}', '{{a}}', '{{a|', '{{ ', '[a](', '](', '**', '*a', '_a ', '![', '((', '))', '(a', '[['],
  ...['\r\n', '\r\n ', ' \n', '\n\n', 'a\r', 'a: b\r\n', '\r\n.', '> ', '\n>', '--b\r\n', '--b', '=\r\n', '=41', '='],
  ...[
    '=?utf-8?q?',
    '=?',
    '?=',
    '=?utf-8?b?YQ==?= ',
    '"a",',
    '""',
    'a,b\n',
    'a;',
    'a=b; ',
    'q=0.5,',
    'en-',
    '%41',
    '%',
    '%E2',
  ],
  ...[
    'a@',
    '@a',
    'a@b.c,',
    '"a" <a@b.c>, ',
    'a.',
    '.a',
    '1.',
    '1',
    '9:',
    '::',
    '0x',
    'http://',
    'https://a/ ',
    '//',
    '../',
    'cid:',
  ],
  ...[
    '&amp;',
    '&#',
    '&am',
    '{"a":',
    '{},',
    '[1,',
    '"\\"',
    '\\u0041',
    '\\\\',
    '/*',
    '*/',
    'url(',
    '@media ',
    'a{b:c}',
    'a,',
    '!important',
  ],
  ...[
    'v=spf1 ',
    'include:a ',
    'ip4:1 ',
    'v=DKIM1; ',
    'to:a ',
    '-to:',
    'AND ',
    'NOT (',
    '\u0301',
    'e\u0301',
    '\u202e',
    '😀',
    '\ud83d',
    'é',
    'ß',
    'İ',
  ],
]
