// How fast mail goes to a receiver that asks for less: in a time that only the test moves, beside a receiver that counts.

import { describe, expect, test } from 'bun:test'
import type { HandOver, MailOutcome, OutgoingMail } from '../src/mail/mailer.ts'
import { Quota } from '../src/mail/quota.ts'
import { type Pair, Shaping } from '../src/mail/shaping.ts'
import { WatchedMailer } from '../src/mail/watched-mailer.ts'
import { testClock } from './support/clock.ts'

const pair: Pair = { relayId: null, receiver: 'mx.example.net' }
const accepted: MailOutcome = { outcome: 'accepted', reply: '250 2.0.0 taken' }

function refused(reply: string, stage: 'mail' | 'rcpt' | 'dot' = 'dot'): MailOutcome {
  const [code = '', enhanced = null] = reply.split(' ')
  return { outcome: 'refused', permanent: false, stage, code: Number(code), enhanced, reply }
}

const tooMuch = refused('421 4.7.0 too many messages, slow down')

interface Receiver {
  /** Of each second, whoever counts it. */
  perSecond: number
  /** Mails that look for a place, at once. */
  waiting: number
  processes?: number
}

/** So many seconds of mail that always waits, in steps of 5 ms; what a second took, and how often it was too much. */
async function run({ perSecond, waiting, processes = 1 }: Receiver, seconds: number) {
  const clock = testClock()
  const of = Array.from({ length: processes }, () => new Shaping(clock))
  for (const shaping of of) {
    shaping.set([], processes)
    shaping.onLimits = (_, limits) => {
      for (const other of of) if (other !== shaping) other.follow(limits === null ? [] : [{ ...pair, limits }])
    }
  }
  const dueAt = of.map(() => Array.from({ length: waiting }, () => 0))
  const [taken, refusals] = [new Array<number>(seconds).fill(0), new Array<number>(seconds).fill(0)]
  for (let ms = 0; ms < seconds * 1_000; ms += 5) {
    const at = Math.floor(ms / 1_000)
    for (const [index, shaping] of of.entries())
      for (const [mail, due] of (dueAt[index] ?? []).entries()) {
        if (due > ms) continue
        const away = shaping.turnedAway(pair)
        if (away !== null) {
          ;(dueAt[index] ?? [])[mail] = ms + ('waitMs' in away ? away.waitMs : 0)
          continue
        }
        shaping.take(pair)
        const isTaken = (taken[at] ?? 0) < perSecond
        const counts = isTaken ? taken : refusals
        counts[at] = (counts[at] ?? 0) + 1
        await shaping.watch(pair, async () => (isTaken ? accepted : tooMuch))
        ;(dueAt[index] ?? [])[mail] = ms + 5
      }
    clock.advance(5)
  }
  const sum = (counts: number[]) => counts.reduce((one, other) => one + other, 0)
  return { taken: sum(taken), refusals: sum(refusals), perSecond: taken }
}

describe('a receiver that takes so many a second', () => {
  test.each([
    [20, 1, 95],
    [3, 1, 95],
    [200, 1, 95],
    // Each of them is even, and all three together are less so.
    [20, 3, 80],
  ])(
    '%i, by %i processes: it gets %i %% of that, and fewer than one in a hundred is too much',
    async (perSecond, processes, percent) => {
      const seconds = 600
      const { taken, refusals } = await run({ perSecond, waiting: 20, processes }, seconds)
      expect(taken / (perSecond * seconds)).toBeGreaterThanOrEqual(percent / 100)
      expect(refusals / taken).toBeLessThan(0.01)
    },
  )

  test('one that takes nothing is asked less and less often, and from then on at first with one a second', async () => {
    const clock = testClock()
    const shaping = new Shaping(clock)
    const asked: number[] = []
    let isOpen = false
    const start = clock.now().getTime()
    const ask = async () => {
      if (shaping.turnedAway(pair) !== null) return
      asked.push(Math.round((clock.now().getTime() - start) / 1_000))
      shaping.take(pair)
      await shaping.watch(pair, async () => (isOpen ? accepted : tooMuch))
    }
    for (let seconds = 0; seconds < 1_000; seconds++) {
      await ask()
      clock.advance(1_000)
    }
    expect(asked).toEqual([0, 60, 180, 420, 900])
    isOpen = true
    for (let seconds = 0; seconds < 3_600; seconds++) {
      await ask()
      clock.advance(1_000)
    }
    expect(asked.slice(5, 10)).toEqual([1_860, 1_861, 1_862, 1_863, 1_864])
    // What is used is allowed more of, until nothing is left of the limit.
    const limits = shaping.limitsOf(pair)
    expect(limits?.perSecond ?? Number.POSITIVE_INFINITY).toBeGreaterThan(1)
  })
})

