// What routes take in a notation of their own, as strict clients can be told it: a schema that names what there is, and words for the rest.
// The route checks it.

import { type TSchema, Type } from '@sinclair/typebox'
import { contentArgument } from './content-argument.ts'

const text = { type: 'string' }
const number = { type: 'integer' }
const inner = { type: 'object', description: 'A filter.', additionalProperties: true }

const filter = Type.Unknown({
  type: 'object',
  title: 'Filter',
  description:
    'A condition, or conditions combined as `{"all": […]}`, `{"any": […]}` or `{"not": …}`. Conditions: `{"field": "plan", "op": "eq", "value": "pro"}` (a field or custom property), `{"list": "lst_…", "status": "active"}`, `{"event": "signup", "withinDays": 30, "atLeast": 1}`, `{"campaign": "clicked", "campaignId": "cmp_…"}`.',
  properties: {
    all: { type: 'array', items: inner },
    any: { type: 'array', items: inner },
    not: inner,
    field: text,
    op: text,
    value: { anyOf: [text, { type: 'number' }, { type: 'boolean' }] },
    list: text,
    status: text,
    event: text,
    withinDays: number,
    atLeast: number,
    campaign: text,
    campaignId: text,
  },
  additionalProperties: true,
})

/** By the name of the component in the OpenAPI document. */
export const notations: Readonly<Record<string, TSchema>> = { SegmentFilter: filter, MailContent: contentArgument }
