// A mail as it would be, without sending it: compiled and filled like every mail, with links that lead nowhere. What nobody has
// supplied stands there as it is written in the template.

import type { App } from '../app.ts'
import { findContactByEmail } from '../consent/find-contact.ts'
import { parseAddress } from '../lib/email-address.ts'
import { type Issue, invalidField } from '../lib/error.ts'
import { compileContent, type Source } from '../rendering/compile.ts'
import { fill } from '../rendering/fill.ts'
import type { Node } from '../rendering/nodes.ts'
import { checkVariables, unfilled, type VariableUse } from '../rendering/variables.ts'
import { brandLook } from '../templates/resolve.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { valuesOf } from './values.ts'

/** What is looked at: one locale of a template or a campaign, stored or not. */
export interface Draft {
  content: Node[]
  subject: string
  previewText: string
  locale: string
  kind: Source['kind']
  fromName: string | null
}

export interface PreviewFor {
  /** Whose `contact.*` it shows; null for somebody we know nothing of. */
  email?: string | undefined
  dataVariables?: Record<string, unknown> | undefined
}

export interface Preview {
  locale: string
  subject: string
  previewText: string
  html: string
  text: string
  htmlBytes: number
  textBytes: number
  missingVariables: string[]
  warnings: Issue[]
}

const nobody = 'reader@example.com'

/** Throws 422 for values that a send would refuse, but for those that are missing. */
export async function previewMail(app: App, workspace: Workspace, draft: Draft, reader: PreviewFor): Promise<Preview> {
  const { content, subject, previewText, locale, kind } = draft
  const given = reader.dataVariables ?? {}
  const email = addressOf(reader.email)
  const compiled = compileContent({ content, subject, previewText, locale, kind, brand: brandLook(workspace.brand) })
  const missing = unfilled(compiled.uses, (name) => Object.hasOwn(given, name))
  const variables = { ...standIns(compiled.uses, missing), ...given }
  const unused = checkVariables(compiled, variables)
  const contact = email === null ? null : await findContactByEmail(app, workspace.id, email)
  const values = valuesOf({
    workspace,
    message: { id: 'msg_preview', email: email ?? nobody, locale, variables },
    contact,
    senderName: draft.fromName ?? workspace.brand.senderName ?? workspace.name,
    now: app.clock.now(),
    links: linksToNowhere(app),
    viewUrl: () => `${app.config.baseUrl}/view/preview`,
  })
  const [html, text] = [fill(compiled.html, values), fill(compiled.text, values)]
  return {
    locale,
    subject: fill(compiled.subject, values),
    previewText: fill(compiled.previewText, values),
    html,
    text,
    htmlBytes: Buffer.byteLength(html),
    textBytes: Buffer.byteLength(text),
    missingVariables: missing,
    warnings: [...compiled.warnings, ...unused],
  }
}

/** Of the pages that a mail leads to: they answer that there is nothing, so nobody is unsubscribed by a look at a mail. */
export function linksToNowhere({ config }: Pick<App, 'config'>): Record<string, string> {
  const at = (page: string) => `${config.baseUrl}/${page}/preview`
  return {
    unsubscribe_url: at('u'),
    preferences_url: at('preferences'),
    confirm_url: at('confirm'),
  }
}

function standIns(uses: VariableUse[], missing: string[]): Record<string, unknown> {
  const wanted = uses.filter(({ name }) => missing.includes(name))
  return Object.fromEntries(wanted.map(({ name, dataType }) => [name, dataType === 'list' ? [] : `{{${name}}}`]))
}

function addressOf(email: string | undefined): string | null {
  if (email === undefined) return null
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalidField('email', parsed.reason, 'invalid_email')
  return parsed.address
}
