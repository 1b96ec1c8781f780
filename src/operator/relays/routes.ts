// Relays over REST, for those whose the installation is.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { listSendingFaults } from '../../core/outbox/sending-faults.ts'
import { followRelays } from '../../core/relays.ts'
import { readRelayUrl } from '../../mail/mx/transport.ts'
import { parseScope } from '../../mail/sending-hold.ts'
import { auth, type Caller } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import { mustBeOperator, rights, whose } from './operator-only.ts'
import {
  createRelay,
  deleteRelay,
  getRelay,
  listRelays,
  listRoutes,
  type RouteSettings,
  setRoutes,
  updateRelay,
} from './relays.ts'
import {
  createRelayBody,
  relayView,
  routesBody,
  routesQuery,
  routesView,
  testRelayBody,
  testRelayView,
  toFixedView,
  toRelayView,
  toRoutesView,
  updateRelayBody,
} from './schema.ts'
import { testRelay } from './test-relay.ts'
import { loadWarmUp, readWarmUp } from './warm-up.ts'

export function relayRoutes(app: App) {
  return new Elysia().use(auth).use(settingRoutes(app)).use(oneRoutes(app)).use(pathRoutes(app))
}

function settingRoutes(app: App) {
  return new Elysia({ prefix: '/v1/relays' })
    .use(auth)
    .get('', async ({ caller }) => ({ data: await allViews(app, caller) }), {
      auth: rights,
      response: t.Object({ data: t.Array(relayView) }),
      detail: extension(
        'listRelays',
        'List the relays: the mail servers that carry mail onward',
        `That of \`SMTP_URL\` first, then the others, oldest first. ${whose}`,
        [403],
      ),
    })
    .post(
      '',
      async ({ body, set, caller }) => {
        await mustBeOperator(app, caller)
        const { workspaceId = null, state = 'active', weight = 1, streams = null, ...given } = body
        const { mostPerSecond = null, mostPerDay = null, warmUpSince = null, ...named } = given
        const limits = { mostPerSecond, mostPerDay, warmUpSince: readWarmUp(warmUpSince, app.clock.now()) }
        const settings = { ...named, workspaceId, state, weight, streams, ...limits }
        const relay = await write(app, (tx) => createRelay(app, tx, settings))
        await followRelays(app)
        set.status = 201
        return await loadView(app, relay.id)
      },
      {
        auth: rights,
        body: createRelayBody,
        response: { 201: relayView },
        detail: extension(
          'createRelay',
          'Add a relay',
          `It carries mail from the next one on, together with the others. Its password is stored sealed. ${whose}`,
          [403, 422],
        ),
      },
    )
}

function oneRoutes(app: App) {
  return new Elysia({ prefix: '/v1/relays' })
    .use(auth)
    .get(
      '/:relayId',
      async ({ params, caller }) => {
        await mustBeOperator(app, caller, 'not_found')
        return await loadView(app, params.relayId)
      },
      {
        auth: rights,
        response: relayView,
        detail: extension(
          'getRelay',
          'Fetch one relay',
          `How it is set, and why it carries nothing now. ${whose}`,
          [403],
        ),
      },
    )
    .patch(
      '/:relayId',
      async ({ params, body, caller }) => {
        await mustBeOperator(app, caller, 'not_found')
        const { warmUpSince, ...change } = body
        const warmUp = warmUpSince === undefined ? {} : { warmUpSince: readWarmUp(warmUpSince, app.clock.now()) }
        await write(app, (tx) => updateRelay(app, tx, params.relayId, { ...change, ...warmUp }))
        await followRelays(app)
        return await loadView(app, params.relayId)
      },
      {
        auth: rights,
        body: updateRelayBody,
        response: relayView,
        detail: extension(
          'updateRelay',
          'Change a relay, drain it, turn it off',
          `Holds for the next mail. Mail that is on its way goes on. ${whose}`,
          [403, 422],
        ),
      },
    )
    .delete(
      '/:relayId',
      async ({ params, caller }) => {
        await mustBeOperator(app, caller, 'not_found')
        await write(app, (tx) => deleteRelay(tx, params.relayId))
        await followRelays(app)
        return { success: true as const, message: 'Relay removed.' }
      },
      {
        auth: rights,
        response: successBody,
        detail: extension('deleteRelay', 'Remove a relay', `409 while a route names it. ${whose}`, [403, 409]),
      },
    )
    .post(
      '/:relayId/test',
      async ({ params, body, caller }) => {
        await mustBeOperator(app, caller, 'not_found')
        return await testRelay(app, caller.workspace, { relayId: params.relayId, to: body.to })
      },
      {
        auth: rights,
        body: testRelayBody,
        response: testRelayView,
        detail: extension(
          'testRelay',
          'Send a test mail through a relay',
          `At once, also through one that is off, and says what it answered. ${whose}`,
          [403, 422],
        ),
      },
    )
}

function pathRoutes(app: App) {
  return new Elysia({ prefix: '/v1/relay-routes' })
    .use(auth)
    .get(
      '',
      async ({ query, caller }) => {
        await mustBeOperator(app, caller)
        const { workspaceId = null } = query
        return toRoutesView(workspaceId, await listRoutes(app, workspaceId))
      },
      {
        auth: rights,
        query: routesQuery,
        response: routesView,
        detail: extension(
          'getRelayRoutes',
          'Fetch which mail takes which relays',
          `Those of the installation, or of a workspace with relays of its own. Empty: all of them share all mail, by their weights. ${whose}`,
          [403],
        ),
      },
    )
    .put(
      '',
      async ({ body, caller }) => {
        await mustBeOperator(app, caller)
        const { workspaceId = null } = body
        const routes = body.routes.map(
          ({ streams = null, domains = null, receivers = null, relays }): RouteSettings => {
            return { streams, domains, receivers, relays }
          },
        )
        const stored = await write(app, (tx) => setRoutes(tx, workspaceId, routes))
        await followRelays(app)
        return toRoutesView(workspaceId, stored)
      },
      {
        auth: rights,
        body: routesBody,
        response: routesView,
        detail: extension(
          'setRelayRoutes',
          'Say which mail takes which relays',
          `In place of what was said. The first route that fits a mail holds; what fits none is shared by all relays. ${whose}`,
          [403, 422],
        ),
      },
    )
}

async function allViews(app: App, caller: Caller) {
  await mustBeOperator(app, caller)
  const around = await loadAround(app)
  const { smtpUrl } = app.config
  const fixed = smtpUrl === undefined ? [] : [toFixedView(readRelayUrl(smtpUrl).address, around(null))]
  const others = await listRelays(app)
  const warmUps = await Promise.all(others.map((relay) => loadWarmUp(app, relay)))
  return [
    ...fixed,
    ...others.map((relay, n) => toRelayView(relay, { ...around(relay.id), warmUp: warmUps[n] ?? null })),
  ]
}

async function loadView(app: App, id: string) {
  const around = await loadAround(app)
  const relay = await getRelay(app, id)
  return toRelayView(relay, { ...around(id), warmUp: await loadWarmUp(app, relay) })
}

/** By relay: what is wrong with it, and how much it does. */
async function loadAround(app: App) {
  const faults = await listSendingFaults(app, app.clock.now())
  const ofRelays = faults.filter(({ scope, heldUntil }) => parseScope(scope).workspaceId === null && heldUntil !== null)
  return (id: string | null) => ({
    fault: ofRelays.find(({ scope }) => parseScope(scope).relayId === id),
    inFlight: app.mailer.inFlight(id),
  })
}
