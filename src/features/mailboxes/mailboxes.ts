// Mailboxes: addresses of a workspace that receive mail. Mail for an address goes to one mailbox of the whole installation. What a
// mailbox received is private to it: it opens to its own tokens and to signed-in people, never to the workspace's API keys.

import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { type AllowedRecipients, type MailboxStatus, mailboxes } from '../../../db/tables/mailboxes.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { addressDomain, parseAddress } from '../../kit/email-address.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { isOneLine } from '../../kit/text.ts'
import { newSecretToken } from '../../kit/token.ts'
import { operator } from '../../people/access/grants.ts'
import {
  checkAddress,
  findOwner,
  isNamedByOperator,
  isOfInstallation,
  isSenderOfAll,
  receiverAmong,
  roleAddress,
} from '../../people/domain-owners.ts'
import { findFirstWorkspace } from '../../people/workspaces.ts'
import { checkedRecipients } from './allowed-recipients.ts'
import { revokeMailboxTokens } from './tokens.ts'

export type Mailbox = typeof mailboxes.$inferSelect

const maxNameChars = 100
/** It stands in the From of answers. */

export interface NewMailbox {
  /** A whole address, or the part before the @ of INBOUND_DOMAIN. */
  address: string
  name?: string | undefined
  /** What agents write from it waits for a person. */
  holdReplies?: boolean | undefined
}

/** The address to store. Throws `validation_failed`. */
export function readAddress(address: string, inboundDomain: string | undefined): string {
  const whole = !address.includes('@') && inboundDomain !== undefined ? `${address}@${inboundDomain}` : address
  const parsed = parseAddress(whole)
  if (!parsed.ok) throw invalidField('address', parsed.reason, 'invalid_email')
  return parsed.address
}

/**
 * Where the operator named the domain, an address that another workspace took is a conflict. Throws `domain_not_verified`, and
 * `forbidden` for the address of MAIL_FROM, because answers to the mail of every workspace come there, and for those that speak for the
 * domain, like `postmaster@`.
 */
export async function checkDomain(app: App, workspaceId: string, address: string): Promise<Issue[]> {
  const isSender = isSenderOfAll(app.config, address)
  if ((isSender || isOfInstallation(app.config, address)) && (await findFirstWorkspace(app))?.id !== workspaceId) {
    const what = isSender ? 'is the sender of every workspace (MAIL_FROM)' : 'speaks for all workspaces here'
    const way = 'only the first workspace, or the operator on the command line, makes a mailbox of it'
    throw new AppError('forbidden', `${address} ${what}: ${way}.`)
  }
  if (isNamedByOperator(app.config, addressDomain(address))) return []
  return await checkAddress(app, workspaceId, { address, path: 'address' })
}

/**
 * `address` comes from readAddress() and passed checkDomain(). Throws `conflict` when another mailbox has it: at a domain that the
 * operator named, of any workspace; at a domain of its own, a mailbox that another workspace still has there is none.
 */
export async function createMailbox(
  tx: Tx,
  config: Config,
  workspaceId: string,
  { address, name, holdReplies = false }: NewMailbox,
): Promise<Mailbox> {
  const row: Mailbox = {
    id: newId(tx, 'mbx', tx.now),
    workspaceId,
    address,
    addressKey: address.toLowerCase(),
    name: checkedName(name ?? ''),
    status: 'active',
    inboundTokenHash: null,
    inboundMadeBy: null,
    holdReplies,
    writesTo: null,
    createdAt: tx.now,
    updatedAt: tx.now,
    deletedAt: null,
  }
  if (await isTaken(tx, config, row)) throw new AppError('conflict', `there is already a mailbox ${address}`)
  await tx.db.insert(mailboxes).values(row)
  return row
}

async function isTaken(tx: Tx, config: Config, { workspaceId, addressKey }: Mailbox): Promise<boolean> {
  const there = await mailboxesAt(tx, addressKey)
  const domain = addressDomain(addressKey)
  const owner = isNamedByOperator(config, domain) ? null : await findOwner(tx, domain)
  if (owner?.workspaceId !== workspaceId) return there.length > 0
  return there.some((mailbox) => mailbox.workspaceId === workspaceId)
}

/** Oldest first. */
export async function listMailboxes(reader: Reader, workspaceId: string): Promise<Mailbox[]> {
  const mine = and(eq(mailboxes.workspaceId, workspaceId), isNull(mailboxes.deletedAt))
  return await reader.db.select().from(mailboxes).where(mine).orderBy(asc(mailboxes.id))
}

/** Throws `not_found`, also for another workspace's. */
export async function getMailbox(reader: Reader, workspaceId: string, id: string): Promise<Mailbox> {
  const mailbox = await findMailbox(reader, id)
  if (mailbox?.workspaceId === workspaceId) return mailbox
  throw new AppError('not_found', `there is no mailbox ${JSON.stringify(id.slice(0, 80))}`)
}

/** Of any workspace: for the operator's command line. */
export async function findMailbox(reader: Reader, id: string): Promise<Mailbox | null> {
  const [row] = await reader.db
    .select()
    .from(mailboxes)
    .where(and(eq(mailboxes.id, id), isNull(mailboxes.deletedAt)))
  return row ?? null
}

