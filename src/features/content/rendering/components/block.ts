// A block in the place where it is used: a name, and a copy of what the block holds, which whoever stores the tree puts in
// (templates/fill-blocks.ts). What is rendered is the copy.

import { Type } from '@sinclair/typebox'
import { defineFrame } from '../component.ts'
import { shared } from '../properties.ts'

export const block = defineFrame({
  schema: Type.Object(
    { ...shared, blockId: Type.String({ maxLength: 100, description: 'id of a block' }) },
    {
      description:
        'A piece of content that is written once and used again (`/v1/blocks`). `children` is what it holds: it is answered, and ignored in a request. Not inside another block.',
    },
  ),
  notInside: ['block'],
  isTransparent: true,
})
