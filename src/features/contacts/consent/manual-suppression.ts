// Suppression by request: look up, add, remove. The rules are in suppression.ts. Adding an address as a complaint also unsubscribes its
// contact.

import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { parseAddress } from '../../../kit/email-address.ts'
import { AppError, type Issue, invalidField, missingField } from '../../../kit/error.ts'
import { recordComplaint } from './deliverability.ts'
import { findNamed, namedBy } from './find-contact.ts'
import {
  findSuppression,
  type Quota,
  removalQuota,
  type Suppress,
  type Suppression,
  suppress,
  unsuppress,
} from './suppression.ts'
import type { statusView } from './suppression-schema.ts'

/** How many addresses of a bulk request share a transaction. */
const portion = 500

type Why = Pick<Suppress, 'reason' | 'detail'>

/** Whether an address is suppressed, and why. */
export async function suppressionStatus(
  app: App,
  workspaceId: string,
  asked: string | undefined,
): Promise<typeof statusView.static> {
  if (!asked) throw missingField('email', 'say which address: email')
  const email = checkedAddress('email', asked)
  const row = await findSuppression(app, workspaceId, email)
  const quota = await removalQuota(app, workspaceId, app.config.complaintRemovalLimit, app.clock.now())
  return {
    email,
    isSuppressed: row !== null,
    reason: row?.reason ?? null,
    suppressedAt: row?.createdAt.toISOString() ?? null,
    removalQuota: quota,
  }
}

/** The address that a caller names, directly or by a contact's userId. */
export async function getAddress(
  reader: Reader,
  workspaceId: string,
  asked: { email?: string; userId?: string },
): Promise<string> {
  const { email, userId } = namedBy(asked)
  if (email !== undefined) return checkedAddress('email', email)
  const found = await findNamed(reader, workspaceId, { userId })
  if (!found) throw new AppError('not_found', 'no contact has this userId')
  return found.email
}

/** Adds one address; `added` is false when it was suppressed already, with its first reason. Throws 422 for an invalid address. */
export async function suppressOne(
  app: App,
  workspaceId: string,
  { email: given, ...why }: { email: string } & Why,
): Promise<{ row: Suppression; added: boolean }> {
  const email = checkedAddress('email', given)
  const [added, row] = await write(app, async (tx) => [
    await add(tx, workspaceId, { email, ...why }),
    await findSuppression(tx, workspaceId, email),
  ])
  if (!row) throw new Error('a suppression is not there after it was added')
  return { row, added }
}

/** Removes the address that the caller names. Throws 404, and 429 as unsuppress() does. */
export async function removeSuppression(
  app: App,
  workspaceId: string,
  { removedBy, ...asked }: { email?: string; userId?: string; removedBy: string },
): Promise<Quota> {
  const email = await getAddress(app, workspaceId, asked)
  const limit = app.config.complaintRemovalLimit
  const { quota, reason } = await write(app, (tx) => unsuppress(tx, workspaceId, { email, removedBy, limit }))
  app.log.info('a suppression was removed', { workspaceId, reason, removedBy })
  return quota
}

/** A complaint also unsubscribes. */
async function add(tx: Tx, workspaceId: string, row: Suppress): Promise<boolean> {
  return row.reason === 'complaint'
    ? await recordComplaint(tx, workspaceId, row, 'api')
    : await suppress(tx, workspaceId, row)
}

/** Adds many addresses in portions, so that nobody waits long for the writer. Adding an address again changes nothing. */
export async function suppressMany(
  app: App,
  workspaceId: string,
  { emails, ...why }: { emails: string[] } & Why,
): Promise<{ added: number; unchanged: number }> {
  const rows = checkedAddresses(emails).map((email) => ({ email, ...why }))
  let total = 0
  for (let at = 0; at < rows.length; at += portion) {
    total += await write(app, async (tx) => {
      let added = 0
      for (const row of rows.slice(at, at + portion)) if (await add(tx, workspaceId, row)) added++
      return added
    })
  }
  return { added: total, unchanged: rows.length - total }
}

function checkedAddress(path: string, email: string): string {
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalidField(path, parsed.reason, 'invalid_email')
  return parsed.address
}

function checkedAddresses(emails: string[]): string[] {
  const errors: Issue[] = []
  const addresses = emails.map((email, index) => {
    const parsed = parseAddress(email)
    if (parsed.ok) return parsed.address
    errors.push({ path: `emails[${index}]`, message: parsed.reason, code: 'invalid_email' })
    return ''
  })
  if (errors.length === 0) return addresses
  throw new AppError('validation_failed', `${errors.length} of these are not e-mail addresses`, {
    errors: errors.slice(0, 64),
  })
}
