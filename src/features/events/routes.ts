// Events, and the rules that act on them.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { readIdempotencyKey, reply } from '../../core/http/idempotency.ts'
import { extension, repeatable, specified } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { auth } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import { byRequest } from '../contacts/consent/ledger.ts'
import { acceptEvent } from './ingest.ts'
import { createRule, deleteRule, getRule, listRules, updateRule } from './rules.ts'
import { createRuleBody, eventAnswer, eventBody, ruleView, toRuleView, updateRuleBody } from './schema.ts'

const rulesPath = '/v1/event-rules'

export function eventRoutes(app: App) {
  return new Elysia().use(auth).post(
    '/v1/events/send',
    async ({ workspace, credential, body, request, set }) => {
      const evidence = byRequest(credential, 'POST /v1/events/send')
      return reply(set, await acceptEvent(app, workspace, body, { key: readIdempotencyKey(request), evidence }))
    },
    {
      auth: 'events.send',
      body: eventBody,
      response: eventAnswer,
      detail: repeatable(
        specified(
          'sendEvent',
          'Ingest an event',
          'The event, changes to its contact, its synchronous effects and the scheduling of delayed mails happen in one transaction, and the response follows the commit. Creates the contact if it is unknown. With an `Idempotency-Key` or an `eventId`, a repeat changes nothing.',
          [409],
        ),
      ),
    },
  )
}

export function ruleRoutes(app: App) {
  const read = { scope: 'rules.read', session: true } as const
  const change = { scope: 'rules.write', session: true } as const
  return new Elysia({ prefix: rulesPath })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path: rulesPath, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listRules(app, workspace.id, bounds)
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toRuleView })
      },
      {
        auth: read,
        query: t.Object(pageQuery),
        response: pageOf(ruleView),
        detail: extension(
          'listRules',
          'List event rules, newest first',
          'A rule defines what happens when an event of a given name is received: send a template, subscribe the contact, or update the contact.',
        ),
      },
    )
    .post(
      '',
      async ({ workspace, credential, body, set }) => {
        const rule = await write(app, (tx) => createRule(tx, workspace, body, credential))
        set.status = 201
        return toRuleView(rule)
      },
      {
        auth: change,
        body: createRuleBody,
        response: { 201: ruleView },
        detail: extension(
          'createRule',
          'Create an event rule',
          'It runs for events received from now on. The template or list that it names must exist and be suitable. Only a signed-in owner can create a rule whose `purpose` is `transactional`.',
          [403],
        ),
      },
    )
    .get('/:ruleId', async ({ workspace, params }) => toRuleView(await getRule(app, workspace.id, params.ruleId)), {
      auth: read,
      response: ruleView,
      detail: extension('getRule', 'Fetch one event rule', 'One rule with its filter, its delay and its action.'),
    })
    .patch(
      '/:ruleId',
      async ({ workspace, credential, params, body }) => {
        const change = { ...body, id: params.ruleId }
        const rule = await write(app, (tx) => updateRule(tx, workspace, change, credential))
        return toRuleView(rule)
      },
      {
        auth: change,
        body: updateRuleBody,
        response: ruleView,
        detail: extension(
          'updateRule',
          'Change an event rule',
          'Only the fields in the request change. Mail that is already scheduled follows the rule as it is when the mail is due. Only a signed-in owner can change a rule whose `purpose` is `transactional`, but anybody who may change rules can disable it.',
          [403],
        ),
      },
    )
    .delete(
      '/:ruleId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteRule(tx, workspace.id, params.ruleId))
        return { success: true as const, message: 'Event rule deleted.' }
      },
      {
        auth: change,
        response: successBody,
        detail: extension(
          'deleteRule',
          'Delete an event rule; mail that it has scheduled is not sent',
          'Jobs that it has scheduled end with the reason `rule_deleted` when they are due.',
        ),
      },
    )
}
