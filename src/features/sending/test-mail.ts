// Test mails: a template or a campaign in its current state, sent to members of the workspace. They are messages of a kind of their own:
// marked in the subject and in a header, without unsubscribe links, and not counted in any ledger, limit or number.

import { type App, type Tx, write } from '../../core/app.ts'
import { keyOf, type Rate, rateLimited, takeStored } from '../../core/http/rate-limit.ts'
import { AppError, type Issue } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { listMembers } from '../../people/access/users.ts'
import { mustTakeMails } from '../../people/limits.ts'
import { publicBase } from '../../people/links/base.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findContactByEmail } from '../contacts/consent/find-contact.ts'
import { writeShowing } from '../content/media/keep.ts'
import { type Compiled, compileInTurns } from '../content/rendering/compile.ts'
import { fill } from '../content/rendering/fill.ts'
import { checkVariables } from '../content/rendering/variables.ts'
import { fillBlocks } from '../content/templates/fill-blocks.ts'
import { addRevision } from '../content/templates/revisions.ts'
import { deliverMessage } from './deliver-message.ts'
import { linksToNowhere, type PreviewInput } from './preview.ts'
import { queueMessages } from './queue.ts'
import type { Sender } from './sender.ts'
import { toValues } from './values.ts'

/** By workspace; a call counts once. */
const testRate: Rate = { burst: 20, perSecond: 20 / 3_600 }
const header = { 'X-Paquebot-Test': 'yes' }

export interface Tested {
  draft: PreviewInput
  sender: Sender
  /** The id of the template or campaign; also stored in the metadata of the message. */
  owner: { templateId: string; slug: string } | { campaignId: string }
  dataVariables?: Record<string, unknown> | undefined
}

export interface TestMail {
  email: string
  messageId: string
  status: 'queued' | 'suppressed'
}

/** Throws 422 for an address that is not a member's and for what a send would refuse, 429 over the limit. */
export async function sendTests(
  app: App,
  workspace: Workspace,
  tested: Tested,
  emails: string[],
): Promise<{ tests: TestMail[]; warnings: Issue[] }> {
  const { draft, dataVariables = {} } = tested
  const to = await getMembers(app, workspace, emails)
  const content = await fillBlocks(app, { workspaceId: workspace.id, locale: draft.locale }, draft.content)
  const marked = { ...draft, content, subject: `[Test] ${draft.subject}` }
  const compiled = await compileInTurns(marked)
  const unused = checkVariables(compiled, dataVariables)
  const allowance = await write(app, (tx) => takeStored(tx, keyOf.id('test', workspace.id), testRate))
  if (!allowance.allowed) throw rateLimited(allowance)
  const tests = await writeShowing(app, workspace.id, draft.pictures ?? [], async (tx) => {
    const { content, subject, previewText, locale } = marked
    const said = { workspaceId: workspace.id, locale, subject, previewText, content }
    const ownerId = 'slug' in tested.owner ? tested.owner.templateId : tested.owner.campaignId
    const revisionId = await addRevision(tx, { ...said, ownerKind: 'test', ownerId })
    const mails: TestMail[] = []
    for (const email of to) mails.push(await queue(tx, app, workspace, { tested, compiled, revisionId, email }))
    return mails
  })
  return { tests, warnings: [...compiled.warnings, ...unused] }
}

/** The addresses as the members have them, each once. */
async function getMembers(app: App, workspace: Workspace, emails: string[]): Promise<string[]> {
  const members = (await listMembers(app, workspace.id)).flatMap(({ email, isEmailProven }) =>
    isEmailProven ? email : [],
  )
  const found = emails.map((email) => members.find((one) => one.toLowerCase() === email.trim().toLowerCase()))
  const message = 'is not the address of a member of this workspace'
  const errors = found.flatMap((member, index) =>
    member === undefined ? [{ path: `emails[${index}]`, message, code: 'not_a_member' }] : [],
  )
  if (errors.length > 0) throw new AppError('validation_failed', `${errors[0]?.path}: ${message}`, { errors })
  return [...new Set(found.filter((member) => member !== undefined))]
}

interface Queued {
  tested: Tested
  compiled: Compiled
  revisionId: string
  email: string
}

async function queue(tx: Tx, app: App, workspace: Workspace, queued: Queued): Promise<TestMail> {
  const { tested, compiled, revisionId, email } = queued
  const { draft, sender, owner, dataVariables = {} } = tested
  const id = newId(tx, 'msg', tx.now)
  const contact = (await findContactByEmail(tx, workspace.id, email)) ?? null
  const about = { id, email, locale: draft.locale, variables: dataVariables }
  const senderName = sender.name ?? workspace.name
  const links = linksToNowhere(publicBase(app.config, workspace))
  const values = toValues({ workspace, message: about, contact, senderName, now: tx.now, links })
  const [refused = null] = await queueMessages(tx, deliverMessage, [
    {
      ...about,
      workspaceId: workspace.id,
      kind: 'test',
      contactId: contact?.id ?? null,
      templateId: 'slug' in owner ? owner.slug : null,
      revisionId,
      subject: fill(compiled.subject, values),
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      headers: header,
      metadata: { test: 'yes', ...('slug' in owner ? {} : { campaignId: owner.campaignId }) },
      payload: { messageId: id },
    },
  ])
  if (refused === null) await mustTakeMails(tx, workspace, 1)
  return { email, messageId: id, status: refused ? 'suppressed' : 'queued' }
}

/** Those of the request; for a signed-in member without any, the member's own. */
export function testAddresses(emails: string[] | undefined, own: string | null): string[] {
  if (emails !== undefined) return emails
  if (own !== null) return [own]
  const message = 'name members of the workspace to send the test to: emails'
  throw new AppError('missing_required_field', message, { errors: [{ path: 'emails', message, code: 'required' }] })
}
