// Runs work whose cost depends on its caller's input beside the main thread (side-thread.ts), unless it is small. A feature defines such
// work with defineSideWork(); src/operator/side-work.ts lists all of it for the Worker.

import { SideThread, type SideThreadOptions, ThreadStuck, type Work } from './side-thread.ts'

/** What a Worker takes and gives is copied: plain data of a bounded size. */
export interface SideWork<I, O> {
  name: string
  /** How long it may occupy the thread, if that is less than others may. */
  stallMs?: number
  /** Even what is small is not read on the main thread: what it loads takes long by itself. */
  isAlwaysAside?: true
  run(input: I): O | Promise<O>
  /** The result for an input that repeatedly takes too long: a finding or a refusal. Runs on the main thread. */
  whenStuck(input: I): O
}

export interface Aside {
  /** `chars`: the length of the text it reads. Throws what the work throws, and `overloaded`. */
  run<I, O>(work: SideWork<I, O>, input: I, chars: number): Promise<O>
  close(): void
}

/** Read on the main thread, in some 10 ms of the worst HTML, without a Worker that has to be started for it. */
const littleChars = 4 * 1024

/** `run` loads what it needs: on the main thread that is memory and time of a start. */
export function defineSideWork<I, O>(work: SideWork<I, O>): SideWork<I, O> {
  return work
}

export function createAside(options: Pick<SideThreadOptions, 'start'> & Partial<SideThreadOptions>): Aside {
  const thread = new SideThread<Work>({
    answer: async () => {
      throw new Error('this work has nothing to ask')
    },
    ...options,
  })
  const beside = async <I, O>(work: SideWork<I, O>, input: I, chars: number): Promise<O> => {
    try {
      return (await thread.run(work.name, input as never, 2 * chars, work.stallMs)) as O
    } catch (error) {
      if (error instanceof ThreadStuck) return work.whenStuck(input)
      throw error
    }
  }
  return {
    run: async (work, input, chars) =>
      chars <= littleChars && !work.isAlwaysAside ? await work.run(input) : await beside(work, input, chars),
    close: () => thread.close(),
  }
}

/** What the Worker serves: each by its name. */
export function byName(list: SideWork<never, unknown>[]): Work {
  return Object.fromEntries(list.map(({ name, run }) => [name, run]))
}
