// The Worker's side of a side thread (side-thread.ts): takes jobs, runs them concurrently, and reports which one occupies the thread, so
// that the right one is stopped when it never yields.

import { type Ask, type FromInside, type ToInside, toError, toFailure, type Work } from './side-thread.ts'

/** Serves `work` until the thread is ended. Called once, by the file that the Worker runs. */
export function serveSideThread(work: Work): void {
  const waiting = new Map<number, { id: number } & PromiseWithResolvers<unknown>>()
  let lastQuestion = 0

  const askFor = (id: number): Ask => {
    return (about) => {
      const question = ++lastQuestion
      const answer = { id, ...Promise.withResolvers<unknown>() }
      waiting.set(question, answer)
      post({ kind: 'question', question, id, about })
      return answer.promise
    }
  }

  const run = async (id: number, name: string, input: unknown): Promise<void> => {
    post({ kind: 'running', id })
    try {
      const task = work[name] as ((input: unknown, ask: Ask) => unknown) | undefined
      if (!task) throw new Error(`there is no work ${name}`)
      post({ kind: 'done', id, value: await task(input, askFor(id)) })
    } catch (error) {
      post({ kind: 'failed', id, failure: toFailure(error) })
    }
  }

  self.addEventListener('message', ({ data }: MessageEvent<ToInside>) => {
    if (data.kind === 'job') return void run(data.id, data.name, data.input)
    if (data.kind === 'ping') return post({ kind: 'alive' })
    const answer = waiting.get(data.question)
    if (!answer) return
    waiting.delete(data.question)
    post({ kind: 'running', id: answer.id })
    if (data.failure) answer.reject(toError(data.failure))
    else answer.resolve(data.value)
  })
  post({ kind: 'alive' })
}

function post(message: FromInside): void {
  self.postMessage(message)
}
