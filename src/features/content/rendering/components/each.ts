// What stands in the mail once for each thing of a list that the send brings. In its `else` stands what is shown for an empty list.

import { type Static, Type } from '@sinclair/typebox'
import { defineFrame } from '../component.ts'
import { listName, shared } from '../properties.ts'
import type { Slots } from '../segments.ts'

const schema = Type.Object(
  {
    ...shared,
    itemsVariable: listName(),
    as: Type.Optional(
      Type.String({
        pattern: '^(?!(?:contact|workspace|event|feed)$)[A-Za-z_][A-Za-z0-9_]{0,29}$',
        description: 'a name for an entry: 1 to 30 letters, digits and _; default item',
      }),
    ),
  },
  {
    description:
      'What it holds is repeated for each object of a list, where `{{item.field}}` is of that object (`as` gives it another name); what its `else` holds is shown for an empty list. Inside another, its list is one of an entry: `item.parts`.',
  },
)

export const each = defineFrame({
  schema,
  shown: ({ itemsVariable: name, as = 'item' }: Static<typeof schema>, slots: Slots) => ({
    choose: (there, otherwise) => slots.when({ name, operator: 'exists', isOfList: true }, there, otherwise),
    repeat: (inside, between) => slots.each({ name, as, start: 1, between }, inside),
  }),
})
