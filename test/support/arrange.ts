// What most tests begin with, made by the routes that a caller would take. It must succeed, and returns what the API answers. Fields are those
// of the API; what a test does not care about has a value here. A test that is about one of these routes calls it itself.

import type { Calls, Json, RequestOptions } from './calls.ts'

type Fields = Record<string, unknown>

/** A template whose mails greet by name. */
export const greeting = { subject: 'Hi {{name}}', text: 'Hello {{name}}' }

export interface Arrangements {
  /** The template `hello`, which says "Hello". `text`: all that it says, where it has no `content`. */
  template(fields?: Fields & { text?: string }, options?: RequestOptions): Promise<Json>
  /** A mail to ada@example.net, of the template `hello`: accepted, and sent once its job has run. */
  mail(fields?: Fields, options?: RequestOptions): Promise<Json>
  /** The contact ada@example.net. */
  contact(fields?: Fields, options?: RequestOptions): Promise<Json>
  /** The list News. */
  mailingList(fields?: Fields, options?: RequestOptions): Promise<Json>
  /** A mailing list, and a form by which people join it. */
  form(optIn: 'single' | 'double', fields?: Fields): Promise<{ listId: string; sourceId: string }>
  /** An endpoint of webhooks, made by the owner. */
  endpoint(fields: Fields & { url: string }, options?: RequestOptions): Promise<Json>
}

export function arrangementsBy({ post }: Pick<Calls, 'post'>): Arrangements {
  const mailingList: Arrangements['mailingList'] = (fields, options) =>
    post('/v1/mailing-lists', { name: 'News', ...fields }, 201, options)
  return {
    mailingList,
    template: ({ text = 'Hello', ...fields } = {}, options) => {
      const content = [{ type: 'text', text }]
      const template = { id: 'hello', name: 'Hello', subject: 'Hello', content, ...fields }
      return post('/v1/transactional/create', template, 201, options)
    },
    mail: (fields, options) =>
      post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'hello', ...fields }, 200, options),
    contact: (fields, options) => post('/v1/contacts/create', { email: 'ada@example.net', ...fields }, 200, options),
    async form(optIn, fields) {
      const { id: listId } = await mailingList({ optIn })
      const source = { name: 'Form', mailingListIds: [listId], ...fields }
      const { id: sourceId } = await post('/v1/subscription-sources/create', source, 201)
      return { listId, sourceId }
    },
    endpoint: (fields, options) => post('/v1/webhook-endpoints', fields, 201, { as: 'session', ...options }),
  }
}
