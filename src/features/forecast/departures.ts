// Campaigns fill their windows: in the order of their queue, as many as the caps let go, by the functions that decide in earnest when a mail
// leaves and who gets none.

import { untilWinner } from '../../../db/tables/campaigns.ts'
import { hour, minute } from '../../kit/duration.ts'
import { heldOut } from '../campaigns/ab-test.ts'
import { departureOf } from '../campaigns/departure.ts'
import { findObjection } from '../campaigns/eligibility.ts'
import { type CampaignMail, isOver, part } from './groups.ts'
import { factsOf } from './journeys.ts'
import { type Simulation, scheduleParted, type Waiting, waitingFor } from './simulation.ts'
import type { CampaignSource } from './sources.ts'

/** As a page that finds no room, and does not know until when. */
const waitMs = minute

/** Everybody of the queue who may leave now does. */
export async function fill(sim: Simulation, waiting: Waiting, now: Date): Promise<void> {
  waiting.fillAt = null
  for (let mail = waiting.queue.first(); mail !== undefined; mail = waiting.queue.first()) {
    await sim.pace()
    if (!takeNext(sim, waiting, { mail, now })) return waitForRoom(sim, waiting, now)
  }
  awaitWinner(sim, waiting, now)
}

export function fillAt(sim: Simulation, waiting: Waiting, at: number): void {
  if (waiting.fillAt !== null && waiting.fillAt <= at) return
  waiting.fillAt = at
  sim.agenda.put(at, { kind: 'fill', waiting })
}

/** A mail whose time has come is before those that were not looked at. */
export async function takeAside(sim: Simulation, mail: CampaignMail, now: Date): Promise<void> {
  const waiting = waitingFor(sim, mail.source)
  mail.place = 'queue'
  waiting.aside -= mail.group.size
  waiting.queue.pushFront(mail)
  // While there is no room, the time is known at which there is.
  if (waiting.fillAt === null) await fill(sim, waiting, now)
}

/** It does not matter which one it is. */
export async function takeWinner(sim: Simulation, waiting: Waiting, now: Date): Promise<void> {
  const winner = waiting.rules.campaign.test?.variants[0]?.name ?? null
  waiting.rules = { ...waiting.rules, campaign: { ...waiting.rules.campaign, winner } }
  for (const mail of waiting.awaiting) {
    mail.place = 'queue'
    waiting.queue.push(mail)
  }
  waiting.awaiting = []
  await fill(sim, waiting, now)
}

/** The first of the queue leaves, is put aside or ends; false: there is no room. */
function takeNext(sim: Simulation, waiting: Waiting, { mail, now }: { mail: CampaignMail; now: Date }): boolean {
  const { group, source } = mail
  const room = Math.floor(sim.caps.allowance(source.domain, now).remaining)
  if (!(room >= 1)) return false
  waiting.queue.takeFirst()
  const { id, timezone, email } = group.contact
  const at = departureOf(waiting.rules, { id, timezone, wasPutAside: mail.sendAfter !== null }, now)
  if (at > now) {
    putAside(sim, mail, { at, now })
    return true
  }
  const candidate = { contactId: id, email, messageId: null }
  const facts = factsOf(group, candidate, { listId: source.campaign.mailingListId, now })
  const campaign = { ...facts.campaign, hasList: true, ignoresLimits: source.campaign.ignoreGuardrail }
  const objection = findObjection({ ...facts, campaign }, now) ?? heldOut(waiting.rules.campaign, id)
  if (objection !== null) source.tally.stop(now.getTime(), objection.reason, group.size)
  else {
    if (group.size > room) {
      const others = part(group, mail, group.size - room)
      scheduleParted(sim, others.group, { at: others, now: now.getTime() })
      waiting.queue.pushFront(others)
    }
    sim.caps.reserve(source.domain, now, group.size)
    group.mailed.push(now.getTime())
    leave(sim, source, { mails: group.size, now: now.getTime() })
  }
  isOver(group, mail)
  return true
}

/** As the relays carry them; what does not leave before the end of the forecast is left. */
function leave(sim: Simulation, source: CampaignSource, { mails, now }: { mails: number; now: number }): void {
  for (const part of source.relays.through(mails, now)) {
    if (part.at < sim.until) source.tally.leave(part.at, part.mails)
    else waitingFor(sim, source).unsent += part.mails
    if (part.by !== null) {
      const ms = Math.min(part.at, sim.until) - now
      source.tally.wait(now, { reason: 'relays', by: part.by, mails: part.mails, ms, isKnown: false })
    }
  }
}

function putAside(sim: Simulation, mail: CampaignMail, { at, now }: { at: Date; now: Date }): void {
  const { source, group } = mail
  const waiting = waitingFor(sim, source)
  const isLocal = source.campaign.localTime !== null && mail.sendAfter === null
  mail.sendAfter = at
  if (at >= untilWinner) {
    mail.place = 'awaiting'
    waiting.awaiting.push(mail)
    return
  }
  mail.place = 'aside'
  waiting.aside += group.size
  sim.agenda.put(at.getTime(), mail)
  const [reason, ms] = [isLocal ? 'local_time' : 'quiet_hours', at.getTime() - now.getTime()]
  source.tally.wait(now.getTime(), { reason, by: null, mails: group.size, ms, isKnown: false })
}

function waitForRoom(sim: Simulation, waiting: Waiting, now: Date): void {
  const { source } = waiting
  const { nextAt, by } = sim.caps.allowance(source.domain, now)
  const until = nextAt?.getTime() ?? now.getTime() + waitMs
  fillAt(sim, waiting, until)
  const date = source.tally.dateOf(now.getTime())
  const mails = sizeOf(waiting.queue)
  const isKnown = waiting.waitCounted === date
  source.tally.wait(now.getTime(), { reason: 'daily_cap', by, mails, ms: until - now.getTime(), isKnown })
  waiting.waitCounted = date
}

/** Once everybody who is tested has their mail. */
function awaitWinner(sim: Simulation, waiting: Waiting, now: Date): void {
  const { source, aside } = waiting
  const { test, winner } = waiting.rules.campaign
  const mails = sizeOf(waiting.awaiting)
  if (mails === 0 || aside > 0 || winner !== null || test?.winner?.by !== 'clicks') return
  const at = Math.max(
    source.campaign.winnerDueAt?.getTime() ?? now.getTime() + test.winner.afterHours * hour,
    now.getTime(),
  )
  sim.agenda.put(at, { kind: 'winner', waiting })
  const ms = at - now.getTime()
  source.tally.wait(now.getTime(), { reason: 'awaits_winner', by: null, mails, ms, isKnown: false })
}

export function sizeOf(mails: Iterable<CampaignMail>): number {
  let size = 0
  for (const { group } of mails) size += group.size
  return size
}