describe('what a reply means', () => {
  const learnt = async (receiver: string, replies: MailOutcome[], rules: Parameters<Shaping['set']>[0] = []) => {
    const clock = testClock()
    const shaping = new Shaping(clock)
    shaping.set(rules, 1)
    for (const reply of replies) {
      clock.advance(1_100)
      await shaping.watch({ relayId: null, receiver }, async () => reply)
    }
    return shaping.limitsOf({ relayId: null, receiver })
  }
  const rcpt = (reply: string) => refused(reply, 'rcpt')
  const isSuspended = { suspendedUntil: expect.any(Date) }

  test.each<[string, string, MailOutcome[], object | null]>([
    ['a greylisted stranger', 'a.example', Array(9).fill(rcpt('450 4.2.0 Greylisted, see postgrey')), null],
    ['four at RCPT', 'a.example', Array(4).fill(rcpt('451 4.7.1 policy')), null],
    ['five at RCPT', 'a.example', Array(5).fill(rcpt('451 4.7.1 policy')), isSuspended],
    [
      'four, one taken, four',
      'a.example',
      [...Array(4).fill(rcpt('451 4.7.1 p')), accepted, ...Array(4).fill(rcpt('451 4.7.1 p'))],
      null,
    ],
    ['the server closes', 'a.example', [rcpt('421 4.3.2 shutting down')], isSuspended],
    ['a full mailbox', 'a.example', [rcpt('452 4.2.2 mailbox full')], null],
    [
      'too many connections',
      'a.example',
      [accepted, refused('421 4.7.0 Too many connections from you')],
      { connections: 1, suspendedUntil: null },
    ],
    [
      'one mailbox of Gmail',
      'google',
      Array(9).fill(rcpt('450-4.2.1 The user you are trying to contact is receiving mail at a rate')),
      null,
    ],
    [
      'TSS09',
      'yahoo',
      [accepted, refused('421 4.7.0 [TSS09] All messages from 192.0.2.1 will be deferred')],
      isSuspended,
    ],
    [
      'TSS04 where mail is taken',
      'yahoo',
      [...Array(9).fill(accepted), refused('421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred')],
      { perSecond: expect.any(Number), suspendedUntil: null },
    ],
  ])('%s', async (_, receiver, replies, limits) => {
    const found = await learnt(receiver, replies)
    if (limits === null) expect(found).toBeNull()
    else expect(found).toMatchObject(limits)
  })

  test('an own rule comes first; a thousand words in it and in the reply cost their length', async () => {
    const rule = {
      ...{ receivers: null, codes: ['421'], enhanced: null, contains: null, action: 'ignore' as const, inARow: 1 },
      ...{ by: 0.5, floor: 0.1, waitSeconds: 60, rampSeconds: 60, rampBy: 0.05 },
    }
    expect(await learnt('a.example', [tooMuch], [rule])).toBeNull()
    expect(await learnt('a.example', [refused('421 4.7.0 b')], [{ ...rule, contains: ['zzz'] }])).not.toBeNull()
  })
})

describe('the limits of a relay', () => {
  test('a second gets its part evenly, and of several processes each has its own', () => {
    const clock = testClock()
    const quotas = [1, 2].map(() => new Quota(clock))
    for (const quota of quotas) quota.limit({ mostPerSecond: 20, mostPerDay: null }, 2)
    const bySecond = new Array<number>(10).fill(0)
    for (let ms = 0; ms < 10_000; ms += 5) {
      for (const quota of quotas)
        if (quota.room() > 0) {
          quota.take()
          bySecond[Math.floor(ms / 1_000)] = (bySecond[Math.floor(ms / 1_000)] ?? 0) + 1
        }
      clock.advance(5)
    }
    expect(Math.max(...bySecond)).toBeLessThanOrEqual(22)
    expect(bySecond.reduce((one, other) => one + other)).toBeGreaterThanOrEqual(198)
  })

  test('a day is never exceeded, whoever counts it', () => {
    const clock = testClock()
    const quotas = [1, 2, 3].map(() => new Quota(clock))
    let sent = 0
    for (let round = 0; round < 50; round++) {
      for (const quota of quotas) {
        quota.limit({ mostPerSecond: null, mostPerDay: 100 }, 3)
        quota.startAt(sent, 0)
      }
      for (const quota of quotas.filter((one) => one.room() > 0)) {
        quota.take()
        sent++
      }
    }
    expect(sent).toBeGreaterThan(97)
    expect(sent).toBeLessThanOrEqual(100)
    for (const quota of quotas) expect(quota.waitMs() === 0 || quota.waitMs() > 3_600_000).toBe(true)
    clock.advance(86_400_000)
    expect(quotas.map((quota) => quota.room())).toEqual([33, 33, 33])
  })
})

