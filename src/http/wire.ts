// Shapes that many answers share. A schema that only one feature has is in its own schema.ts.

import { t } from 'elysia'

export const time = t.String({ format: 'date-time' })
export const nullableTime = t.Union([time, t.Null()])
export const nullableText = t.Union([t.String(), t.Null()])
/** One thing that is wrong, or doubtful. */
export const issue = t.Object({ path: t.String(), message: t.String(), code: t.String() })
