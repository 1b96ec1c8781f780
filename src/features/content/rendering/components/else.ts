// What is shown where the `if` or the `each` that it stands in shows nothing.

import { Type } from '@sinclair/typebox'
import { defineFrame } from '../component.ts'
import { shared } from '../properties.ts'

export const otherwise = defineFrame({
  schema: Type.Object(shared, { description: 'Only in an `if` or an `each`: what is shown where that shows nothing.' }),
  onlyIn: ['if', 'each'],
})
