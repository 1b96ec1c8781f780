// Shows a mail without sending it: compiled and filled like every mail, with links that do nothing. Missing variables are shown as written
// in the template.

import type { App } from '../../core/app.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { turn } from '../../kit/turn.ts'
import { publicBase } from '../../people/links/base.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findContactByEmail } from '../contacts/consent/find-contact.ts'
import { finding } from '../content/inspection/finding.ts'
import { type Inspection, inspect } from '../content/inspection/inspect.ts'
import { type EmbeddedPicture, showEmbedded } from '../content/media/embedded.ts'
import { type Compiled, compileInTurns, type Source } from '../content/rendering/compile.ts'
import type { Content } from '../content/rendering/content.ts'
import { fill, mostChars, type Values } from '../content/rendering/fill.ts'
import { marksAsComments, withoutMarks } from '../content/rendering/marks.ts'
import { checkVariables, unfilled, type VariableUse } from '../content/rendering/variables.ts'
import { fillBlocks } from '../content/templates/fill-blocks.ts'
import { brandLook } from '../content/templates/resolve.ts'
import { senderNameOf, toValues } from './values.ts'

/** What is previewed: one locale of a template or a campaign, stored or not. */
export interface PreviewInput {
  content: Content
  /** Of content that is not stored: those that it will show. */
  pictures?: EmbeddedPicture[]
  subject: string
  previewText: string
  locale: string
  /** The locale that was asked for. Default: the one it is in. */
  requestedLocale?: string
  kind: Source['kind']
  fromName: string | null
}

export interface PreviewFor {
  /** Whose `contact.*` it shows; null for an unknown person. */
  email?: string | undefined
  dataVariables?: Record<string, unknown> | undefined
  /** The HTML says in comments which node made what. */
  marks?: boolean | undefined
}

/** What an editor has of a mail while it is written. */
export interface Unfinished {
  locale?: string | undefined
  subject?: string | undefined
  previewText?: string | undefined
  draft?: boolean | undefined
}

export interface Preview extends Inspection {
  locale: string
  requestedLocale: string
  subject: string
  previewText: string
  html: string
  text: string
  htmlBytes: number
  textBytes: number
  missingVariables: string[]
  unusedVariables: string[]
  /** The link with which a reader leaves the list is in the mail. */
  hasUnsubscribeLink: boolean
  warnings: Issue[]
}

const nobody = 'reader@example.com'

/** Far above what any client shows whole. */
const maxPreviewChars = 2_000_000

/**
 * `read`: what reading an unsaved tree said. Throws 422 for values that a send would refuse, but for those that are missing, and for more
 * than anybody reads.
 */
export async function previewMail(
  app: App,
  workspace: Workspace,
  draft: PreviewInput,
  reader: PreviewFor,
  read: Issue[] = [],
): Promise<Preview> {
  const { subject, previewText, locale, kind, requestedLocale = locale } = draft
  const content = await fillBlocks(app, { workspaceId: workspace.id, locale }, draft.content)
  const given = reader.dataVariables ?? {}
  const email = readAddress(reader.email)
  const brand = brandLook(workspace.brand)
  const compiled = await compileInTurns({ content, subject, previewText, locale, kind, brand, marks: true })
  const missing = unfilled(compiled.uses, (name) => Object.hasOwn(given, name))
  const variables = { ...standIns(compiled.uses, missing), ...given }
  const unused = checkVariables(compiled, variables)
  const contact = email === null ? null : await findContactByEmail(app, workspace.id, email)
  const base = publicBase(app.config, workspace)
  const links = linksToNowhere(base)
  const values = toValues({
    workspace,
    message: { id: 'msg_preview', email: email ?? nobody, locale, variables },
    contact,
    senderName: senderNameOf(draft.fromName, workspace),
    now: app.clock.now(),
    links,
    viewUrl: () => `${base}/view/preview`,
  })
  await turn()
  refuseTooLong(compiled, values)
  const marked = fill(compiled.html, values)
  const shown = {
    html: withoutMarks(marked),
    text: fill(compiled.text, values),
    subject: fill(compiled.subject, values),
    previewText: fill(compiled.previewText, values),
  }
  const warnings = [...read, ...compiled.warnings, ...unused]
  const rendered = { ...shown, html: marked, content, compiled, values, missing, warnings }
  await turn()
  const { findings, ...inspected } = await inspect(app, rendered)
  const html = reader.marks ? marksAsComments(marked) : shown.html
  return {
    ...shown,
    html: draft.pictures?.length ? showEmbedded(html, draft.pictures) : html,
    ...inspected,
    locale,
    requestedLocale,
    htmlBytes: Buffer.byteLength(shown.html),
    textBytes: Buffer.byteLength(shown.text),
    missingVariables: missing,
    unusedVariables: Object.keys(given).filter((name) => !compiled.uses.some((use) => use.name === name)),
    hasUnsubscribeLink: shown.html.includes(`href="${links.unsubscribe_url}"`),
    findings: locale === requestedLocale ? findings : [fallbackFinding(requestedLocale, locale), ...findings],
    warnings,
  }
}

function fallbackFinding(requested: string, locale: string) {
  const message = `There is no content in ${requested}: readers of it get ${locale}.`
  return finding({ path: 'locale', code: 'locale_fallback', message })
}

function refuseTooLong({ html, text }: Compiled, values: Values): void {
  if (mostChars(html, values) + mostChars(text, values) <= maxPreviewChars) return
  throw invalidField('dataVariables', `make a mail of more than ${maxPreviewChars} characters`, 'too_large')
}

/** If the request says `draft`, the errors of unfinished content are part of the answer instead of a refusal. */
export function previewOrFaults(unfinished: Unfinished, preview: () => Promise<Preview>): Promise<Preview> {
  return preview().catch((error: unknown) => {
    const faults = error instanceof AppError ? (error.details.errors ?? []) : []
    if (!unfinished.draft || faults.length === 0) throw error
    return faulty(unfinished, faults)
  })
}

function faulty({ locale = '', subject = '', previewText = '' }: Unfinished, faults: Issue[]): Preview {
  return {
    locale,
    requestedLocale: locale,
    subject,
    previewText,
    html: '',
    text: '',
    htmlBytes: 0,
    textBytes: 0,
    isClipped: false,
    inbox: [],
    variables: [],
    missingVariables: [],
    unusedVariables: [],
    links: [],
    hasUnsubscribeLink: false,
    findings: faults.map(({ path, code, message }) => ({ path, code, message, severity: 'error' })),
    clientGaps: [],
    warnings: [],
  }
}

/** Stand-ins for the mail's links: they lead to nothing, so looking at a preview unsubscribes nobody. `base` as publicBase() gives it. */
export function linksToNowhere(base: string) {
  const at = (page: string) => `${base}/${page}/preview`
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

function readAddress(email: string | undefined): string | null {
  if (email === undefined) return null
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalidField('email', parsed.reason, 'invalid_email')
  return parsed.address
}
