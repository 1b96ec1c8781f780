// Refusals that say which requirement of a large receiver a sending domain breaks: the last reply is kept as evidence, with the time since
// when it is so. It is over when no such refusal came for a week.

import { and, eq, gt, inArray, notInArray, or } from 'drizzle-orm'
import { messages, sendingDomains } from '../../../../db/tables/messages.ts'
import { domainFindings } from '../../../../db/tables/reports.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { day } from '../../../kit/duration.ts'
import { addressDomain } from '../../../kit/email-address.ts'
import { withoutAddresses } from '../../../mail/refusal.ts'
import { type BrokenRequirement, brokenRequirement, type Requirement } from '../../../mail/requirements.ts'
import { publish } from '../../webhooks/publish.ts'
import { findDomain, type SendingDomain } from '../domains/keys.ts'

type Finding = typeof domainFindings.$inferSelect

const overAfterMs = 7 * day
const maxReply = 500

export interface RefusedMail {
  messageId: string
  /** As the server wrote it. */
  reply: string
}

/** A requirement is named by a code of policy, or a word of Yahoo: of most refusals nothing is looked up. */
const mayName = /^[45]\d\d[ -][45]\.7\.|\[TSS?\d/

export async function noteRefusals(tx: Tx, refusals: RefusedMail[]): Promise<void> {
  const likely = refusals.filter(({ reply }) => mayName.test(reply))
  if (likely.length === 0) return
  const replies = new Map(likely.map(({ messageId, reply }) => [messageId, reply]))
  const { id, workspaceId, email, fromEmail } = messages
  const rows = await tx.db
    .select({ id, workspaceId, email, fromEmail })
    .from(messages)
    .where(inArray(id, [...replies.keys()]))
  // The last one of each kind is the evidence.
  const last = new Map(
    rows.flatMap((row) => {
      const reply = replies.get(row.id) ?? ''
      const broken = brokenRequirement(addressDomain(row.email).toLowerCase(), reply)
      if (broken === null) return []
      const name = addressDomain(row.fromEmail).toLowerCase()
      const { receiver, requirement } = broken
      return [[[row.workspaceId, name, receiver, requirement].join(' '), { ...broken, ...row, name, reply }] as const]
    }),
  )
  for (const { workspaceId, name, ...broken } of last.values()) {
    const domain = await findDomain(tx, workspaceId, name)
    if (domain !== null) await noteBroken(tx, domain, broken)
  }
}

async function noteBroken(
  tx: Tx,
  domain: SendingDomain,
  { receiver, requirement, reply }: BrokenRequirement & { reply: string },
): Promise<void> {
  // Nobody's address is kept with a domain.
  const evidence = withoutAddresses(reply).slice(0, maxReply)
  const before = await findOpen(tx, domain.id, tx.now)
  const isSame = (one: Finding) => one.receiver === receiver && one.requirement === requirement
  const refused = before.find((one) => one.kind === 'refusal' && isSame(one))
  const change = { since: refused?.since ?? tx.now, lastAt: tx.now, evidence }
  await tx.db
    .insert(domainFindings)
    .values({ domainId: domain.id, workspaceId: domain.workspaceId, kind: 'refusal', receiver, requirement, ...change })
    .onConflictDoUpdate({
      target: [domainFindings.domainId, domainFindings.kind, domainFindings.receiver, domainFindings.requirement],
      set: change,
    })
  if (before.some(isSame)) return
  const about = { id: domain.id, name: domain.domain }
  await publish(tx, domain.workspaceId, 'requirement.broken', {
    domain: about,
    requirement,
    receivers: [receiver],
    evidence,
  })
}

/** What is broken now, by refusals of the last week or by what is known here. */
export async function findOpen(reader: Reader, domainId: string, now: Date): Promise<Finding[]> {
  const rows = await reader.db.select().from(domainFindings).where(eq(domainFindings.domainId, domainId))
  return rows.filter(({ kind, lastAt }) => kind !== 'spoofed' && isOpen(kind, lastAt, now))
}

function isOpen(kind: Finding['kind'], lastAt: Date, now: Date): boolean {
  return kind === 'state' || now.getTime() - lastAt.getTime() < overAfterMs
}

/** What the check of the DNS tells already. */
const ofDns: Requirement[] = ['authentication', 'dmarc']

/** Of all domains of a workspace, without what the check of their DNS tells; oldest first. */
export async function listBroken(reader: Reader, workspaceId: string, now: Date, most: number) {
  const rows = await reader.db
    .select({ finding: domainFindings, name: sendingDomains.domain })
    .from(domainFindings)
    .innerJoin(sendingDomains, eq(sendingDomains.id, domainFindings.domainId))
    .where(
      and(
        eq(domainFindings.workspaceId, workspaceId),
        or(
          eq(domainFindings.kind, 'refusal'),
          and(eq(domainFindings.kind, 'state'), notInArray(domainFindings.requirement, ofDns)),
        ),
        gt(domainFindings.lastAt, new Date(now.getTime() - overAfterMs)),
      ),
    )
    .orderBy(domainFindings.since)
    .limit(most)
  return rows.map(({ finding, name }) => ({ ...finding, name }))
}
