// Wire shapes of segments, and their notation in the OpenAPI document: readFilter is what checks it, and lists where it is wrong.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { subscriptionStates } from '../../../../db/tables/lists.ts'
import { engagements, fieldOperators } from '../../../../db/tables/segments.ts'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { nullableText, time } from '../../../core/http/wire.ts'
import type { Contact } from '../consent/find-contact.ts'
import { maxConditions, maxDepth } from './filter.ts'
import type { Segment } from './segments.ts'

const filter = Type.Unknown({ component: 'SegmentFilter', description: 'Which contacts are in it.' })
const name = t.String({ minLength: 1, maxLength: 200 })

export const createBody = refusing(t.Object({ name, filter }))
export const updateBody = refusing(t.Object({ name: t.Optional(name), filter: t.Optional(filter) }))
export const previewBody = refusing(t.Object({ filter }))

export const segmentView = t.Object({
  id: t.String(),
  name: t.String(),
  filter,
  state: t.Union([t.Literal('building'), t.Literal('ready')], {
    description:
      '`building`: who is in it is being looked up, for a new segment or a new filter; until then an answer looks at the contacts one by one.',
  }),
  contacts: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How many are in it, at most about a second ago; null while it is built.',
  }),
  builtPercent: Type.Integer({ description: 'How far that is; 100 when it is ready.' }),
  createdAt: time,
  updatedAt: time,
})

export const memberView = t.Object({
  id: t.String(),
  email: t.String(),
  userId: nullableText,
  firstName: nullableText,
  lastName: nullableText,
  subscribed: t.Boolean(),
  createdAt: time,
})

export const previewView = t.Object({
  contacts: Type.Integer({ description: 'How many are in it now.' }),
  exact: t.Boolean({ description: 'False if that is an estimate from the first 20,000 contacts of the workspace.' }),
  data: t.Array(memberView, { description: 'The first ten of them.' }),
})

export function toSegmentView(segment: Segment): typeof segmentView.static {
  const { id, name, filter, building, members, createdAt, updatedAt } = segment
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
  if (building === null) return { id, name, filter, state: 'ready', contacts: members, builtPercent: 100, ...times }
  // People who come meanwhile are looked at, too.
  const builtPercent = Math.min(99, Math.floor((100 * building.done) / Math.max(1, building.of)))
  return { id, name, filter, state: 'building', contacts: null, builtPercent, ...times }
}

export function toMemberView({
  id,
  email,
  userId,
  firstName,
  lastName,
  subscribed,
  createdAt,
}: Contact): typeof memberView.static {
  return { id, email, userId, firstName, lastName, subscribed, createdAt: createdAt.toISOString() }
}

type Schema = Record<string, unknown>

const reference = { $ref: '#/components/schemas/SegmentFilter' }
const text = { type: 'string' }
const number = { type: 'integer', minimum: 1 }
const happened = { withinDays: number, atLeast: number }
const references = { type: 'array', minItems: 1, maxItems: maxConditions, items: reference }

const object = (required: string[], properties: Schema) => ({ type: 'object', required, properties })

/** The notation by name. */
export function filterComponents(): Record<string, Schema> {
  return {
    SegmentFilter: {
      description: `A condition on contacts, or several: at most ${maxConditions} in all, ${maxDepth} deep.`,
      oneOf: [
        object(['all'], { all: references }),
        object(['any'], { any: references }),
        object(['not'], { not: reference }),
        object(['field', 'op'], {
          field: text,
          op: { ...text, enum: [...fieldOperators] },
          value: { type: ['string', 'number', 'boolean'] },
        }),
        object(['list'], { list: text, status: { ...text, enum: [...subscriptionStates], default: 'active' } }),
        object(['event'], { event: text, ...happened }),
        object(['campaign'], { campaign: { ...text, enum: [...engagements] }, campaignId: text, ...happened }),
      ],
    },
  }
}
