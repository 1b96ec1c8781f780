// A sequence that welcomes whoever signs up: a mail at once, another after three days.

import type { Json, TestApp } from './app.ts'
import { trust } from './campaign.ts'

export const path = '/v1/sequences'

/** `hello` is the template of t.template(). */
export const welcoming = {
  start: { event: 'signup' },
  steps: [
    { id: 'welcome', type: 'send', templateId: 'hello' },
    { id: 'pause', type: 'wait', for: { amount: 3, unit: 'd' } },
    { id: 'tips', type: 'send', templateId: 'tips' },
  ],
}

/** The templates that sequences of tests send: `hello` and `tips`, with their names as subjects; from a domain that need not sign. */
export async function templates(t: TestApp, ...ids: string[]): Promise<void> {
  await trust(t, 'M1')
  for (const id of ids.length === 0 ? ['hello', 'tips'] : ids) await t.template({ id, subject: id, text: id })
}

/** Drafts and publishes a sequence; returns it. */
export async function publish(t: TestApp, definition: Json, name = 'Welcome'): Promise<Json> {
  const { id, contentHash } = await t.post(path, { name, definition }, 201)
  return await t.post(`${path}/${id}/publish`, { contentHash }, 200)
}

export const tell = (t: TestApp, eventName: string, more: object = {}): Promise<Json> =>
  t.post('/v1/events/send', { eventName, email: 'ada@example.net', ...more }, 200)

/** The subjects of everything that was sent, in its order. */
export async function subjects(t: TestApp): Promise<string[]> {
  return (await t.sent()).map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '')
}

/** The runs of a sequence, oldest first, each with its path as `step: outcome`. */
export async function runsOf(t: TestApp, sequenceId: string): Promise<Json[]> {
  const { data } = await t.get(`${path}/${sequenceId}/runs?perPage=50`, 200)
  const runs = await Promise.all(data.map(({ id }: Json) => t.get(`${path}/${sequenceId}/runs/${id}`, 200)))
  return runs.reverse().map(({ path: lines, ...run }) => {
    return { ...run, path: lines.map(({ stepId, outcome }: Json) => `${stepId}: ${outcome}`) }
  })
}
