// What tests of recurring campaigns begin with: one to two people each day, and a feed that a test changes.

import type { Json, RequestOptions, TestApp } from './app.ts'
import { content, listOf, trust } from './campaign.ts'
import { type Answer, webhookSink } from './webhook-sink.ts'

export const path = '/v1/recurring-campaigns'
export const daily = { every: 'day', at: '13:00' } as const

/** To two people, each day an hour after the clock of a test begins. */
export async function recurring(t: TestApp, fields: object = {}, options?: RequestOptions): Promise<Json> {
  const { list } = await listOf(t, 2)
  await trust(t, 'M1')
  const body = { name: 'Daily', subject: 'News', mailingListId: list.id, content, schedule: daily, ...fields }
  return await t.post(path, body, 201, options)
}

export const viewOf = (t: TestApp, { id }: Json) => t.get(`${path}/${id}`, 200)
export const campaignsOf = async (t: TestApp) => (await t.get('/v1/campaigns', 200)).data

export const item = (n: number, more = '') =>
  `<item><guid>${n}</guid><title>Story ${n}</title><link>https://blog.example/${n}</link><description>About ${n}</description>${more}</item>`
export const rss = (...items: string[]) => `<rss><channel><title>Blog</title>${items.join('')}</channel></rss>`
export const digest = {
  subject: '{{feed.newest}} and more of {{feed.title}}',
  content: [
    { type: 'heading', text: '{{feed.count}} for {{contact.firstName|you}}' },
    {
      type: 'list',
      itemsVariable: 'feed.items',
      items: [{ type: 'link', href: '{{item.link}}', text: '{{item.title}}' }, '{{item.summary|no summary}}'],
    },
    { type: 'text', format: 'markdown', text: 'From [**{{feed.title}}**]({{feed.link}})' },
  ],
}

/** A feed that a test changes. */
export function feedServer(first: string, answer?: Answer) {
  const state = { xml: first, status: 200 }
  const sink = webhookSink(answer ?? (() => new Response(state.xml, { status: state.status })))
  return Object.assign(sink, { state })
}
