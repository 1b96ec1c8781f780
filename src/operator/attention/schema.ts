// Wire shape of the attention list.

import { t } from 'elysia'
import { oneOf } from '../../core/http/wire.ts'
import { faultCauseNames } from '../../mail/fault-cause.ts'
import type { Item } from './attention.ts'
import { areas, type Code, codes, severities } from './rules.ts'

const itemView = t.Object({
  code: oneOf<Code>(codes, 'What is wrong. Stable: new ones are added, none changes its meaning.'),
  severity: oneOf(severities, '`urgent`: mail is stopped, or lost until somebody acts.'),
  area: oneOf(areas, 'What it is about.'),
  scope: oneOf(['workspace', 'installation'] as const, 'Whether others see it too.'),
  since: t.String({
    format: 'date-time',
    description: 'Since when it is so; where nothing tells that, since it was first seen.',
  }),
  text: t.String({ description: 'What is wrong.' }),
  detail: t.Union([t.String(), t.Null()], { description: 'In this case: a reply, a number, a reason.' }),
  cause: t.Union([oneOf(faultCauseNames, 'Why mail is not sent.'), t.Null()], {
    description: 'For mail that is not sent because of the mail server: `text` and `todo` are about this cause then.',
  }),
  thing: t.Union([t.Object({ id: t.String(), name: t.String() }), t.Null()], {
    description: 'The one that it is about: a campaign, a domain, an endpoint …',
  }),
  todo: t.String({ description: 'What to do.' }),
  docs: t.String({ description: 'Where it is explained.' }),
})

export const attentionView = t.Object({
  data: t.Array(itemView, { description: 'Worst first, then the oldest. Of one kind at most twenty.' }),
})

export function toItemView(item: Item): typeof itemView.static {
  const { code, severity, area, workspaceId, since, text, detail = null, cause = null, thing = null, todo, docs } = item
  const scope = workspaceId === null ? 'installation' : 'workspace'
  return { code, severity, area, scope, since: since.toISOString(), text, detail, cause, thing, todo, docs }
}
