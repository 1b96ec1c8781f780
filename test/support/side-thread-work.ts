// What the side thread of a test does: ends at once, asks, fails, or never ends.

import type { Ask } from '../../src/kit/side-thread.ts'
import { serveSideThread } from '../../src/kit/side-thread-inside.ts'

const work = {
  double: ({ n }: { n: number }) => 2 * n,
  async ask({ about }: { about: string }, ask: Ask): Promise<string> {
    return `answered ${await ask(about)}`
  },
  fail({ message }: { message: string }): never {
    throw new Error(message)
  },
  hold(_: object): void {
    for (;;);
  },
  async askThenHold(_: object, ask: Ask): Promise<void> {
    await ask('anything')
    for (;;);
  },
}

export type TestWork = typeof work

serveSideThread(work)
