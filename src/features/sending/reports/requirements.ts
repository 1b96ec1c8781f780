// Each requirement of Gmail, Yahoo and Microsoft: met, not met or not known, with the evidence. What a receiver says by a refusal counts for
// more than what is known here: the DNS, the reports, complaints.

import { and, eq, notInArray, sql } from 'drizzle-orm'
import { sendingDomains } from '../../../../db/tables/messages.ts'
import { domainFindings } from '../../../../db/tables/reports.ts'
import { type App, type Tx, write } from '../../../core/app.ts'
import { defineJob } from '../../../core/outbox/job.ts'
import { minute } from '../../../kit/duration.ts'
import {
  type Requirement,
  type RequiringReceiver,
  requiredBy,
  requirements,
  requiringReceivers,
} from '../../../mail/requirements.ts'
import { publish } from '../../webhooks/publish.ts'
import { type DomainCheck, loadChecks } from '../domains/checks.ts'
import type { SendingDomain } from '../domains/keys.ts'
import { findOpen } from '../feedback/refusals.ts'
import { type ReportDay, readDays } from './days.ts'

export const requirementStates = ['met', 'not_met', 'unknown'] as const
/** What the detail of an evidence is: a reply, what the DNS has, figures of reports, figures of complaints; `built_in`: every such mail has it. */
export const evidenceKinds = ['refusal', 'dns', 'reports', 'complaints', 'built_in', 'none'] as const

interface Judgement {
  state: (typeof requirementStates)[number]
  evidence: (typeof evidenceKinds)[number]
  detail: string | null
  /** Since when it is not met, as far as that is known. */
  since: Date | null
}

export type JudgedRequirement = Judgement & { receiver: RequiringReceiver; requirement: Requirement }

/** Fewer mails say little. */
const enoughMails = 1_000
const enoughReported = 100
/** Of the mail of 30 days: aimed at, and the limit of Gmail and Yahoo. */
const complaintRates = { target: 0.001, limit: 0.003 }
/** Some mail is broken on its way by forwarders. */
const mostBroken = 0.1

const unknown: Judgement = { state: 'unknown', evidence: 'none', detail: null, since: null }

export async function judgeRequirements(app: App, domain: SendingDomain): Promise<JudgedRequirement[]> {
  const now = app.clock.now()
  const open = await findOpen(app, domain.id, now)
  const states = await judgeStates(app, domain, now)
  return requiringReceivers.flatMap((receiver) =>
    requiredBy[receiver].map((requirement) => {
      const of = (kind: 'refusal' | 'state') =>
        open.find((one) => one.kind === kind && one.receiver === receiver && one.requirement === requirement)
      const refused = of('refusal')
      const known = states(receiver, requirement)
      const judged: Judgement = refused
        ? { state: 'not_met', evidence: 'refusal', detail: refused.evidence, since: refused.since }
        : { ...known, since: known.state === 'not_met' ? (of('state')?.since ?? known.since) : null }
      return { receiver, requirement, ...judged }
    }),
  )
}

type JudgeState = (receiver: RequiringReceiver, requirement: Requirement) => Judgement

/** By what is known here. */
async function judgeStates(app: App, domain: SendingDomain, now: Date): Promise<JudgeState> {
  const check = (await loadChecks(app, [domain.id])).get(domain.id)
  const days = await readDays(app, domain, now)
  return (receiver, requirement) => {
    switch (requirement) {
      case 'authentication':
        return ofDns(check, [check?.dkim, check?.spf], check?.dkimGoodAt)
      case 'dmarc':
        return ofDns(check, [check?.dmarc], check?.dmarcGoodAt)
      case 'alignment':
        return ofReports(days)
      case 'complaints':
        return ofComplaints(days, receiver)
      case 'one_click':
        return { state: 'met', evidence: 'built_in', detail: null, since: null }
      case 'ptr':
      case 'tls':
        return unknown
    }
  }
}

function ofDns(
  check: DomainCheck | undefined,
  verdicts: (DomainCheck['dkim'] | undefined)[],
  goodAt: Date | null | undefined,
): Judgement {
  if (check === undefined || verdicts.includes('unknown')) return unknown
  const isMet = verdicts.every((verdict) => verdict === 'ok')
  if (isMet) return { state: 'met', evidence: 'dns', detail: null, since: null }
  return { state: 'not_met', evidence: 'dns', detail: check.detail, since: goodAt ?? null }
}