describe('receivers that are known', () => {
  test('are bounded, also where each asks for less: the one that said so longest ago is forgotten', async () => {
    const clock = testClock()
    const shaping = new Shaping(clock)
    const forgotten: string[] = []
    shaping.onLimits = ({ receiver }, limits) => limits === null && forgotten.push(receiver)
    const of = (n: number): Pair => ({ relayId: null, receiver: `mx${n}.example` })
    for (let n = 0; n < 10_002; n++) {
      clock.advance(1)
      await shaping.watch(of(n), async () => tooMuch)
    }
    expect(forgotten).toEqual(['mx0.example', 'mx1.example'])
    expect([0, 1, 2, 10_001].map((n) => shaping.limitsOf(of(n)) !== null)).toEqual([false, false, true, true])
  })
})

describe('a mail that is turned away late', () => {
  test('gives back what it took of the pace of its relay and its receiver, and only that', async () => {
    const clock = testClock()
    const quota = new Quota(clock)
    quota.limit({ mostPerSecond: 1, mostPerDay: null }, 1)
    quota.room()
    const giveBack = quota.take()
    expect(quota.waitMs()).toBeGreaterThan(0)
    giveBack()
    expect(quota.waitMs()).toBe(0)

    const shaping = new Shaping(clock)
    const beforeAnyLimit = shaping.take(pair)
    await shaping.watch(pair, async () => tooMuch)
    clock.advance(61_000)
    expect(shaping.turnedAway(pair)).toBeNull()
    const turn = shaping.take(pair)
    expect(shaping.turnedAway(pair)).not.toBeNull()
    beforeAnyLimit.giveBack()
    expect(shaping.turnedAway(pair)).not.toBeNull()
    turn.giveBack()
    expect(shaping.turnedAway(pair)).toBeNull()
  })

  test.each<[string, MailOutcome, number]>([
    ['that had no place gives it back', { outcome: 'put_off', waitMs: 5_000, detail: 'slow' }, 1],
    ['that was refused does not', refused('550 5.7.1 not you'), 0],
  ])('one %s', async (_, said, times) => {
    const { watched, handOver, givenBack } = watchedBy([said])
    await watched.send(mailTo('a@example.net'), handOver)
    expect(givenBack()).toBe(times)
  })

  test('is no trial of a relay that is held: the next one may be it at once', async () => {
    const signIn = refused('530 5.7.0 Authentication required', 'mail')
    const putOff: MailOutcome = { outcome: 'put_off', waitMs: 5_000, detail: 'slow' }
    const { watched, handOver, clock } = watchedBy([...Array(5).fill(signIn), putOff, accepted])
    for (let n = 0; n < 5; n++) await watched.send(mailTo(`a@domain${n}.example`), handOver)
    const capacity = () => watched.capacity({ workspaceId: 'ws_1', isUrgent: true }, () => {})
    expect(capacity()).toBe(0)
    clock.advance(30_000)
    expect(capacity()).toBe(1)
    watched.started('ws_1')
    expect(capacity()).toBe(0)
    expect(await watched.send(mailTo('a@slow.example'), handOver)).toEqual(putOff)
    expect(capacity()).toBe(1)
    watched.started('ws_1')
    expect(await watched.send(mailTo('a@example.net'), handOver)).toEqual(accepted)
    expect(capacity()).toBe(Number.POSITIVE_INFINITY)
  })
})

function mailTo(to: string): OutgoingMail {
  return { workspaceId: 'ws_1', envelope: { from: 'a@acme.test', to }, messageId: to, raw: { pieces: [], bytes: 0 } }
}

/** The watch over a relay that answers with these, one after the other. */
function watchedBy(answers: MailOutcome[]) {
  const clock = testClock()
  const said = answers.values()
  const relay = {
    kind: 'smtp' as const,
    send: async () => said.next().value ?? accepted,
    close: async () => {},
  }
  let times = 0
  const handOver: HandOver = {
    beforeFinalDot: async () => true,
    signal: new AbortController().signal,
    giveBack: () => times++,
  }
  const watched = new WatchedMailer(relay, { clock, relayId: null, onFault: () => {} })
  return { watched, handOver, clock, givenBack: () => times }
}
