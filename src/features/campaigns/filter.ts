// The audience filter: conditions on a contact, all of which must be met. Names are checked, values are bound.

import { type SQL, sql } from 'drizzle-orm'
import type { AudienceCondition } from '../../../db/tables/campaigns.ts'
import { invalidField } from '../../kit/error.ts'
import { ownValue } from '../../kit/own-value.ts'
import { isPropertyName } from '../contacts/fields.ts'

const maxConditions = 20
/** Contact fields by their column. */
const columns: Record<string, string> = {
  email: 'email',
  userId: 'user_id',
  firstName: 'first_name',
  lastName: 'last_name',
  source: 'source',
  userGroup: 'user_group',
  locale: 'locale',
  timezone: 'timezone',
}
const operators: Record<AudienceCondition['op'], string> = { eq: 'IS', ne: 'IS NOT', exists: '', gt: '>', lt: '<' }

/** Throws 422 naming the invalid condition. */
export function checkFilter(filter: AudienceCondition[] | null | undefined): AudienceCondition[] | null {
  if (!filter || filter.length === 0) return null
  if (filter.length > maxConditions)
    throw invalidField('audienceFilter', `may have at most ${maxConditions} conditions`)
  for (const [index, { field, op, value }] of filter.entries()) {
    const path = `audienceFilter[${index}]`
    if (ownValue(columns, field) === undefined && !isPropertyName(field))
      throw invalidField(`${path}.field`, `${path}.field is not a field or property of a contact`)
    if (op !== 'exists' && value === undefined) throw invalidField(`${path}.value`, `${path}.value is missing`)
  }
  return filter
}

/** For a query in which contacts are called `c`. */
export function filterSql(filter: AudienceCondition[]): SQL {
  return sql.join(filter.map(conditionSql), sql` AND `)
}

function conditionSql({ field, op, value }: AudienceCondition): SQL {
  const column = ownValue(columns, field)
  const left = column === undefined ? sql`(c.properties ->> ${field})` : sql.raw(`c.${column}`)
  if (op === 'exists') return value === false ? sql`${left} IS NULL` : sql`${left} IS NOT NULL`
  return sql`${left} ${sql.raw(operators[op])} ${typeof value === 'boolean' ? Number(value) : value}`
}
