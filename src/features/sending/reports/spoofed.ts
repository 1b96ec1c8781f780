// Somebody else sends as a domain: noticed when the reports of one day count more than a few such messages, and told at most once a day.

import { and, desc, eq, gt } from 'drizzle-orm'
import { sendingDomains } from '../../../../db/tables/messages.ts'
import { domainFindings, reportSources } from '../../../../db/tables/reports.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { day } from '../../../kit/duration.ts'
import { publish } from '../../webhooks/publish.ts'
import type { SendingDomain } from '../domains/keys.ts'

/** A mailing list or a forwarder that changes a mail looks the same, and brings a few. */
const fewMessages = 10
/** What happened before is no news. */
const newsMs = 7 * day
const mostNamed = 5
/** Rows of a day, the largest first. */
const mostLookedAt = 5_000

/** After what was reported of the day that begins then. */
export async function noteStrangers(tx: Tx, domain: SendingDomain, begins: Date): Promise<void> {
  if (tx.now.getTime() - begins.getTime() > newsMs) return
  const { reporters, strangers } = await listStrangers(tx, domain.id, begins)
  const messages = strangers.reduce((sum, one) => sum + one.messages, 0)
  if (messages < fewMessages) return
  const { domainId, kind, receiver, requirement } = domainFindings
  const [before] = await tx.db
    .select()
    .from(domainFindings)
    .where(and(eq(domainId, domain.id), eq(kind, 'spoofed')))
  if (before && tx.now.getTime() - before.lastAt.getTime() < day) return
  const date = begins.toISOString().slice(0, 10)
  const servers = strangers.map(({ source }) => source).filter((source) => source !== '')
  const [named, tellers] = [servers.slice(0, mostNamed), reporters.slice(0, mostNamed)]
  const evidence = `${messages} messages on ${date}, from ${named.join(', ')}, as ${tellers.join(', ')} report`
  const about = { domainId: domain.id, workspaceId: domain.workspaceId }
  const change = { lastAt: tx.now, evidence }
  await tx.db
    .insert(domainFindings)
    .values({ ...about, kind: 'spoofed', receiver: '', requirement: '', since: tx.now, ...change })
    .onConflictDoUpdate({ target: [domainId, kind, receiver, requirement], set: change })
  await publish(tx, domain.workspaceId, 'domain.spoofed', {
    domain: { id: domain.id, name: domain.domain },
    day: date,
    messages,
    sources: named,
    reporters: tellers,
  })
}

/** The domains of a workspace as which somebody else sent lately. */
export async function listSpoofed(reader: Reader, workspaceId: string, now: Date, most: number) {
  const lately = and(eq(domainFindings.kind, 'spoofed'), gt(domainFindings.lastAt, new Date(now.getTime() - newsMs)))
  const { domainId, since, evidence } = domainFindings
  return await reader.db
    .select({ domainId, since, evidence, name: sendingDomains.domain })
    .from(domainFindings)
    .innerJoin(sendingDomains, eq(sendingDomains.id, domainId))
    .where(and(eq(domainFindings.workspaceId, workspaceId), lately))
    .limit(most)
}

/** By server, most first; with who reports them. */
async function listStrangers(tx: Tx, domainId: string, begins: Date) {
  const ofDay = and(eq(reportSources.domainId, domainId), eq(reportSources.day, begins))
  const rows = await tx.db
    .select({ reporter: reportSources.reporter, source: reportSources.source, messages: reportSources.messages })
    .from(reportSources)
    .where(and(ofDay, eq(reportSources.verdict, 'stranger')))
    .orderBy(desc(reportSources.messages))
    .limit(mostLookedAt)
  const sums = new Map<string, number>()
  for (const { source, messages } of rows) sums.set(source, (sums.get(source) ?? 0) + messages)
  const strangers = Array.from(sums, ([source, messages]) => ({ source, messages }))
  return { reporters: [...new Set(rows.map(({ reporter }) => reporter))], strangers }
}
