// The sender of a mail. Which addresses a workspace may use is decided in domains/owners.ts.

import type { App } from '../../core/app.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { type Issue, invalidField } from '../../kit/error.ts'
import { isOneLine, notOneLine } from '../../kit/text.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import type { Workspace } from '../../people/workspaces.ts'

export interface Sender {
  name: string | null
  email: string
  replyTo: string | null
  /** In capture mode: warns that this sender would be refused. */
  warnings: Issue[]
}

interface SenderWishes {
  fromName?: string | undefined
  replyTo?: string | undefined
}

interface SenderDefaults {
  fromName: string | null
  fromEmail: string | null
  replyTo: string | null
}

/** The request wins over the template, the template over the brand, the brand over MAIL_FROM. Throws `domain_not_verified`. */
export async function chooseSender(
  app: App,
  workspace: Workspace,
  template: SenderDefaults,
  wishes: SenderWishes,
): Promise<Sender> {
  const house = app.config.mailFrom
  const own = template.fromEmail === null ? null : readFromAddress(template.fromEmail)
  // Everybody may send from MAIL_FROM.
  const warnings = own === null ? [] : await checkAddress(app, workspace.id, { address: own, path: 'fromEmail' })
  const email = own ?? house.address
  const name = wishes.fromName ?? template.fromName ?? workspace.brand.senderName ?? house.name
  if (name && !isOneLine(name)) throw invalidField('fromName', notOneLine, 'control_character')
  return { name, email, replyTo: readReplyTo(wishes.replyTo) ?? template.replyTo, warnings }
}

/** With its domain in lower-case ASCII, because templates and campaigns store it as typed. */
function readFromAddress(fromEmail: string): string {
  const parsed = parseAddress(fromEmail)
  if (!parsed.ok) throw invalidField('fromEmail', parsed.reason, 'invalid_email')
  return parsed.address
}

function readReplyTo(replyTo: string | undefined): string | null {
  if (replyTo === undefined) return null
  const parsed = parseAddress(replyTo)
  if (!parsed.ok) throw invalidField('replyTo', parsed.reason, 'invalid_email')
  return parsed.address
}
