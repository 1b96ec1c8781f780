// What the platform fills in at send time: the brand, the date, the recipient and, as contact.*, the contact.

import type { Workspace } from '../../people/workspaces.ts'
import type { Values } from '../content/rendering/fill.ts'
import type { Message } from './activity/activity.ts'
import type { MailContact } from './mail-rows.ts'

export interface ValueSources {
  workspace: Workspace
  message: Pick<Message, 'id' | 'email' | 'locale' | 'variables'>
  contact: MailContact | null
  senderName: string
  now: Date
  /** URLs of this mail only: `confirm_url`, `unsubscribe_url`, `preferences_url`. */
  links?: Record<string, string>
  /** The URL of the mail as a page; created only for a template that uses it. */
  viewUrl?: () => string
}

/** The caller's variables and the platform's; the platform's win, and a caller may not send them anyway. */
export function toValues(sources: ValueSources): Values {
  const { workspace, message, contact, senderName, now } = sources
  const { brand } = workspace
  const local = (style: Intl.DateTimeFormatOptions) => localTime(now, message.locale, workspace.timeZone, style)
  return {
    ...message.variables,
    company_name: brand.companyName ?? workspace.name,
    company_address: brand.companyAddress ?? '',
    company_website: brand.website ?? '',
    support_email: brand.supportEmail ?? '',
    sender_name: senderName,
    recipient_email: message.email,
    locale: message.locale,
    message_id: message.id,
    workspace: { name: workspace.name, website_url: brand.website ?? '' },
    contact: contact ? contactValues(contact) : { email: message.email },
    ...sources.links,
    // Formatting is expensive, so it is only done for a template that uses it.
    get view_in_browser_url() {
      return sources.links?.view_in_browser_url ?? sources.viewUrl?.() ?? ''
    },
    get date() {
      return local({ dateStyle: 'long' })
    },
    get time() {
      return local({ timeStyle: 'short' })
    },
    get year() {
      return local({ year: 'numeric' })
    },
  }
}

/** Who a mail is from, as `sender_name` says it. */
export function senderNameOf(fromName: string | null, { brand, name }: Workspace): string {
  return fromName ?? brand.senderName ?? name
}

/** Of what toValues() fills in, all that recipients have in common, for comparing; dates stand for their format. */
export function fixedValues(workspace: Workspace, { locale, fromName }: { locale: string; fromName: string | null }) {
  const message = { id: '', email: '', locale, variables: {} }
  const senderName = senderNameOf(fromName, workspace)
  const values = toValues({ workspace, message, contact: null, senderName, now: new Date(0) })
  return { ...values, timeZone: workspace.timeZone }
}

/** `contact.*` of a template or a rule. */
export function contactValues(contact: MailContact): Values {
  const { properties, id, email, userId, firstName, lastName, source, subscribed, userGroup, locale, timezone } =
    contact
  return { ...properties, id, email, userId, firstName, lastName, source, subscribed, userGroup, locale, timezone }
}

/** A moment in the recipient's format, in the workspace's time zone. */
function localTime(now: Date, locale: string, timeZone: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { ...style, timeZone }).format(now)
}