/** The mailbox that takes mail for `address`; null for a disabled one. */
export async function findReceiver(app: App, address: string): Promise<Mailbox | null> {
  const key = address.toLowerCase()
  const named = await mailboxesAt(app, key)
  const receiver = await receiverAmong(app, addressDomain(key), named.length > 0 ? named : await standIns(app, key))
  return receiver?.status === 'active' ? receiver : null
}

/** Whether mail to it can be read here: it is that of a mailbox of any workspace, in whatever state, or one stands in for it. */
export async function isAddressHere(app: App, address: string): Promise<boolean> {
  const [named] = await mailboxesAt(app, address.toLowerCase())
  return named !== undefined || (await findReceiver(app, address)) !== null
}

/**
 * Who takes mail to the postmaster of a domain (RFC 5321, 4.5.1: it is taken wherever mail is), and to every name that speaks for a domain of
 * the operator: the mailbox of that name without its `+`, that of the postmaster, or the first; at a domain of the operator the first of the
 * first workspace, because a certificate authority may ask there whose the domain is. Nobody for any other address.
 */
async function standIns(app: App, key: string): Promise<Mailbox[]> {
  const domain = addressDomain(key)
  const [role, postmaster] = [roleAddress(key), `postmaster@${domain}`]
  const isOperators = isNamedByOperator(app.config, domain)
  if (role === null || (role !== postmaster && !isOperators)) return []
  const all = await activeAtDomain(app, domain)
  for (const name of [role, postmaster]) {
    const those = all.filter(({ addressKey }) => addressKey === name)
    if (those.length > 0) return those
  }
  const first = isOperators ? await findFirstWorkspace(app) : null
  return first ? all.filter(({ workspaceId }) => workspaceId === first.id) : all
}

/** Of any workspace, oldest first. */
async function activeAtDomain(reader: Reader, domain: string): Promise<Mailbox[]> {
  const isThere = sql`substr(address_key, instr(address_key, '@') + 1) = ${domain}`
  const takes = and(isThere, eq(mailboxes.status, 'active'), isNull(mailboxes.deletedAt))
  return await reader.db.select().from(mailboxes).where(takes).orderBy(asc(mailboxes.id))
}

/** Of any workspace, oldest first. */
async function mailboxesAt(reader: Reader, addressKey: string): Promise<Mailbox[]> {
  const there = and(eq(mailboxes.addressKey, addressKey), isNull(mailboxes.deletedAt))
  return await reader.db.select().from(mailboxes).where(there).orderBy(asc(mailboxes.id))
}

/** The mailbox that an inbound address (`/v1/inbound/{token}`) belongs to, in whatever state. */
export async function findByInboundToken(reader: Reader, token: string): Promise<Mailbox | null> {
  const named = and(eq(mailboxes.inboundTokenHash, sha256Hex(token)), isNull(mailboxes.deletedAt))
  const [row] = await reader.db.select().from(mailboxes).where(named)
  return row ?? null
}

export interface MailboxChange {
  name?: string | undefined
  /** A disabled mailbox receives nothing, and its tokens do not work. */
  status?: MailboxStatus | undefined
  /** What agents reply waits for a person. */
  holdReplies?: boolean | undefined
  /** To whom agents may write of their own accord, all of it anew; what is missing is empty. */
  writesTo?: Partial<AllowedRecipients> | undefined
}

export async function updateMailbox(tx: Tx, workspaceId: string, id: string, change: MailboxChange): Promise<Mailbox> {
  const current = await getMailbox(tx, workspaceId, id)
  const row: Mailbox = {
    ...current,
    name: change.name === undefined ? current.name : checkedName(change.name),
    status: change.status ?? current.status,
    holdReplies: change.holdReplies ?? current.holdReplies,
    writesTo:
      change.writesTo === undefined ? current.writesTo : await checkedRecipients(tx, workspaceId, change.writesTo),
    updatedAt: tx.now,
  }
  await tx.db.update(mailboxes).set(row).where(eq(mailboxes.id, id))
  return row
}

/** Frees the address and revokes the tokens at once; the mail goes with the next retention. */
export async function deleteMailbox(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await getMailbox(tx, workspaceId, id)
  const gone = { deletedAt: tx.now, status: 'disabled' as const, inboundTokenHash: null, updatedAt: tx.now }
  await tx.db.update(mailboxes).set(gone).where(eq(mailboxes.id, id))
  await revokeMailboxTokens(tx, id)
}

/** A new inbound token in place of the old one; it cannot be read again. */
export async function renewInboundToken(
  tx: Tx,
  workspaceId: string,
  id: string,
  madeBy: string | null = operator,
): Promise<string> {
  await getMailbox(tx, workspaceId, id)
  const token = newSecretToken(tx)
  await tx.db
    .update(mailboxes)
    .set({ inboundTokenHash: sha256Hex(token), inboundMadeBy: madeBy, updatedAt: tx.now })
    .where(eq(mailboxes.id, id))
  return token
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length <= maxNameChars && isOneLine(trimmed)) return trimmed
  throw invalidField('name', `must have at most ${maxNameChars} characters and no line breaks`, 'invalid_name')
}
