// A company with many contacts, as it comes in over HTTP: its file, the import of it, and calls that are timed.

import { median, percentile } from './figures.ts'
import type { Serving } from './serve.ts'

/** One contact in so many is on the plan `rare`. */
export const rareOneIn = 20_000
const csv = { 'content-type': 'text/csv' }

export interface Progress {
  id: string
  state: string
  created: number
  updated: number
  unchanged: number
  bad: number
}

/** 100 plans, so that a property finds 1 in 100. Of those who do not want mail there is one in `unsubscribedOneIn`; 0: none. */
async function* file(rows: number, unsubscribedOneIn: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode('email,userId,firstName,lastName,subscribed,plan,age:number\r\n')
  let text = ''
  for (let n = 0; n < rows; n++) {
    const isSubscribed = unsubscribedOneIn === 0 || n % unsubscribedOneIn !== 0
    const plan = n % rareOneIn === Math.min(rareOneIn, rows) / 2 ? 'rare' : `plan${n % 100}`
    text += `${addressOf(n)},user-${n},First ${n % 500},"Last, ${n % 900}",${isSubscribed},${plan},${n % 90}\r\n`
    if (text.length > 65_536) {
      yield encoder.encode(text)
      text = ''
    }
  }
  yield encoder.encode(text)
}

export const addressOf = (n: number) => `person${n}@example${n % 1_000}.net`

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

export function createAsk({ url }: Serving, apiKey: string) {
  return async <T>(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<T> => {
    const authorization = `Bearer ${apiKey}`
    const response = await fetch(url + path, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

export type Ask = ReturnType<typeof createAsk>

interface Import {
  rows: number
  unsubscribedOneIn: number
  /** They join it. */
  listId?: string
}

/** Ends with the last row. */
export async function importFile(ask: Ask, { rows, unsubscribedOneIn, listId }: Import): Promise<Progress> {
  const query = listId === undefined ? '' : `?mailingListId=${listId}`
  const body = streamOf(file(rows, unsubscribedOneIn))
  let end = await ask<Progress>('POST', `/v1/contacts/import${query}`, body, csv)
  while (end.state !== 'done') {
    if (end.state === 'failed') throw new Error(JSON.stringify(end))
    await Bun.sleep(100)
    end = await ask<Progress>('GET', `/v1/contact-imports/${end.id}`)
  }
  return end
}

/** Milliseconds of each, one after the other. */
export async function timed(times: number, call: (n: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await call(n)
    took.push(performance.now() - began)
  }
  return took
}

export const spread = (took: number[]) => `p50 ${median(took).toFixed(1)} p95 ${percentile(took, 0.95).toFixed(1)} ms`
