// Shapes that many responses share. Shapes of a single feature are in its schema.ts.

import { t } from 'elysia'

export const time = t.String({ format: 'date-time' })
export const nullableTime = t.Union([time, t.Null()])
export const nullableText = t.Union([t.String(), t.Null()])
/** Something that is wrong, or questionable. */
export const issue = t.Object({ path: t.String(), message: t.String(), code: t.String() })
