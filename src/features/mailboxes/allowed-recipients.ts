// To whom agents may write of their own accord from a mailbox: the owner's list, empty at first. Replies need no list: they go to the sender.

import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { mailingLists, subscriptions } from '../../../db/tables/lists.ts'
import { type AllowedRecipients, type mailboxes, receivedMessages } from '../../../db/tables/mailboxes.ts'
import type { Reader } from '../../core/app.ts'
import { addressDomain, parseAddress } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { findContactByEmail } from '../contacts/consent/find-contact.ts'

export const maxAllowed = 100
type Mailbox = typeof mailboxes.$inferSelect

/** Whoever wrote longer ago is no correspondent. */
const lookedAt = 5_000
const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

const nobody: AllowedRecipients = { addresses: [], domains: [], mailingListIds: [], correspondents: false }

export function allowedOf({ writesTo }: Pick<Mailbox, 'writesTo'>): AllowedRecipients {
  return writesTo ?? nobody
}

/** In lower case. Throws `validation_failed`, with the path of what it does not know. */
export async function checkedRecipients(
  reader: Reader,
  workspaceId: string,
  given: Partial<AllowedRecipients>,
): Promise<AllowedRecipients> {
  const { addresses, domains, mailingListIds, correspondents } = { ...nobody, ...given }
  const known = await reader.db
    .select({ id: mailingLists.id })
    .from(mailingLists)
    .where(and(eq(mailingLists.workspaceId, workspaceId), inArray(mailingLists.id, mailingListIds)))
  mailingListIds.forEach((id, index) => {
    if (!known.some((one) => one.id === id))
      throw invalidField(`writesTo.mailingListIds.${index}`, 'is no mailing list of this workspace', 'not_found')
  })
  return {
    addresses: addresses.map((address, index) => {
      const parsed = parseAddress(address)
      if (parsed.ok) return parsed.address.toLowerCase()
      throw invalidField(`writesTo.addresses.${index}`, parsed.reason, 'invalid_email')
    }),
    domains: domains.map((domain, index) => {
      const plain = domain.toLowerCase()
      if (domainPattern.test(plain)) return plain
      throw invalidField(`writesTo.domains.${index}`, 'must be a domain, such as example.com', 'invalid_domain')
    }),
    mailingListIds,
    correspondents,
  }
}

/** Throws 403 `recipient_not_allowed` for an address that is in none of what the mailbox allows. */
export async function requireAllowed(reader: Reader, mailbox: Mailbox, email: string): Promise<void> {
  const { addresses, domains, mailingListIds, correspondents } = allowedOf(mailbox)
  const key = email.toLowerCase()
  if (addresses.includes(key) || domains.includes(addressDomain(key))) return
  if (mailingListIds.length > 0 && (await isSubscribed(reader, mailbox, { key, mailingListIds }))) return
  if (correspondents && (await hasWritten(reader, mailbox, key))) return
  throw new AppError(
    'forbidden',
    `agents may not write to this address from ${mailbox.address}: its owner has not allowed it`,
    {
      errors: [{ path: 'to', message: 'not among those to whom agents may write', code: 'recipient_not_allowed' }],
    },
  )
}

async function isSubscribed(
  reader: Reader,
  { workspaceId }: Mailbox,
  { key, mailingListIds }: { key: string; mailingListIds: string[] },
): Promise<boolean> {
  const contact = await findContactByEmail(reader, workspaceId, key)
  if (!contact) return false
  const [row] = await reader.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.contactId, contact.id),
        inArray(subscriptions.mailingListId, mailingListIds),
        eq(subscriptions.status, 'active'),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** The newest mails of the mailbox only, and only those whose sender was verified: anybody may write anybody's name into From. */
async function hasWritten(reader: Reader, { id }: Mailbox, key: string): Promise<boolean> {
  const newest = reader.db
    .select({ address: receivedMessages.fromAddress, auth: receivedMessages.auth })
    .from(receivedMessages)
    .where(eq(receivedMessages.mailboxId, id))
    .orderBy(desc(receivedMessages.id))
    .limit(lookedAt)
    .as('newest')
  const [row] = await reader.db
    .select({ address: newest.address })
    .from(newest)
    .where(sql`lower(${newest.address}) = ${key} AND ${newest.auth} ->> 'dmarc' = 'pass'`)
    .limit(1)
  return row !== undefined
}
