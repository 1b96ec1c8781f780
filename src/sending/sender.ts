// Who a mail is from. A workspace may use the domain of MAIL_FROM and its own sending domains; any other is refused.

import type { App } from '../app.ts'
import { addressDomain, parseAddress } from '../lib/email-address.ts'
import { AppError, invalidField } from '../lib/error.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { findDomain } from './domains.ts'

export interface Sender {
  name: string | null
  email: string
  replyTo: string | null
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

const unsafe = /[\x00-\x1f\x7f\u0085\u2028\u2029]/

/** The request wins over the template, the template over the brand, the brand over MAIL_FROM. Throws `domain_not_verified`. */
export async function senderOf(
  app: App,
  workspace: Workspace,
  template: SenderDefaults,
  wishes: SenderWishes,
): Promise<Sender> {
  const house = app.config.mailFrom
  const email = template.fromEmail ?? house.address
  const domain = addressDomain(email)
  if (domain !== house.domain && !(await findDomain(app, workspace.id, domain))) {
    const message = `mail from ${domain} is not allowed: it is neither the domain of MAIL_FROM nor a sending domain of this workspace`
    throw new AppError('domain_not_verified', message, {
      errors: [{ path: 'fromEmail', message, code: 'domain_not_verified' }],
    })
  }
  const name = wishes.fromName ?? template.fromName ?? workspace.brand.senderName ?? house.name
  if (name && unsafe.test(name))
    throw invalidField('fromName', 'must not hold line breaks or control characters', 'control_character')
  return { name, email, replyTo: replyToOf(wishes.replyTo) ?? template.replyTo }
}

function replyToOf(replyTo: string | undefined): string | null {
  if (replyTo === undefined) return null
  const parsed = parseAddress(replyTo)
  if (!parsed.ok) throw invalidField('replyTo', parsed.reason, 'invalid_email')
  return parsed.address
}
