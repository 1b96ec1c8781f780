// Wire shape of the attention list.

import { t } from 'elysia'
import { oneOf } from '../../core/http/wire.ts'
import { faultCauseNames } from '../../mail/fault-cause.ts'
import type { Item } from './attention.ts'
import { areas, severities } from './rule.ts'
import { type Code, codes } from './rules.ts'

const itemView = t.Object({
  code: oneOf<Code>(codes, 'The code of the problem. Stable: new codes may be added, but none changes its meaning.'),
  severity: oneOf(severities, '`urgent`: mail is stopped, or lost until somebody acts.'),
  area: oneOf(areas, 'What it is about.'),
  scope: oneOf(
    ['workspace', 'installation'] as const,
    '`workspace`, or `installation`: other workspaces see it as well.',
  ),
  since: t.String({
    format: 'date-time',
    description: 'When it began or, if that is unknown, when it was first detected.',
  }),
  text: t.String({ description: 'What is wrong.' }),
  detail: t.Union([t.String(), t.Null()], { description: 'Details of this case: a reply, a number, a reason.' }),
  cause: t.Union([oneOf(faultCauseNames, 'Why mail is not sent.'), t.Null()], {
    description: 'Set if mail is not sent because of the mail server; `text` and `todo` are then about this cause.',
  }),
  thing: t.Union([t.Object({ id: t.String(), name: t.String() }), t.Null()], {
    description: 'What it is about: a campaign, a domain, an endpoint …',
  }),
  todo: t.String({ description: 'What to do.' }),
  docs: t.String({ description: 'The page that explains it.' }),
})

export const attentionView = t.Object({
  data: t.Array(itemView, { description: 'Worst first, then oldest first. At most twenty of one kind.' }),
})

export function toItemView(item: Item): typeof itemView.static {
  const { code, severity, area, workspaceId, since, text, detail = null, cause = null, thing = null, todo, docs } = item
  const scope = workspaceId === null ? 'installation' : 'workspace'
  return { code, severity, area, scope, since: since.toISOString(), text, detail, cause, thing, todo, docs }
}