function ofReports(days: ReportDay[]): Judgement {
  const aligned = sumOf(days, ({ messages }) => messages.yours_aligned)
  const yours = aligned + sumOf(days, ({ messages }) => messages.yours_broken)
  if (yours < enoughReported) return unknown
  const state = (yours - aligned) / yours > mostBroken ? 'not_met' : 'met'
  return { state, evidence: 'reports', detail: `${percent(aligned / yours)} of ${yours}`, since: null }
}

/** Gmail tells no complaints one by one, so few complaints say nothing about it. */
function ofComplaints(days: ReportDay[], receiver: RequiringReceiver): Judgement {
  const mails = sumOf(days, ({ handedOver }) => handedOver)
  const complaints = sumOf(days, (one) => one.complaints)
  if (mails < enoughMails) return unknown
  const rate = complaints / mails
  const detail = `${percent(rate)} of ${mails}`
  if (rate >= complaintRates.limit) return { state: 'not_met', evidence: 'complaints', detail, since: null }
  const isKnown = receiver !== 'google' && rate < complaintRates.target
  return { state: isKnown ? 'met' : 'unknown', evidence: 'complaints', detail, since: null }
}

function sumOf(days: ReportDay[], figure: (day: ReportDay) => number): number {
  return days.reduce((sum, one) => sum + figure(one), 0)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

/** Once a day: what broke since is told, and what is well again is forgotten. */
export const watchRequirements = defineJob<Record<string, never>>({
  kind: 'watch-requirements',
  lane: 'maintenance',
  timeoutMs: 30 * minute,
  attemptsMax: 2,
  retryDelaysMs: [10 * minute],
  async run(app, _job, { signal }) {
    const domains = await app.db.select().from(sendingDomains)
    for (const domain of domains) {
      if (signal.aborted) break
      await watchDomain(app, domain)
    }
    return { outcome: 'done' }
  },
})

async function watchDomain(app: App, domain: SendingDomain): Promise<void> {
  const now = app.clock.now()
  const judge = await judgeStates(app, domain, now)
  const check = (await loadChecks(app, [domain.id])).get(domain.id)
  const broken = requirements.flatMap((requirement) => {
    const receivers = requiringReceivers.filter((one) => requiredBy[one].includes(requirement))
    const found = receivers.map((receiver) => ({ receiver, requirement, ...judge(receiver, requirement) }))
    const unmet = found.filter(({ state }) => state === 'not_met')
    return unmet.length === 0 || !hasBeenGood(check, requirement) ? [] : [{ requirement, unmet }]
  })
  await write(app, async (tx) => {
    const open = await findOpen(tx, domain.id, tx.now)
    for (const one of broken) await noteState(tx, domain, { ...one, open })
    await tx.db.delete(domainFindings).where(
      and(
        eq(domainFindings.domainId, domain.id),
        eq(domainFindings.kind, 'state'),
        notInArray(
          domainFindings.requirement,
          broken.map(({ requirement }) => requirement),
        ),
      ),
    )
  })
}

/** What was never set up is not broken. */
function hasBeenGood(check: DomainCheck | undefined, requirement: Requirement): boolean {
  if (requirement === 'authentication') return check?.dkimGoodAt != null
  return requirement === 'dmarc' ? check?.dmarcGoodAt != null : true
}

interface BrokenState {
  requirement: Requirement
  unmet: JudgedRequirement[]
  open: Awaited<ReturnType<typeof findOpen>>
}

async function noteState(tx: Tx, domain: SendingDomain, { requirement, unmet, open }: BrokenState): Promise<void> {
  const isOpen = (receiver: string) => open.some((one) => one.receiver === receiver && one.requirement === requirement)
  const receivers = unmet.map(({ receiver }) => receiver)
  const evidence = unmet[0]?.detail ?? ''
  await tx.db
    .insert(domainFindings)
    .values(
      receivers.map((receiver) => ({
        ...{
          domainId: domain.id,
          workspaceId: domain.workspaceId,
          kind: 'state' as const,
          receiver,
          requirement,
          evidence,
        },
        since: unmet[0]?.since ?? tx.now,
        lastAt: tx.now,
      })),
    )
    .onConflictDoUpdate({
      target: [domainFindings.domainId, domainFindings.kind, domainFindings.receiver, domainFindings.requirement],
      set: { lastAt: tx.now, evidence: sql`excluded.evidence` },
    })
  const news = receivers.filter((receiver) => !isOpen(receiver))
  if (news.length === 0) return
  const about = { id: domain.id, name: domain.domain }
  await publish(tx, domain.workspaceId, 'requirement.broken', { domain: about, requirement, receivers: news, evidence })
}
