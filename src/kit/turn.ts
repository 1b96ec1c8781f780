// Schedules long work on the one thread that serves everybody. Long work runs in slices: one slice per turn of the event loop, however much
// of it there is, and workspaces take turns of the same length. Urgent work goes first: no slice starts while a request is being answered or
// a mail handed over, except for a few milliseconds now and then, so that long work finishes under any load. And it leaves part of the thread
// free while another workspace is active: its next request would else find a slice in progress.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a loop may run before it lets others have their turn. */
const sliceMs = 4
/** The longest step, however slow the disk is. */
const longestStepMs = 8
/** A step has at most so many times the items of the one before: a quick one may have been luck, a long one holds everybody. */
const growth = 1.5
/** A workspace that was active within this time may be active again. */
const companyMs = 250
/** Anything that takes longer is long work itself, or waits for something else. */
const urgentMs = 20
/** The longest that a slice waits for urgent work. */
const patienceMs = 10

/** Beside another workspace long work rests after a slice for as long as that took, but not longer than this. */
const longestRestMs = 50

/** The urgent work in progress with its start time, oldest first. */
const urgent = new Set<{ since: number }>()
let whenNoneUrgent: () => void = () => {}

/** Marks urgent work, until the returned function is called; with its workspace if that is known yet. */
export function beginUrgent(workspaceId?: string): () => void {
  if (workspaceId !== undefined) noteUrgent(workspaceId)
  const one = { since: performance.now() }
  urgent.add(one)
  return () => {
    if (urgent.delete(one) && urgent.size === 0) whenNoneUrgent()
  }
}

/** The workspace that was active last, and the last one before it that differs. */
let last = { workspaceId: '', at: Number.NEGATIVE_INFINITY }
let lastOther = last

/** Whether somebody of this workspace waits for us, or did a moment ago. */
export function noteUrgent(workspaceId: string): void {
  if (last.workspaceId !== workspaceId) lastOther = last
  last = { workspaceId, at: performance.now() }
}

/** Whether another workspace was active a moment ago; if it is not known whose work it is (`''`), whether two were. */
export function hasCompany(workspaceId: string): boolean {
  const { at } = last.workspaceId === workspaceId || workspaceId === '' ? lastOther : last
  return performance.now() - at < companyMs
}

/** Whether anybody was active a moment ago, whoever it was. */
function isAnybodyActive(): boolean {
  return performance.now() - last.at < companyMs
}

function isAnyUrgent(): boolean {
  const now = performance.now()
  for (const one of urgent) {
    if (now - one.since <= urgentMs) return true
    urgent.delete(one)
  }
  return false
}

/** Waiting slices by workspace; the first has the next turn. */
const waiting = new Map<string, (() => Promise<void>)[]>()
let isServing = false

/** What the thread has for slices. */
interface Budget {
  /** Since when it is used. */
  since: number
  /** Until the next rest, ms. */
  left: number
}

/** Runs one slice of work in its turn, as what it is part of: the same act, trace and hops. It must not wait for another turn. */
export function inTurn<T>(workspaceId: string, work: () => T | Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  // Else it would be part of whatever found no slice waiting, which may belong to somebody else.
  const asHere = AsyncLocalStorage.snapshot()
  const run = async () => {
    const result = asHere(async () => work())
    resolve(result)
    // The caller gets the error.
    await result.catch(() => {})
  }
  const slices = waiting.get(workspaceId)
  if (slices) slices.push(run)
  else waiting.set(workspaceId, [run])
  if (!isServing) void serve()
  return promise
}

/** Resolves in a later turn of the event loop, when it is this work's turn. Everything up to the next wait is the slice. */
export function nextTurn(workspaceId = ''): Promise<void> {
  return inTurn(workspaceId, () => {})
}

async function serve(): Promise<void> {
  isServing = true
  const budget = { since: performance.now(), left: 0 }
  for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
    const [workspaceId, slices] = next.value
    await serveTurn(workspaceId, slices, budget)
    waiting.delete(workspaceId)
    if (slices.length > 0) waiting.set(workspaceId, slices)
  }
  isServing = false
}

/** The turn of a workspace: slices until they took as long as one may, so that many short ones get no less of the thread than a few long ones. */
async function serveTurn(workspaceId: string, slices: (() => Promise<void>)[], budget: Budget): Promise<void> {
  for (let own = sliceMs, isFirst = true; slices.length > 0; isFirst = false) {
    await turn()
    // What the last slice took, with what went on behind it; the first time that was another workspace's.
    const took = performance.now() - budget.since
    budget.since += took
    budget.left -= took
    if (!isFirst) own -= took
    if (own <= 0) return
    if (budget.left <= 0) {
      if (hasCompany(workspaceId)) await sleep(Math.min(sliceMs - budget.left, longestRestMs))
      await patience()
      budget.left = sliceMs
      budget.since = performance.now()
    }
    await slices.shift()?.()
  }
}

/** Lets urgent work go first. */
async function patience(): Promise<void> {
  const until = performance.now() + patienceMs
  for (let left = patienceMs; left > 0 && isAnyUrgent(); left = until - performance.now()) {
    await noneUrgent(left)
    // Urgent work has finished, and its answer is sent in this turn.
    await turn()
  }
}

/** Lets what is ready go first. For a request in steps, none of which may wait for other work. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function noneUrgent(limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, limitMs)
    whenNoneUrgent = () => {
      clearTimeout(limit)
      resolve()
    }
  })
}

export type Pace = () => Promise<void> | undefined

/** `await pace()` in a loop waits for the next turn whenever the loop has run for some milliseconds. */
export function createPace(workspaceId = ''): Pace {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return nextTurn(workspaceId).then(() => {
      since = performance.now()
    })
  }
}

export interface StepSizes {
  least: number
  most: number
  /** Fewer also while the workspace itself may be waiting. */
  sparesOwn?: boolean
}

/** Learns how many items fit into a step that cannot be interrupted. */
export class StepSize {
  readonly #isAlone: () => boolean
  readonly #most: number
  readonly #least: number
  #itemMs: number
  #aroundMs = 0
  #last: number

  /** The workspace that the work belongs to. */
  constructor(workspaceId: string, { least, most, sparesOwn = false }: StepSizes) {
    this.#isAlone = sparesOwn ? () => !isAnybodyActive() : () => !hasCompany(workspaceId)
    this.#least = least
    this.#most = most
    this.#last = least
    this.#itemMs = sliceMs / least
  }

  /** As many as allowed; fewer while another workspace may be waiting, as many as there is time for. */
  next(): number {
    if (this.#isAlone()) return this.#most
    const budget = Math.min(Math.max(sliceMs, this.#aroundMs), longestStepMs)
    const fitting = Math.min(Math.floor(budget / this.#itemMs), Math.ceil(growth * this.#last))
    return Math.max(this.#least, Math.min(this.#most, fitting))
  }

  /** `aroundMs`: what the step costs besides its items, e.g. a commit on a slow disk. A step is never shorter than that. */
  took(items: number, ms: number, aroundMs = 0): void {
    if (items === 0) return
    this.#last = items
    this.#itemMs = (this.#itemMs + ms / items) / 2
    this.#aroundMs = (this.#aroundMs + aroundMs) / 2
  }
}
