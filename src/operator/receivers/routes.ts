// Receivers over REST, for those whose the installation is: what they say to each relay, and what their replies mean.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { followRelays } from '../../core/relays.ts'
import { builtInRules } from '../../mail/shaping-rules.ts'
import { auth } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import { mustBeOperator, rights, whose } from '../relays/operator-only.ts'
import { smtpUrlRelay } from '../relays/relays.ts'
import { forgetLimits, listReceivers, type ReceiverFilter } from './receivers.ts'
import { checkedRules, listRules, setRules, tryRules } from './rules.ts'
import {
  pairBody,
  receiversQuery,
  receiversView,
  rulesBody,
  rulesView,
  toGivenRule,
  toReceiverView,
  toTriedView,
  triedView,
  tryBody,
} from './schema.ts'

export function receiverRoutes(app: App) {
  return new Elysia().use(auth).use(stateRoutes(app)).use(ruleRoutes(app))
}

const toRelayId = (id: string) => (id === smtpUrlRelay ? null : id)

function stateRoutes(app: App) {
  return new Elysia({ prefix: '/v1/receivers' })
    .use(auth)
    .get(
      '',
      async ({ query, caller }) => {
        await mustBeOperator(app, caller)
        const wanted: ReceiverFilter = {
          ...(query.relayId !== undefined && { relayId: toRelayId(query.relayId) }),
          ...(query.receiver !== undefined && { receiver: query.receiver.toLowerCase() }),
        }
        const now = app.clock.now()
        return { data: (await listReceivers(app, wanted)).map((one) => toReceiverView(one, now)) }
      },
      {
        auth: rights,
        query: receiversQuery,
        response: receiversView,
        detail: extension(
          'listReceivers',
          'List what receivers say to each relay',
          `Gmail, Outlook, a company's own server: how much each took through each relay in the last day, what it answered last, and how fast mail may go there. ${whose}`,
          [403],
        ),
      },
    )
    .post(
      '/resume',
      async ({ body, caller }) => {
        await mustBeOperator(app, caller)
        const pair = { relayId: toRelayId(body.relayId), receiver: body.receiver.toLowerCase() }
        await forgetLimits(app, pair)
        return { success: true as const, message: 'Mail goes there again as if nothing had been said.' }
      },
      {
        auth: rights,
        body: pairBody,
        response: successBody,
        detail: extension(
          'resumeReceiver',
          'Forget what a receiver asked for',
          `Mail goes there again at once and at full speed, until it says otherwise. ${whose}`,
          [403],
        ),
      },
    )
}

function ruleRoutes(app: App) {
  return new Elysia({ prefix: '/v1/receiver-rules' })
    .use(auth)
    .get(
      '',
      async ({ caller }) => {
        await mustBeOperator(app, caller)
        return await allRules(app)
      },
      {
        auth: rights,
        response: rulesView,
        detail: extension(
          'getReceiverRules',
          'Fetch what replies of receivers mean',
          `Own rules, and those that are built in. ${whose}`,
          [403],
        ),
      },
    )
    .put(
      '',
      async ({ body, caller }) => {
        await mustBeOperator(app, caller)
        await write(app, (tx) => setRules(tx, body.rules.map(toGivenRule)))
        await followRelays(app)
        return await allRules(app)
      },
      {
        auth: rights,
        body: rulesBody,
        response: rulesView,
        detail: extension(
          'setReceiverRules',
          'Say what replies of receivers mean',
          `In place of what was said, before those that are built in. ${whose}`,
          [403, 422],
        ),
      },
    )
    .post(
      '/try',
      async ({ body, caller }) => {
        await mustBeOperator(app, caller)
        const rules = body.rules === undefined ? await listRules(app) : checkedRules(body.rules.map(toGivenRule))
        return toTriedView(await tryRules(app, rules), rules)
      },
      {
        auth: rights,
        body: tryBody,
        response: triedView,
        detail: extension(
          'tryReceiverRules',
          'Try rules against the replies of the last 30 days',
          `Says which replies each would have met; nothing is changed. ${whose}`,
          [403, 422],
        ),
      },
    )
}

async function allRules(app: App) {
  return { rules: await listRules(app), builtIn: builtInRules }
}
