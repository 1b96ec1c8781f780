// Every function that takes text of callers, found in the sources (text-finder.ts) and called with it. What the types of its other arguments
// do not say is said here; a function for which that is not known is a fault, so that none is left out. What is given the database hands text
// on to functions that are not: it is asked through its route, by test/black-box.test.ts.

import { join } from 'node:path'
import type { ParameterDeclaration } from 'typescript-5'
import { segments } from '../../db/tables/segments.ts'
import { toProblem } from '../../src/core/http/errors.ts'
import { readForm } from '../../src/core/http/form.ts'
import { sortingOf } from '../../src/core/http/sorting.ts'
import { noEvidence } from '../../src/features/contacts/imports/evidence.ts'
import { maxHeaderLength } from '../../src/features/contacts/imports/file.ts'
import type { Page } from '../../src/features/content/rendering/component.ts'
import { parseInline } from '../../src/features/content/rendering/inline.ts'
import { LeftOut } from '../../src/features/content/rendering/own-html/left-out.ts'
import { createSlots } from '../../src/features/content/rendering/segments.ts'
import { groundOf, type Surface } from '../../src/features/content/rendering/theme.ts'
import { exportColumns } from '../../src/features/lists/moving/export-columns.ts'
import { gatherPeople } from '../../src/features/lists/moving/people.ts'
import { listItems } from '../../src/features/review/revisions/tree-match.ts'
import { maxSearchChars } from '../../src/features/sending/activity/search-language.ts'
import { maxSubjectChars } from '../../src/features/sending/own-content.ts'
import { RunChanges } from '../../src/features/sequences/runs.ts'
import { maxRecordLength } from '../../src/kit/csv.ts'
import { maxNameLength } from '../../src/kit/email-address.ts'
import { AppError } from '../../src/kit/error.ts'
import { Gathered } from '../../src/kit/gathered.ts'
import type { PropertySelection } from '../../src/kit/html-style-rules.ts'
import { isTimeZone } from '../../src/kit/local-time.ts'
import { mailFonts } from '../../src/kit/mail-fonts.ts'
import { maxHeadBytes, ResponseReader } from '../../src/kit/outbound/response.ts'
import { maxUrlLength } from '../../src/kit/outbound/url.ts'
import { XmlScanner } from '../../src/kit/xml-scan.ts'
import { encodePiece } from '../../src/mail/quoted-printable.ts'
import { DataReader } from '../../src/mail/smtp-data.ts'
import { IncomingMail } from '../../src/mail/smtp-incoming.ts'
import { maxReplyBytes, ReplyReader } from '../../src/mail/smtp-reply.ts'
import { maxCommandBytes } from '../../src/mail/smtp-session.ts'
import { attachmentCalls } from './attachment-calls.ts'
import { htmlOfAnybody as html, htmlCalls } from './html-calls.ts'
import { movedWorkspaceCalls } from './moved-workspace-calls.ts'
import { type Found, lookingAtText } from './text-finder.ts'
import { delimiters, ofProtocols } from './text-units.ts'
import { createFiller, rawOf } from './text-values.ts'

const root = join(import.meta.dir, '../..')

/** Whoever asks for a time there has asked whether there is such a zone. */
const knownZone = (text: string) => (isTimeZone(text) ? text : 'UTC')

export interface TextFunction {
  /** `src/kit/csv.ts csvCells` */
  name: string
  /** How many characters it is given at most. */
  limit: number
  /** It has a thread of its own, or lets others have their turn: what it holds is not measured. */
  isBeside: boolean
  /** What its text repeats, one at a time. */
  units: string[]
  run(text: string): unknown
}

type Called = (...given: unknown[]) => unknown

export interface Call {
  /** Default: as its types say. */
  with?: (text: string) => unknown[]
  /** In place of calling it with arguments: a method, whose object is made each time. */
  run?: (text: string) => unknown
  /** Each in the place of the text. */
  around?: ((text: string) => string)[]
  limit?: number
  isBeside?: true
  units?: string[]
}

