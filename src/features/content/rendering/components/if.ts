// What only some readers get: a variable is compared, with nothing that could be programmed. In its `else` stands what all others get.

import { type Static, Type } from '@sinclair/typebox'
import { comparisons } from '../../../../kit/comparison.ts'
import { defineFrame, type Reading, type SentProperty } from '../component.ts'
import { constant, oneOf, shared, variable } from '../properties.ts'
import type { Slots } from '../segments.ts'

const schema = Type.Object(
  {
    ...shared,
    variable: variable('a variable, e.g. contact.plan'),
    operator: oneOf(...comparisons),
    value: Type.Optional(constant()),
  },
  {
    description:
      'What it holds is shown where the variable compares like that with `value` (not used by `exists` and `notExists`); what its `else` holds is shown otherwise.',
  },
)

export const conditional = defineFrame({
  schema,
  shown: ({ variable: name, operator, value }: Static<typeof schema>, slots: Slots) => ({
    choose: (there, otherwise) =>
      slots.when({ name, operator, ...(value === undefined ? {} : { value }) }, there, otherwise),
    repeat: (inside) => inside,
  }),
  reads: { properties: {}, into: wantValue },
})

function wantValue(
  node: Record<string, unknown>,
  given: Map<string, SentProperty>,
  { path, reading }: { path: string; reading: Reading },
): void {
  const { operator } = node
  const takesNone = operator === undefined || operator === 'exists' || operator === 'notExists'
  if (takesNone || (given.get('value')?.value ?? null) !== null) return
  reading.fault(`${path}.value`, 'missing_required_property', `${path}.value is required by ${String(operator)}.`)
}
