// A mail arrives, by SMTP or by HTTP: read within bounds, checked against the sender's domain, put into its thread, and stored
// for each of its mailboxes in one transaction. Who delivered it may forget it once this has resolved.

import { and, desc, eq, inArray } from 'drizzle-orm'
import { mailboxReplies, receivedMessages } from '../../db/tables/mailboxes.ts'
import { type App, type Tx, write } from '../app.ts'
import { sha256Hex } from '../lib/digest.ts'
import { newId } from '../lib/id.ts'
import { automaticReason, isLoop } from '../mail/automatic.ts'
import { splitQuoted } from '../mail/quoted-text.ts'
import { type ReceivedMail, readReceived } from '../mail/received-mail.ts'
import { noVerdicts, type Verdicts, verdictsOf } from '../mail/verdicts.ts'
import { publish } from '../webhooks/publish.ts'
import type { Mailbox } from './mailboxes.ts'
import { insertSource } from './sources.ts'

export type ReceivedMessage = typeof receivedMessages.$inferSelect

/** Of what is stored whole beside the source. */
const snippetChars = 200
/** Of each mail's References, the last so many are looked up. */
const lookedUpIds = 20

export interface Arrival {
  raw: Buffer
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

/** Stores the mail in each of `mailboxes`; a second delivery of the same mail finds the first. */
export async function receiveMail(app: App, mailboxes: Mailbox[], arrival: Arrival): Promise<Reception> {
  const mail = await readReceived(arrival.raw)
  const takers = mailboxes.filter(({ address }) => !isLoop(mail, address))
  if (takers.length === 0) return { outcome: 'loop' }
  const envelopeFrom = arrival.envelopeFrom ?? returnPath(mail) ?? mail.from.address
  const auth = await authOf(app, arrival, envelopeFrom)
  const about = {
    mail,
    arrival,
    envelopeFrom,
    auth,
    digest: mail.messageId === null ? null : sha256Hex(arrival.raw),
    snippet: splitQuoted(mail.text).own.replace(/\s+/g, ' ').slice(0, snippetChars),
  }
  const ids = await write(app, async (tx) => {
    const stored: string[] = []
    for (const mailbox of takers) stored.push(await store(tx, mailbox, about))
    return stored
  })
  return { outcome: 'stored', ids }
}

function returnPath({ headers }: ReceivedMail): string | null {
  return /^\s*<([^<>\s]*)>\s*$/.exec(headers.find(({ name }) => name === 'return-path')?.value ?? '')?.[1] ?? null
}

function authOf(app: App, { raw, address, helo, isOriginal }: Arrival, envelopeFrom: string): Promise<Verdicts> {
  if (!isOriginal) return Promise.resolve(noVerdicts)
  return verdictsOf(app.resolveDns, { raw, address, helo, envelopeFrom, host: hostName(app) })
}

/** How this installation calls itself to other mail servers. */
export function hostName(app: App): string {
  return app.config.inboundDomain ?? new URL(app.config.baseUrl).hostname
}

interface About {
  mail: ReceivedMail
  arrival: Arrival
  envelopeFrom: string
  auth: Verdicts
  digest: string | null
  snippet: string
}

/** Returns the id of the message, also of one that was there before. */
async function store(tx: Tx, mailbox: Mailbox, about: About): Promise<string> {
  const { mail, arrival, envelopeFrom, auth, digest, snippet } = about
  const known = digest === null ? null : await findByDigest(tx, mailbox.id, digest)
  if (known !== null) return known
  const row: ReceivedMessage = {
    id: newId(tx, 'rcv', tx.now),
    workspaceId: mailbox.workspaceId,
    mailboxId: mailbox.id,
    threadId: await threadOf(tx, mailbox.id, mail),
    via: arrival.via,
    envelopeFrom,
    messageIdHeader: mail.messageId,
    digest,
    fromName: mail.from.name,
    fromAddress: mail.from.address,
    subject: mail.subject,
    snippet,
    attachmentCount: mail.attachments.length,
    sizeBytes: arrival.raw.length,
    auth,
    automatic: automaticReason(mail, envelopeFrom, mailbox.address),
    readAt: null,
    createdAt: tx.now,
  }
  await tx.db.insert(receivedMessages).values(row)
  await insertSource(tx, row.id, arrival.raw)
  await publish(tx, mailbox.workspaceId, 'mailbox.email.received', {
    mailbox: { id: mailbox.id, address: mailbox.address },
    message: { id: row.id },
  })
  return row.id
}

async function findByDigest(tx: Tx, mailboxId: string, digest: string): Promise<string | null> {
  const [row] = await tx.db
    .select({ id: receivedMessages.id })
    .from(receivedMessages)
    .where(and(eq(receivedMessages.mailboxId, mailboxId), eq(receivedMessages.digest, digest)))
  return row?.id ?? null
}

/** The thread of what the mail answers, received or sent by this mailbox; else a new one (RFC 5322, 3.6.4). */
async function threadOf(tx: Tx, mailboxId: string, { inReplyTo, references }: ReceivedMail): Promise<string> {
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