/** Where the product has no limit of its own, or one too high to be reached a hundred times. */
const usual = 64_000
const besides = 16_000
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
  limit: besides,
  isBeside: true,
}
const wanted: PropertySelection = { isWanted: () => true, expand: (name, value) => [[name, value]] }
/** A declaration that is none costs css-tree an Error. */
const css: Call = { limit: 8_000, isBeside: true }
const headerLine: Call = { limit: maxHeaderLength }
const record: Call = { limit: maxRecordLength }
const query: Call = { limit: maxSearchChars }
const replies: Call = { limit: maxReplyBytes }
const url: Call = { limit: maxUrlLength }
/** Byte by byte, until it has read enough or refuses it. */
const stream = (limit: number, make: () => { push(chunk: Buffer): unknown }): Call => ({
  limit,
  units: ofProtocols,
  run(text) {
    const reader = make()
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at++) {
      const said = reader.push(bytes.subarray(at, at + 1))
      if (said !== undefined && said !== 'more' && (typeof said !== 'object' || !isMore(said))) return
    }
  },
})
const isMore = (said: object | null) => said !== null && 'event' in said && said.event === 'more'
const segmentsOf = (text: string) => {
  const slots = createSlots()
  return slots.segments(slots.text(text))
}
const txt = (value: string) => ({ name: 'a', value })
const answers = (text: string) => ({ txt: async () => ({ outcome: 'found', records: [text, ...text.split(',')] }) })
const surface: Surface = { width: 600, background: null }
const pageOf = (): Page => ({
  slots: createSlots(),
  locale: 'en',
  kind: 'transactional',
  keepsUnsubscribe: false,
  direction: 'ltr',
  accent: '#000000',
  logoUrl: null,
  darkLogoUrl: null,
  font: mailFonts.system,
  radius: null,
  ground: groundOf(undefined),
  rows: () => '',
  holdsLink: () => false,
})
/** Nodes are compared with each other, and there are few (maxNodes): here always 50. */
const itemsWith = (text: string) =>
  listItems(
    Array.from({ length: 50 }, (_, at) => {
      const chars = Math.ceil(text.length / 50)
      return { type: 'text', text: `${at}${text.slice(at * chars, (at + 1) * chars)}` }
    }),
  )
const site = { config: { baseUrl: 'https://a.example' }, id: 'a' }
const messageOf = (text: string) => ({
  from: { name: text.slice(0, maxNameLength), address: 'a@b.example' },
  to: [{ name: text.slice(0, maxNameLength), address: 'a@b.example' }],
  replyTo: null,
  subject: text.slice(0, maxSubjectChars),
  messageId: 'a@b.example',
  date: new Date(0),
  headers: {},
  attachments: [],
})
const ascii = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, 'a')
const formOf = (body: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})
const rowWith = (text: string) => ({ place: 'a', cell: () => text, rest: () => [[text, text]] })
const addPeople = (text: string) => {
  const columns = exportColumns({ skip: [] }, {})
  const people = gatherPeople({ cell: () => [], count: () => {} } as never, columns)
  for (const one of pieced(text))
    people.add({ email: one, place: 'a', says: null, properties: { [one]: one } } as never)
}
async function* bytes(text: string) {
  for (const one of pieced(text)) yield Buffer.from(one)
}
const pieced = (text: string) => text.match(/[\s\S]{1,20}/g) ?? []

