// What the compatible services share: how a request of a service becomes one of ours, and the parts of a mail that most of them write
// alike. Each service has a file of its own with its routes; its vocabulary is used nowhere else.

import type { AnyElysia } from 'elysia'
import type { App } from '../../core/app.ts'
import type { Problem } from '../../core/http/errors.ts'
import { byRequest } from '../../features/contacts/consent/ledger.ts'
import { resolveTemplate } from '../../features/content/templates/resolve.ts'
import type { SendBody } from '../../features/sending/schema.ts'
import { acceptSend } from '../../features/sending/send.ts'
import type { OwnMail, OwnSent } from '../../features/sending/send-own.ts'
import { chooseSender } from '../../features/sending/sender.ts'
import { parseRecipient } from '../../kit/email-address.ts'
import { invalidField } from '../../kit/error.ts'
import { ownValue } from '../../kit/own-value.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { WorkingKey } from '../../people/access/api-keys.ts'
import type { Caller } from '../../people/access/auth.ts'
import type { Workspace } from '../../people/workspaces.ts'

export interface Dialect {
  /** As in the path: `/compat/NAME/…` */
  name: string
  /** For people. */
  service: string
  /** The Authorization that its own way of sending a key amounts to; default: its Authorization. */
  authorization?(headers: Headers): string | null
  /** For one whose requests are signed: the key that this one is signed with. Throws 401 or 403. */
  signedKey?(app: App, request: Request): Promise<WorkingKey>
  /** Its error. */
  refusal(problem: Problem): Refusal
  /** Under its path. A route whose body is not JSON declares that with its surface (core/http/surface.ts). */
  routes(app: App): AnyElysia
  /** Its calls that have no equivalent here, by name; all others refer to our routes. No implemented path is among them. */
  absent: Absent[]
}

/** What to use instead, and for which calls: `GET /emails/metrics`, the path without its prefix. */
type Absent = [use: string, calls: RegExp]

export interface Refusal {
  status: number
  /** Text is sent as it is, anything else as JSON. */
  body: unknown
  headers?: Record<string, string>
}

type Recipients = OwnMail['recipients']
type Mailbox = OwnMail['from']

/** `Name <address>`, or an address. Throws 422 naming `path`. */
export function mailbox(path: string, text: string): Mailbox {
  const parsed = parseRecipient(text)
  if (!parsed.ok) throw invalidField(path, parsed.reason, 'invalid_email')
  return { name: parsed.name, address: parsed.address }
}

/** Any number of them. Throws 422 naming the wrong one. */
export function recipients(
  as: Recipients[number]['as'],
  path: string,
  given: string | string[] | undefined,
): Recipients {
  const list = typeof given === 'string' ? [given] : (given ?? [])
  return list.map((text, index) => {
    const { name, address } = mailbox(typeof given === 'string' ? path : `${path}[${index}]`, text)
    return { as, name, email: address }
  })
}

/** Separated by commas outside of quotes. */
export function addresses(list = ''): string[] {
  const parts: string[] = []
  let from = 0
  let isQuoted = false
  for (let at = 0; at < list.length; at++) {
    if (list[at] === '"') isQuoted = !isQuoted
    else if (list[at] === '\\' && isQuoted) at++
    else if (list[at] === ',' && !isQuoted) {
      parts.push(list.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, list.slice(from)].map((one) => one.trim()).filter((one) => one !== '')
}

const typesByEnding: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  txt: 'text/plain',
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  ics: 'text/calendar',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** For an attachment without a type: by the ending of its name. */
export function typeOfFile(filename: string): string {
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()
  return ownValue(typesByEnding, ending) ?? 'application/octet-stream'
}

/** A picture for the HTML, where both its place and its id are named. Throws 422 naming `path` for one without the other. */
export function shownAs(
  { inline, contentId }: { inline: boolean; contentId: string | undefined },
  path: string,
): { contentId?: string } {
  if (inline !== (contentId !== undefined))
    throw invalidField(path, 'goes together with the disposition inline, and only with that one')
  return contentId === undefined ? {} : { contentId }
}

/** The fields that a send may leave out. */
type OptionalField = 'cc' | 'bcc' | 'replyTo' | 'headers' | 'attachments' | 'scheduledAt' | 'tags' | 'metadata'

/** A mail of a template, with our names for its fields. */
interface TemplateMail extends Required<Pick<SendBody, 'templateId' | 'dataVariables'>> {
  /** The call, as it is recorded. */
  route: string
  /** The sender that the caller names, and the field that names it. */
  from: (Mailbox & { path: string }) | null
  to: string[]
}

/** Returns the id of its message. */
export async function acceptTemplate(
  app: App,
  { workspace, credential }: Caller,
  mail: TemplateMail & { [Name in OptionalField]?: SendBody[Name] | undefined },
  key: string | null,
): Promise<string> {
  const { route, from, to, templateId, dataVariables, ...others } = mail
  if (from) await expectSender(app, workspace, templateId, from)
  const fields = withoutUndefined({ ...others, fromName: from?.name ?? undefined })
  const send = { to, templateId, dataVariables, ...fields }
  const { response } = await acceptSend(app, workspace, send, { key, evidence: byRequest(credential, route) })
  return response.messageId
}

/** A template determines its sender: throws 422 when the caller names another one. */
async function expectSender(app: App, workspace: Workspace, slug: string, from: Mailbox & { path: string }) {
  const template = await resolveTemplate(app, workspace.id, slug)
  // A missing template is refused by the send itself.
  if (!template) return
  const { email } = await chooseSender(app, workspace, template, {})
  if (email !== from.address)
    throw invalidField(from.path, `the template ${slug} is sent by ${email}; change its sender, or send from there`)
}

/** The id of a mail: that of its first message that is sent, else of its first. */
export function firstMessage({ messages }: OwnSent): OwnSent['messages'][number] {
  const first = messages.find(({ suppressed }) => suppressed === null) ?? messages[0]
  if (!first) throw new Error('a mail without a message was accepted')
  return first
}
