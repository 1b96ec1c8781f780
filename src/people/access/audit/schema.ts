// Wire shapes of the audit log, in JSON and in CSV.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { type ActorKind, actorKinds } from '../../../kit/act.ts'
import { csvRow } from '../../../kit/csv.ts'
import { invalidField } from '../../../kit/error.ts'
import { parseTime } from '../../../kit/time.ts'
import type { Change, Line, LineFilter } from './lines.ts'

const word = (description: string, example: string) =>
  t.Optional(t.String({ minLength: 1, maxLength: 200, description, examples: [example] }))
const textOrNull = (description: string) => t.Union([t.String(), t.Null()], { description })
const fields = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })

export const lineQuery = {
  actor: word(
    'Only actions of this actor: the id of a person, key, token, connection or source; or `operator`, `system`, `visitor`.',
    'usr_…',
  ),
  operation: word('Only this action, e.g. `updateWorkspace`.', 'updateWorkspace'),
  kind: word('Only actions on resources of this kind, e.g. `template`, `api_key`, `member`.', 'template'),
  thing: word('Only actions on this resource: its id or, for a template, its slug.', 'welcome'),
  since: word('From this time on (ISO 8601, with its offset).', '2027-01-15T00:00:00Z'),
  until: word('Before this time.', '2027-01-16T00:00:00Z'),
}

export const actorView = t.Object({
  kind: Type.Unsafe<ActorKind>(
    Type.Union(
      actorKinds.map((kind) => Type.Literal(kind)),
      {
        description:
          '`operator` is the command line of the installation, `source` a subscription form, `visitor` somebody without a credential.',
      },
    ),
  ),
  id: t.String(),
  name: textOrNull('The address of a person, the name of a key, a token or a connected program.'),
})

export const lineView = t.Object({
  id: t.String(),
  at: t.String({ format: 'date-time', description: 'For combined actions: the hour in which they happened.' }),
  actor: actorView,
  operation: t.String({
    description: 'The operationId, `mcp` and the tool, the command, or the kind of a system job.',
  }),
  requestId: textOrNull('The x-request-id; for combined actions, the first one.'),
  ip: textOrNull('Where it came from.'),
  client: textOrNull('The User-Agent, or the command.'),
  count: Type.Integer({ description: 'For combined actions: how often in that hour; otherwise 1.' }),
  changes: t.Array(
    t.Object({
      kind: t.String(),
      id: t.String(),
      before: fields(
        'The fields before the change: all of them if it was deleted, otherwise those that changed. Null for a new resource.',
      ),
      after: fields('The same fields after the change. Secrets are not shown: `(hidden)`, `(changed)`.'),
    }),
    { description: 'At most 100. Only settings have before and after; contacts, mails and events have neither.' },
  ),
})

export function toLineView({ id, at, actorKind, actorId, actorName, changes, ...line }: Line): typeof lineView.static {
  const { operation, requestId, ip, client, count } = line
  const actor = { kind: actorKind, id: actorId, name: actorName }
  return { id, at: at.toISOString(), actor, operation, requestId, ip, client, count, changes }
}

type LineQuery = { [K in keyof LineFilter]: string | undefined }

/** Throws 422 for a time that is none. */
export function toFilter({ actor, operation, kind, thing, since, until }: LineQuery): LineFilter {
  return { actor, operation, kind, thing, since: readTime('since', since), until: readTime('until', until) }
}

function readTime(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const at = parseTime(text)
  if (at === null) throw invalidField(name, `${name} must be a time like 2027-01-15T12:00:00Z.`)
  return at
}

export const csvHeader = csvRow([
  ...['id', 'at', 'actorKind', 'actorId', 'actorName', 'operation', 'requestId', 'ip', 'client', 'count'],
  ...['kind', 'thing', 'before', 'after'],
])

/** A row for each change; one for a line without. */
export function toCsv({ id, at, actorKind, actorId, actorName, changes, ...line }: Line): string {
  const { operation, requestId, ip, client, count } = line
  const cells = [id, at.toISOString(), actorKind, actorId, actorName, operation, requestId, ip, client, String(count)]
  const own = cells.map((cell) => cell ?? '')
  const json = (value: Change['before']) => (value === null ? '' : JSON.stringify(value))
  if (changes.length === 0) return csvRow([...own, '', '', '', ''])
  return changes.map((one) => csvRow([...own, one.kind, one.id, json(one.before), json(one.after)])).join('')
}