/** What the types of their arguments do not say. */
const calls: Record<string, Call> = {
  'src/features/sending/activity/captured.ts messageIdOf': { with: (text) => [{ messageIdHeader: text }] },
  'src/features/campaigns/recurring/occurrences.ts nextOccurrence': {
    with: (text) => [{ schedule: { every: 'day', at: '09:00' }, timeZone: knownZone(text) }, new Date(0)],
  },
  'src/features/campaigns/recurring/occurrences.ts listOccurrences': {
    with: (text) => [{ schedule: { every: 'day', at: '09:00' }, timeZone: knownZone(text) }, new Date(0), 5],
  },
  'src/features/campaigns/recurring/occurrences.ts servedOccurrence': {
    with: (text) => [
      { schedule: { every: 'day', at: '09:00' }, timeZone: knownZone(text) },
      new Date(0),
      new Date(9e9),
    ],
  },
  'src/features/campaigns/lifecycle.ts scheduleTime': { with: (text) => [{ timeZone: 'UTC' }, text, new Date(0)] },
  'src/features/contacts/consent/named-lists.ts listProblem': { with: (text) => [{ status: 'archived' }, text] },
  'src/features/contacts/properties.ts parseValue': { with: (text) => ['number', text] },
  'src/features/sending/activity/search-language.ts readSearch': query,
  'src/features/sending/captured/schema.ts toCapturedFilter': { ...query, with: (text) => [{ q: text, after: text }] },
  'src/features/sending/captured/schema.ts toWaitFilter': { ...query, with: (text) => [{ q: text, after: text }] },
  'src/doors/compat/resend-mail.ts toPage': { with: (text) => [pieced(text), 10, String] },
  'src/mail/spf-record.ts missingIncludes': { with: (text) => [answers(text), text, ['include:a.example']] },
  'src/core/http/served-at.ts hostOf': { with: (text) => [{ url: `http://${text}/` }] },
  'src/people/links/base.ts withPicturesAt': { with: (text) => [site.config, 'https://b.example', text] },
  'src/people/domain-owners.ts isOfInstallation': {
    with: (text) => [{ mailFrom: {}, inboundDomain: 'a.example' }, text],
  },
  'src/kit/outbound/response.ts ResponseReader.push': {
    ...stream(maxHeadBytes, () => new ResponseReader(maxHeadBytes)),
    around: [
      (text) => text,
      (text) => `HTTP/1.1 200 OK\r\na: ${text}`,
      (text) => `HTTP/1.1 200 OK\r\n\r\n${text}`,
      (text) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${text}`,
    ],
  },
  'src/kit/outbound/url.ts hostOf': {
    ...url,
    with: (text) => [new URL(`https://a.example/${encodeURIComponent(text.toWellFormed())}`)],
  },
  'src/kit/xml-scan.ts XmlScanner.write': {
    run: (text) => new XmlScanner({ open() {}, close() {} }).write(`<a>${text}`),
  },
  'src/features/contacts/imports/consent.ts consentOfCells': {
    with: (text) => [[text, ...pieced(text)].map((cell) => ({ column: 'subscribed', header: text, cell }))],
  },
  'src/features/contacts/imports/evidence.ts takeEvidence': {
    ...record,
    with: (text) => [noEvidence(), 'listStates', text],
  },
  'src/kit/gathered.ts Gathered.add': {
    ...stream(usual, () => {
      const gathered = new Gathered()
      return { push: (part) => gathered.add(part) }
    }),
  },
  'src/kit/gathered.ts Gathered.indexOf': {
    ...stream(usual, () => {
      const gathered = new Gathered()
      return {
        push(part) {
          gathered.add(part)
          gathered.indexOf('\0')
        },
      }
    }),
  },
  'src/kit/csv.ts csvCells': record,
  'src/kit/csv.ts csvRecords': { ...record, with: (text) => [bytes(text), { bytes: 0, lines: 0 }], isBeside: true },
  'src/kit/json.ts readJson': { with: (text) => [{}, text] },
  'src/kit/token.ts isOAuthToken': { with: (text) => [`pqo_${text}`, 'access'] },
  'src/kit/page.ts html': { with: (text) => [['<p>', '</p>'], text] },
  'src/kit/page.ts page': { with: (text) => [{ title: text, body: '', locale: text.slice(0, 20) }] },
  'src/mail/automatic.ts automaticReason': {
    with: (text) => [{ from: { address: text }, headers: [['precedence', text]] }, text, text],
  },
  'src/mail/base64-lines.ts base64Lines': { with: (text) => [pieced(text).map((one) => Buffer.from(one))] },
  'src/mail/bimi.ts checkBimi': { with: (text) => [{ dns: answers(text), now: new Date(0) }, 'a.example'] },
  'src/mail/dkim.ts signDkim': {
    with: (text) => [{ headers: [['from', text]], body: [text, '\r\n', text] }, [], new Date(0)],
    isBeside: true,
  },
  'src/mail/dns-auth.ts checkDkim': { with: (text) => [answers(text), [txt(text)]] },
  'src/mail/dns-auth.ts checkDomainAuth': {
    with: (text) => [answers(text), 'a.example', { ownershipRecord: txt(text), dkimRecords: [], spf: [text] }],
  },
  'src/mail/dns-auth.ts findDmarc': { with: (text) => [answers(text), 'a.example'] },
  'src/mail/fault-cause.ts toFaultCause': { with: (text) => [{ about: 'relay', reply: text }] },
  'src/mail/header.ts headerMailbox': { with: (text) => ['To', { name: text, address: 'a@b.example' }] },
  'src/mail/header.ts headerMailboxes': {
    with: (text) => ['To', pieced(text).map((name) => ({ name, address: 'a@b.example' }))],
  },
  'src/mail/plain-text.ts plainTextMail': { with: (text) => [{ ...messageOf(text), to: 'a@b.example', text }] },
  'src/mail/mime.ts fillMessage': {
    with: (text) => [
      { html: [encodePiece(text), 0], text: null },
      { ...messageOf(text), htmlValues: [text], textValues: [] },
    ],
  },
  'src/mail/quoted-printable.ts joinPieces': { with: (text) => [pieced(text).map(encodePiece)] },
  'src/mail/smtp-command.ts parameterFault': {
    with: (text) => [[['SIZE', text]], { maxMessageBytes: 1, takesAuth: true }],
    limit: maxCommandBytes,
  },
  'src/mail/smtp-data.ts DataReader.push': stream(usual, () => new DataReader(() => {})),
  'src/mail/smtp-incoming.ts IncomingMail.push': stream(
    usual,
    () => new IncomingMail({ maxMessageBytes: usual, maxHeldBytes: usual }, { bytes: 0 }),
  ),
  'src/mail/smtp-reply.ts ReplyReader.push': {
    ...stream(maxReplyBytes, () => new ReplyReader(() => {})),
    around: [(text) => text, (text) => `250-${text.replaceAll('\n', '\n250-')}`],
  },
  'src/mail/smtp-reply.ts replyLine': replies,
  'src/doors/mcp/untrusted.ts changedInside': {
    with: (text) => [text, (one: string) => one],
    around: [(text) => text, (text) => `<<<UNTRUSTED EMAIL ${text}`],
  },
  'src/doors/mcp/declared-tools.ts declaredTools': {
    with: (text) => [{ routes: () => [{ path: text, hooks: { detail: { tool: { name: text, says: {} } } } }] }],
  },
  'src/doors/mcp/origin.ts refuseForeign': {
    with: (text) => [{ headers: new Headers({ origin: ascii(text) }) }, 'https://a.example'],
  },
  'src/core/http/form.ts readForm': { run: (text) => readForm(new Request('https://a.example', formOf(text))) },
  'src/core/http/sorting.ts sortingOf': {
    run: (text) => sortingOf({ first: 'a', named: { a: { key: { column: segments.id, of: () => '' } } } }).beyond(text),
  },
  'src/core/http/idempotency.ts readIdempotencyKey': {
    with: (text) => [new Request('https://a.example', { headers: { 'idempotency-key': ascii(text) } })],
  },
  'src/doors/compat/signature.ts readSignature': {
    with: (text) => [
      new Request('https://a.example', { headers: { authorization: `AWS4-HMAC-SHA256 ${ascii(text)}` } }),
    ],
  },
  'src/features/lists/moving/export-columns.ts exportColumns': {
    with: (text) => [{ skip: [] }, { [text]: text.slice(0, 50) }],
  },
  'src/features/lists/moving/export-formats.ts personOfRow': {
    with: (text) => [
      'listmonk',
      rowWith(text),
      'a.csv',
      { people: { note() {} }, columns: exportColumns({ skip: [] }, {}), now: new Date(0) },
    ],
  },
  // Each person in a turn of their own.
  'src/features/lists/moving/people.ts gatherPeople': {
    run: (text) => addPeople(text),
    limit: besides,
    isBeside: true,
  },
  'src/features/content/rendering/fill.ts fill': { with: (text) => [segmentsOf(text), { a: 'b' }] },
  'src/features/content/rendering/fill.ts mostChars': { with: (text) => [segmentsOf(text), { a: 'b' }] },
  'src/features/content/rendering/html-copy.ts anchorHtml': {
    with: (text) => [pageOf(), surface, { href: text }, text],
  },
  'src/features/content/rendering/html-copy.ts inlineHtml': { with: (text) => [parseInline(text), pageOf(), surface] },
  'src/features/content/rendering/own-html/left-out.ts LeftOut.note': {
    run(text) {
      const leftOut = new LeftOut()
      for (const one of [text, ...pieced(text)]) leftOut.note(one, one)
    },
  },
  'src/features/content/rendering/variables.ts listUses': { with: (text) => [segmentsOf(text)] },
  'src/features/review/revisions/tree-match.ts pairAlike': {
    with: (text) => [itemsWith(text), itemsWith(`a${text}`), async () => {}],
  },
  'src/features/sending/attachments.ts readAttachments': {
    with: (text) => [
      { attachmentTypes: null, maxAttachments: null },
      [{ filename: text, data: text, contentType: text }],
    ],
  },
  'src/features/sending/stats/schema.ts readQuery': { with: (text) => [{ from: text, to: text }, new Date(0)] },
  'src/features/sending/tracking/links.ts tracked': {
    with: (text) => [
      { html: [`<a href="${text}">`], untracked: [] },
      { campaignId: 'a', opens: true, links: new Map() },
    ],
  },
  'src/features/content/media/embedded.ts showEmbedded': {
    with: (text) => [text, [{ url: '#', given: text, shifts: [] }]],
  },
  'src/features/content/starters/pictures.ts placePictures': { with: (text) => [text, async () => 'a'] },
  'src/people/access/auth.ts admitKey': { with: (text) => [async () => ({ workspace: { suspendedAt: null } }), text] },
  'src/people/access/cookie.ts sessionToken': { with: (text) => [site, text] },
  'src/people/access/cookie.ts stepValue': { with: (text) => [site, text, 'step'] },
  'src/kit/local-time.ts localParts': { with: (text) => [new Date(0), knownZone(text)] },
  'src/kit/local-time.ts fromLocal': {
    with: (text) => [{ year: 2026, month: 1, day: 1, hour: 0, minute: 0 }, knownZone(text)],
  },
  'src/kit/local-time.ts nextLocalTime': {
    with: (text) => [new Date(0), { zone: knownZone(text), time: '09:00' }],
  },
  'src/kit/local-time.ts nextOutside': {
    with: (text) => [{ from: '20:00', to: '08:00' }, knownZone(text), new Date(0)],
  },
  'src/features/events/rule-checks.ts propertyIssues': { with: (text) => ['properties', { [text]: text, plan: text }] },
  'src/features/sequences/definition.ts readDefinition': {
    with: (text) => [
      {
        start: { event: text },
        steps: [{ id: 'a', type: 'send', templateId: text, variables: { [text]: text }, next: text }],
      },
      new Map(),
      'definition',
    ],
  },
  'src/features/ab-tests/variants.ts findSame': {
    with: (text) => [
      [{ name: 'A' }, { name: 'B', subject: text }, { name: 'C', subject: `${text}!` }],
      { subject: text },
    ],
  },
  'src/features/sequences/runs.ts RunChanges.count': {
    run: (text) =>
      new RunChanges().count({ sequenceId: 's', version: 1, stepId: 'a' }, { sent: 1 }, { name: text, version: 1 }),
  },
  'src/features/sequences/read-step-test.ts testOf': {
    with: (text) => [
      'definition.steps[0]',
      {
        test: {
          variants: [
            { name: text, subject: text },
            { name: 'B', fromEmail: text },
          ],
          winner: { by: 'hand' },
        },
      },
    ],
  },
  'src/features/sequences/begin.ts keyOf': {
    with: (text) => [
      {
        definition: { reEntry: { mode: 'never', minDays: 0, key: text } },
        contact: { properties: {} },
        event: { id: 'e', name: 'e', properties: { x: text } },
      },
    ],
  },
  'src/features/sequences/begin.ts begin': {
    with: (text) => [
      { now: new Date(0), random: { uuidv7: () => '0' } },
      {
        sequence: { id: 's', workspaceId: 'w', version: 1 },
        definition: {
          reEntry: { mode: 'never', minDays: 0, key: text },
          steps: [{ id: 'a', type: 'digest', event: text, for: { amount: 1, unit: 'h' } }],
        },
        contact: { id: 'c', properties: {}, timezone: null },
        event: { id: 'e', name: text, properties: { x: text } },
      },
      { history: new Map(), changes: { begin: () => {} }, timeZone: 'UTC' },
    ],
  },
  'src/features/sequences/digest.ts gather': {
    with: (text) => [
      { gathered: null },
      {
        steps: [
          { id: 'a', type: 'digest', event: text, filter: [{ property: 'x', operator: 'contains', value: text }] },
        ],
      },
      { id: 'e', name: text, properties: { x: text } },
    ],
  },
  'src/features/sequences/digest.ts gatheredFor': {
    with: (text) => [{ gathered: [{ event: text, count: 1, ids: [text], mailed: false }] }, { event: text }],
  },
  'src/features/sequences/migrate.ts checkStepMap': {
    with: (text) => [{ draft: { steps: [{ id: 'a', type: 'webhook' }] } }, { [text]: 'a' }],
  },
  'src/features/sequences/moves.ts dueAt': {
    with: (text) => [
      { id: 'a', type: 'wait', date: 'day' },
      { now: new Date(0), contact: { properties: { day: text }, createdAt: new Date(0) }, zone: 'UTC' },
    ],
  },
  'src/features/events/mapping.ts mappingIssues': { with: (text) => [text, { value: text }] },
  'src/kit/outbound/url.ts checkOutboundUrl': {
    ...url,
    with: (text) => [
      `https://${text}`,
      { webhookAllowHttp: true, webhookAllowCidrs: [], baseUrl: 'https://a.example', host: 'a', port: 1 },
    ],
  },
  'src/features/contacts/imports/columns.ts toPropertyName': { with: (text) => [text, 1, new Map()] },
  'src/features/contacts/imports/columns.ts expectClear': headerLine,
  'src/features/contacts/imports/columns.ts readRow': {
    ...record,
    with: (text) => [text.split(',').map((header) => ({ header, kind: 'property', type: 'number' })), text.split(',')],
  },
  'src/features/contacts/imports/columns.ts whoIsMissing': headerLine,
  'src/features/contacts/imports/columns.ts readColumns': {
    ...headerLine,
    with: (text) => [[text, ...text.split(',')], new Map()],
  },
  'src/features/contacts/imports/columns.ts strayKeys': {
    ...headerLine,
    with: (text) => [text.split(','), { [text]: null }],
  },
  'src/features/content/inspection/inspect-html.ts inspectHtml': html,
  'src/kit/content-id.ts expectAttached': {
    with: (text) => [[], text.split(',').map((contentId) => ({ contentId })), 'a'],
  },
  'src/kit/content-id.ts withAddresses': { with: (text) => [`cid:a ${text}`, new Map([['a', 'b']])] },
  'src/kit/html-css-syntax.ts readCss': { ...css, with: (text) => [text, 'sheet', 32] },
  'src/kit/html-parse.ts parseHtml': html,
  'src/kit/html-style-rules.ts readRules': { ...css, with: (text) => [text, wanted] },
  'src/kit/html-style-rules.ts readDeclarations': { ...css, with: (text) => [text, wanted] },
  'src/kit/nearest.ts nearest': { with: (text) => [text, ['email', 'firstName', text.slice(1)]] },
  'src/mail/bounce-report.ts readBounceReport': mails,
  'src/mail/parse-mime.ts parseMail': mails,
  'src/mail/postmark.ts readPostmark': mails,
  ...attachmentCalls,
  'src/mail/quoted-text.ts splitQuoted': { isBeside: true },
  'src/mail/domain-report.ts readDomainReport': mails,
  'src/mail/received-mail.ts readAttachment': mails,
  'src/mail/received-mail.ts readContents': mails,
  'src/mail/received-mail.ts readHead': mails,
  'src/mail/received-mail.ts readReceived': mails,
  'src/mail/smtp-command.ts readMailCommand': { with: (text) => [`MAIL FROM:<${text}`, 'FROM'] },
  'src/mail/submitted-mail.ts completed': {
    ...mails,
    with: (text) => [rawOf(text), { messageId: 'a@b', date: new Date(0) }],
  },
  'src/mail/submitted-mail.ts readSubmitted': mails,
  'src/features/lists/moving/html-tree.ts treeOfHtml': {
    ...html,
    with: (text) => [text, (words: string) => ({ text: words, unknown: [] })],
  },
  'src/features/lists/moving/records.ts objectsOf': { with: (text) => [`[${text}`, async () => {}], isBeside: true },
  'src/features/lists/moving/records.ts rowsOf': {
    with: (text) => ['a.csv', `email,a\n${text}`, { pace: async () => {}, refuse: () => {}, takes: () => true }],
    isBeside: true,
  },
  ...htmlCalls,
  ...movedWorkspaceCalls,
  'src/doors/compat/dialects.ts foreignRefusal': {
    with: (text) => [
      text,
      toProblem(new AppError('validation_failed', text), { baseUrl: text, path: text, requestId: text }),
    ],
  },
  'src/features/content/rendering/placeholders.ts withoutPlaceholders': { with: (text) => [text, 'x'] },
  'src/features/content/rendering/marks.ts followMark': { with: (text) => [[], text] },
  // Where it leads is ours, or was checked to be a path.
  'src/people/access/cookie.ts redirect': { with: (text) => [`/${Buffer.from(text).toString('hex')}`] },
  'src/operator/receivers/schema.ts toReceiverView': {
    with: (text) => [{ replies: [{ lastAt: new Date(0), reply: text }] }, new Date(0)],
  },
  'src/features/webhooks/publish.ts toPayload': { with: (text) => ['contact.created', { text }, new Date(0)] },
}

/** What takes no text of callers, but ours: descriptions of our routes, names of our figures, the operator's settings. */
const ofOurs = [
  /^src\/(doors\/cli|doors\/ui|core\/config|operator\/(archive|backup)|kit\/(store|tracing))\/|^src\/(main|core\/(config|installation)|operator\/secrets)\.ts/,
  /^src\/kit\/(seal|measures|read-metrics|log|id|steady-file)\.ts /,
  /^src\/core\/http\/(openapi\/(openapi|openapi-schemas|openapi-words)|schema-words|route-table|surface|wire)\.ts /,
  // Domains that were checked, and words of ours, as keys of a map.
  /^src\/features\/(forecast\/tally|campaigns\/reputation\/caps-ahead)\.ts /,
  // What they are given is ours; what comes from elsewhere is read by ResponseReader, ReplyReader and parsePolicy().
  / (OutboundConnection|SmtpConnection|TimeLimits|Receivers|WatchedMailer|Fabric|EndpointThrottle|DomainSpeeds|IdleConnections|WarmUp|ReceiverNames|SharedTurns)\./,
  / (MtaSts|Remembered|Routes|Troubles)\.|^src\/mail\/smtp-(socket|url)\.ts /,
]

export interface Calls {
  functions: TextFunction[]
  /** Those for which it is not known how they are called. */
  unknown: string[]
}

export async function textFunctions(): Promise<Calls> {
  const found: Calls = { functions: [], unknown: [] }
  const paths = [...new Bun.Glob('src/**/*.ts').scanSync(root)].sort()
  const fillerOf = createFiller()
  for (const path of paths)
    for (const one of lookingAtText(path)) {
      const name = `${path} ${one.name}`
      if (ofOurs.some((pattern) => pattern.test(name)) || one.parameters.some(isOfDatabase)) continue
      const run = await runOf(one, calls[name] ?? {}, fillerOf)
      const { limit = usual, isBeside = false, units = delimiters } = calls[name] ?? {}
      if (run) found.functions.push({ name, limit, isBeside, units, run })
      else found.unknown.push(name)
    }
  return found
}

const isOfDatabase = ({ type }: ParameterDeclaration) =>
  /^(App|Tx|Reader|Keyed|Pick<App,.*)$/.test(type?.getText() ?? '')

async function runOf(
  { path, name, isMethod, parameters }: Found,
  { with: given, run, around = [(text) => text] }: Call,
  fillerOf: ReturnType<typeof createFiller>,
): Promise<TextFunction['run'] | undefined> {
  const drained = (work: (text: string) => unknown) => async (text: string) => {
    for (const frame of around) await drain(() => work(frame(text)))
  }
  if (run) return drained(run)
  if (isMethod) return undefined
  const work = ((await import(join(root, path))) as Record<string, Called>)[name]
  if (!work) throw new Error(`${path} has no ${name}`)
  if (given) return drained((text) => work(...given(text)))
  const last = parameters.findLastIndex((one) => !one.questionToken && !one.initializer && !one.dotDotDotToken)
  const fillers = parameters.slice(0, Math.max(1, last + 1)).map(fillerOf)
  const known = fillers.filter((one) => one !== undefined)
  return known.length < fillers.length ? undefined : drained((text) => work(...known.map((fill) => fill(text))))
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
