// What delays mails, and by how much: of several limits, the one that decides is the one that keeps the most mails for the longest.

import type { Limit } from '../../../db/tables/campaigns.ts'
import { ownValue } from '../../kit/own-value.ts'

export class Waits {
  readonly #waits = new Map<string, Limit & { mailMs: number }>()

  add({ reason, by }: Limit, mails: number, ms: number): void {
    const kept = this.#waits.getOrInsertComputed(`${reason} ${by}`, () => ({ reason, by, mailMs: 0 }))
    kept.mailMs += mails * ms
  }

  /** Null: nothing waited. */
  limit(): Limit | null {
    const [most] = [...this.#waits.values()].sort((one, other) => other.mailMs - one.mailMs)
    return most === undefined ? null : { reason: most.reason, by: most.by }
  }
}

/** What limits, in words; `by` tells caps and relays apart. */
export function limitText({ reason, by }: Limit): string {
  return ownValue(limitTexts, by ?? reason) ?? reason
}

const limitTexts: Record<string, string> = {
  level: 'the cap of the trust level',
  operator: 'the cap that the operator has set',
  warm_up: 'the warm-up of the sending domain',
  mailsPerDay: 'the mails a day of the plan',
  mailsPerMonth: 'the mails a month of the plan',
  mailsPerSecond: 'the mails a second of the plan',
  too_often: 'the limits of frequency',
  quiet_hours: 'the quiet hours of the recipients',
  local_time: 'the local time of the recipients',
  awaits_winner: 'the time until the winner of its test',
  relay_speed: 'how fast the relays have taken mail lately',
  relay_second: 'what the relays may carry a second',
  relay_day: 'what the relays may carry a day',
  relay_warm_up: 'the warm-up of the relays',
  no_relay: 'that no relay may carry it',
}
