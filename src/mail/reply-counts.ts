// What receivers answered, counted in memory until it is stored: so that nothing is written for each mail.

import type { Clock } from '../kit/clock.ts'
import { hour } from '../kit/duration.ts'
import type { MailOutcome, SmtpStage } from './mailer.ts'
import { toHint, withoutAddresses } from './refusal.ts'
import type { Pair } from './shaping.ts'
import { replyIn } from './shaping-rules.ts'

export interface ReplyCount extends Pair {
  /** Its begin. */
  hour: Date
  outcome: 'accepted' | 'deferred' | 'refused'
  /** What replies for one reason have in common; '' for accepted mail. */
  words: string
  stage: SmtpStage
  /** The last one, without addresses. */
  reply: string
  lastAt: Date
  count: number
}

const maxReply = 500
/** Kinds of replies of a pair that are told apart until the next store. */
const mostKinds = 50
const otherWords = 'other replies'
/** Counts in memory: what is beyond is left out until they are stored. */
const most = 20_000

export class ReplyCounts {
  readonly #clock: Clock
  #counts = new Map<string, ReplyCount>()
  #kinds = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(pair: Pair, outcome: MailOutcome): void {
    const said = answered(outcome)
    if (said === null) return
    const lastAt = this.#clock.now()
    const begin = new Date(Math.floor(lastAt.getTime() / hour) * hour)
    const of = kindOf(pair, begin, said.outcome)
    const known = this.#counts.get(`${of} ${said.words}`)
    if (known !== undefined && lastAt >= known.lastAt) {
      known.count++
      known.reply = said.reply
      known.lastAt = lastAt
      return
    }
    const words = known !== undefined || this.#isNew(of) ? said.words : otherWords
    this.#add({ ...pair, ...said, words, hour: begin, lastAt, count: 1 })
  }

  /** What was taken and could not be stored. */
  giveBack(counts: ReplyCount[]): void {
    for (const count of counts) this.#add(count)
  }

  /** What was counted since the last call. */
  take(): ReplyCount[] {
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    this.#kinds = new Map()
    return counts
  }

  #add(given: ReplyCount): void {
    const key = `${kindOf(given, given.hour, given.outcome)} ${given.words}`
    const known = this.#counts.get(key)
    if (known !== undefined) {
      const { reply, lastAt } = given.lastAt >= known.lastAt ? given : known
      Object.assign(known, { reply, lastAt, count: known.count + given.count })
    } else if (this.#counts.size < most) this.#counts.set(key, given)
  }

  #isNew(of: string): boolean {
    const kinds = (this.#kinds.get(of) ?? 0) + 1
    if (kinds > mostKinds) return false
    this.#kinds.set(of, kinds)
    return true
  }
}

function kindOf({ relayId, receiver }: Pair, hour: Date, outcome: ReplyCount['outcome']): string {
  return `${hour.getTime()} ${relayId ?? ''} ${receiver} ${outcome}`
}

function answered(outcome: MailOutcome): Pick<ReplyCount, 'outcome' | 'words' | 'stage' | 'reply'> | null {
  if (outcome.outcome === 'accepted') return { outcome: 'accepted', words: '', stage: 'dot', reply: '' }
  const reply = replyIn(outcome)
  if (reply === null) return null
  const text = withoutAddresses(reply.text).slice(0, maxReply)
  return {
    outcome: reply.code.startsWith('4') ? 'deferred' : 'refused',
    words: toHint(text),
    stage: reply.stage,
    reply: text,
  }
}
