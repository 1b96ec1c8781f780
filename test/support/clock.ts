// A clock that only a test moves.

import type { Clock } from '../../src/kit/clock.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
  set(to: Date): void
}

export function testClock(start = new Date('2026-01-15T12:00:00.000Z')): TestClock {
  let at = start.getTime()
  return {
    virtual: true,
    now: () => new Date(at),
    advance(ms) {
      at += ms
    },
    set(to) {
      at = to.getTime()
    },
  }
}
