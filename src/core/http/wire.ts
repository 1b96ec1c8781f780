// Shapes that many responses share. Shapes of a single feature are in its schema.ts.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'

export const time = t.String({ format: 'date-time' })
export const nullableTime = t.Union([time, t.Null()])
export const nullableText = t.Union([t.String(), t.Null()])
/** What holds everything of a workspace that would leave. */
export const waitsFor = t.Union([oneOf(['workspace_suspended']), t.Null()], {
  description:
    'Beside what is under way: the workspace is suspended, and nothing of it moves or leaves until it is resumed.',
})
/** Something that is wrong, or questionable. */
export const issue = t.Object({ path: t.String(), message: t.String(), code: t.String() })

/** A word out of a list. */
export function oneOf<T extends string>(words: readonly T[], description?: string) {
  const pattern = `^(?:${words.map((word) => word.replaceAll(/[.\\+*?^$(){}|[\]]/g, '\\$&')).join('|')})$`
  return t.Unsafe<T>(t.String({ enum: [...words], pattern, ...(description === undefined ? {} : { description }) }))
}

/** A number of a query: a whole one of at least 1. What t.Numeric() refuses loses its name on the way. */
export function wholeNumber(description: string) {
  const error = 'must be a whole number of at least 1'
  const digits = t.String({ format: 'numeric', pattern: '^[1-9][0-9]{0,8}$' })
  const choice = t.Union([digits, Type.Integer({ minimum: 1, description })], { error, description })
  return t.Transform(choice).Decode(Number).Encode(String)
}
