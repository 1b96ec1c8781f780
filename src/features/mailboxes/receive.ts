// A mail arrives, by SMTP or by HTTP: read within bounds, checked against the sender's domain, put into its thread, and stored
// for each of its mailboxes in one transaction. Who delivered it may forget it once this has resolved.

import { and, desc, eq, inArray } from 'drizzle-orm'
import { mailboxReplies, receivedMessages } from '../../../db/tables/mailboxes.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { newId } from '../../kit/id.ts'
import { automaticReason, isLoop } from '../../mail/automatic.ts'
import type { RawMail } from '../../mail/raw-mail.ts'
import type { ReceivedMail } from '../../mail/received-mail.ts'
import { noVerdicts, type Verdicts } from '../../mail/verdicts.ts'
import { publish } from '../webhooks/publish.ts'
import type { Mailbox } from './mailboxes.ts'
import { insertText, searchTextOf } from './search-index.ts'
import type { SearchText } from './search-text.ts'
import { toSnippet } from './snippets.ts'
import { deleteSources, insertLastPiece, storeEarlierPieces } from './sources.ts'

export type ReceivedMessage = typeof receivedMessages.$inferSelect

/** Of each mail's References, the last so many are looked up. */
const lookedUpIds = 20

export interface Arrival {
  raw: RawMail
  via: 'smtp' | 'http'
  /** '' = the null sender; null when it is not known, and Return-Path or From stands in. */
  envelopeFrom: string | null
  /** Of the delivering server; null = not known. */
  address: string | null
  helo: string
  /** False for a source that we made ourselves from a provider's fields: a signature cannot fit it. */
  isOriginal: boolean
}

export type Reception =
  | { outcome: 'stored'; ids: string[] }
  /** Nothing was stored: the mail goes in circles. */
  | { outcome: 'loop' }
  /** Nothing was stored: it is more than any reader should be given; the reason names the limit. */
  | { outcome: 'refused'; reason: string }

/** Stores the mail in each of `mailboxes`; a second delivery of the same mail finds the first. */
export async function receiveMail(app: App, mailboxes: Mailbox[], arrival: Arrival): Promise<Reception> {
  const checked = await app.mailReader.check(arrival.raw)
  if (checked.outcome === 'refused') return checked
  const { mail, own, digest } = checked.reading
  const takers = mailboxes.filter(({ address }) => !isLoop(mail, address))
  if (takers.length === 0) return { outcome: 'loop' }
  const envelopeFrom = arrival.envelopeFrom ?? returnPath(mail) ?? mail.from.address
  const facts = {
    mail,
    arrival,
    envelopeFrom,
    auth: await checkAuth(app, arrival, envelopeFrom),
    digest: mail.messageId === null ? null : digest,
    snippet: toSnippet(own),
    text: searchTextOf(checked.reading),
  }
  return { outcome: 'stored', ids: await store(app, takers, facts) }
}

function returnPath({ headers }: ReceivedMail): string | null {
  return /^\s*<([^<>\s]*)>\s*$/.exec(headers.find(({ name }) => name === 'return-path')?.value ?? '')?.[1] ?? null
}

function checkAuth(app: App, { raw, address, helo, isOriginal }: Arrival, envelopeFrom: string): Promise<Verdicts> {
  if (!isOriginal) return Promise.resolve(noVerdicts)
  return app.mailReader.judge(raw, { address, helo, envelopeFrom, host: hostName(app) })
}

/** How this installation calls itself to other mail servers. */
export function hostName(app: App): string {
  return app.config.inboundDomain ?? new URL(app.config.baseUrl).hostname
}

interface MessageFacts {
  mail: ReceivedMail
  arrival: Arrival
  envelopeFrom: string
  auth: Verdicts
  digest: string | null
  snippet: string
  text: SearchText
}

/** Returns the ids of the messages, also of those that were there before. All or none are stored. */
async function store(app: App, takers: Mailbox[], facts: MessageFacts): Promise<string[]> {
  const places = takers.map((mailbox) => ({ mailbox, id: newId(app, 'rcv', app.clock.now()) }))
  for (const { mailbox, id } of places) {
    const isNew = (await findByDigest(app, mailbox.id, facts.digest)) === null
    if (isNew) await storeEarlierPieces(app, id, facts.arrival.raw)
  }
  return await write(app, async (tx) => {
    const ids: string[] = []
    for (const { mailbox, id } of places) ids.push(await insertMessage(tx, mailbox, id, facts))
    return ids
  })
}

async function insertMessage(tx: Tx, mailbox: Mailbox, id: string, facts: MessageFacts): Promise<string> {
  const { mail, arrival, envelopeFrom, auth, digest, snippet, text } = facts
  const known = await findByDigest(tx, mailbox.id, digest)
  if (known !== null) {
    await deleteSources(tx, [id])
    return known
  }
  const row: ReceivedMessage = {
    id,
    workspaceId: mailbox.workspaceId,
    mailboxId: mailbox.id,
    threadId: await findThread(tx, mailbox.id, mail),
    via: arrival.via,
    envelopeFrom,
    messageIdHeader: mail.messageId,
    digest,
    fromName: mail.from.name,
    fromAddress: mail.from.address,
    subject: mail.subject,
    snippet,
    attachmentCount: mail.attachments.length,
    sizeBytes: arrival.raw.bytes,
    auth,
    automatic: automaticReason(mail, envelopeFrom, mailbox.address),
    readAt: null,
    createdAt: tx.now,
  }
  await tx.db.insert(receivedMessages).values(row)
  await insertText(tx, row, text)
  await insertLastPiece(tx, row.id, arrival.raw)
  await publish(tx, mailbox.workspaceId, 'mailbox.email.received', {
    mailbox: { id: mailbox.id, address: mailbox.address },
    message: { id: row.id },
  })
  return row.id
}

async function findByDigest(reader: Reader, mailboxId: string, digest: string | null): Promise<string | null> {
  if (digest === null) return null
  const [row] = await reader.db
    .select({ id: receivedMessages.id })
    .from(receivedMessages)
    .where(and(eq(receivedMessages.mailboxId, mailboxId), eq(receivedMessages.digest, digest)))
  return row?.id ?? null
}

/** The thread of what the mail answers, received or sent by this mailbox; else a new one (RFC 5322, 3.6.4). */
async function findThread(tx: Tx, mailboxId: string, { inReplyTo, references }: ReceivedMail): Promise<string> {
  const ids = [...new Set([...references.slice(-lookedUpIds), ...inReplyTo.slice(0, lookedUpIds)])]
  if (ids.length > 0) {
    const [sent] = await tx.db
      .select({ threadId: mailboxReplies.threadId })
      .from(mailboxReplies)
      .where(and(eq(mailboxReplies.mailboxId, mailboxId), inArray(mailboxReplies.messageIdHeader, ids)))
      .orderBy(desc(mailboxReplies.messageId))
      .limit(1)
    if (sent) return sent.threadId
    const [received] = await tx.db
      .select({ threadId: receivedMessages.threadId })
      .from(receivedMessages)
      .where(and(eq(receivedMessages.mailboxId, mailboxId), inArray(receivedMessages.messageIdHeader, ids)))
      .orderBy(desc(receivedMessages.id))
      .limit(1)
    if (received) return received.threadId
  }
  return newId(tx, 'thr', tx.now)
}
