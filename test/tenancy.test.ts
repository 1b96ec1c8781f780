// What belongs to another workspace is not there, on every route that the OpenAPI document lists. A new route is in these tests as soon as
// it is in the document; one that they do not know how to call fails them.

import { describe, expect, test } from 'bun:test'
import { putInstallationValue } from '../db/installation-value.ts'
import { write } from '../src/core/app.ts'
import { type Json, type RequestOptions, testApp } from './support/app.ts'
import { ranOnFile } from './support/database.ts'
import { before, content, inTurns, known, strangerOf, type Things, thingsOf } from './support/every-route.ts'
import { allOperations, type Operation, operationsOf } from './support/listed-operations.ts'

/** Not the id of anything. */
const plainParameters: Record<string, string> = { locale: 'en', number: '1', starterId: 'welcome' }
/** Of a template, which a test workspace has from its own. */
const isOfTemplate = /^(id|slug|templateId|transactionalId|\w*[rR]evisionId)$/
/** A number is nothing that could be told, nor is what everybody has. */
const untold = { capturedId: 1, starterId: 1 }
const idLike = /^(id|slug)$|(Id|Ids|Slug)$/
const bodies: Record<string, object | ((ids: Things['ids']) => object)> = {
  'PATCH /v1/members/{userId}': { role: 'viewer' },
  'PATCH /v1/auth/passkeys/{passkeyId}': { name: 'Stolen' },
  'PUT /v1/transactional/update': { name: 'Stolen' },
  'POST /v1/transactional/delete': {},
  'PUT /v1/transactional/{templateId}/content/{locale}': { content },
  'POST /v1/transactional/send': { email: 'eve@example.net' },
  'POST /v1/messages/{messageId}/cancel': {},
  'POST /v1/messages/{messageId}/reschedule': { scheduledAt: '2026-12-01T00:00:00Z' },
  'POST /v1/messages/{messageId}/resend': {},
  'PATCH /v1/contacts/{contactId}': { firstName: 'Stolen' },
  'POST /v1/contacts/{contactId}/consent': { subscribed: false, statement: 'Stolen' },
  'PATCH /v1/mailing-lists/{listId}': { name: 'Stolen' },
  'PATCH /v1/blocks/{blockId}': { name: 'Stolen' },
  'PUT /v1/blocks/{blockId}/content/{locale}': { content: [{ type: 'text', text: 'Stolen' }] },
  'PATCH /v1/segments/{segmentId}': { name: 'Stolen' },
  'PATCH /v1/webhook-endpoints/{endpointId}': { description: 'Stolen' },
  'POST /v1/webhook-endpoints/{endpointId}/signing-secret': {},
  'POST /v1/webhook-endpoints/{endpointId}/replay': {},
  'PUT /v1/subscription-sources/update': { name: 'Stolen' },
  'PATCH /v1/subscription-sources/{sourceId}': { name: 'Stolen' },
  'PUT /v1/subscription-sources/{sourceId}': { name: 'Stolen' },
  'POST /v1/subscription-sources/delete': {},
  'PATCH /v1/mailboxes/{mailboxId}': { name: 'Stolen' },
  'PATCH /v1/media/{mediaId}': { name: 'Stolen' },
  'PATCH /v1/mailboxes/{mailboxId}/messages/{messageId}': { read: true },
  'POST /v1/mailboxes/{mailboxId}/messages/{messageId}/reply': { text: 'A' },
  'POST /v1/mailboxes/{mailboxId}/labels': (ids) => ({ messageIds: [ids['receivedId']], add: ['Stolen'] }),
  'POST /v1/mailboxes/{mailboxId}/tokens': {},
  'POST /v1/contact-subscriptions/opt-in': { email: 'eve@example.net' },
  'POST /v1/contact-subscriptions/resend-confirmation': { email: 'eve@example.net' },
  'POST /v1/contact-subscriptions/cancel-held': { network: '203.0.113.0/24' },
  'POST /v1/contacts/create': { email: 'eve@example.net' },
  'PUT /v1/contacts/update': { email: 'eve@example.net' },
  'POST /v1/contacts/delete': {},
  'DELETE /v1/contacts/suppression': {},
  'POST /v1/events/send': {},
  'POST /v1/event-rules': {},
  'PATCH /v1/event-rules/{ruleId}': { name: 'Stolen' },
  'POST /v1/event-rules/{ruleId}/try': ({ eventId }) => ({ eventId }),
  'PATCH /v1/sequences/{sequenceId}': { name: 'Stolen' },
  'POST /v1/sequences/{sequenceId}/moves': {},
  'POST /v1/sequences/{sequenceId}/publish': ({ sequenceHash }) => ({ contentHash: sequenceHash }),
  'POST /v1/sequences/{sequenceId}/enrol': { emails: ['owner@acme.test'] },
  'POST /v1/sequences/{sequenceId}/rehearse': ({ enrolled }) => ({ emails: [enrolled] }),
  'POST /v1/sequences/{sequenceId}/steps/{stepId}/winner': { variant: 'A' },
  'POST /v1/jobs/retry': {},
  'POST /v1/jobs/cancel': {},
  'POST /v1/jobs/resolve': {},
  'POST /v1/test/clock': { advance: '1d' },
  'POST /v1/jobs/{jobId}/resolve': { verdict: 'done' },
  'POST /v1/campaigns': { name: 'Stolen', subject: 'Stolen' },
  'PATCH /v1/campaigns/{campaignId}': { name: 'Stolen' },
  'POST /v1/recurring-campaigns': {
    name: 'Stolen',
    subject: 'Stolen',
    content,
    schedule: { every: 'day', at: '09:00' },
  },
  'PATCH /v1/recurring-campaigns/{recurringCampaignId}': { name: 'Stolen' },
  'POST /v1/recurring-campaigns/{recurringCampaignId}/preview': {},
  'PUT /v1/campaigns/{campaignId}/content/{locale}': { content },
  'POST /v1/transactional/{templateId}/preview': {},
  'POST /v1/transactional/{templateId}/test': { emails: ['owner@acme.test'] },
  'POST /v1/transactional/{templateId}/revisions/{revisionId}/diff': { content },
  'POST /v1/transactional/{templateId}/revisions/{revisionId}/restore': {},
  'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/diff': { content },
  'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/restore': {},
  'POST /v1/blocks/{blockId}/revisions/{revisionId}/diff': { content },
  'POST /v1/blocks/{blockId}/revisions/{revisionId}/restore': {},
  'POST /v1/campaigns/{campaignId}/preview': {},
  'POST /v1/campaigns/{campaignId}/rehearse': {},
  'POST /v1/campaigns/{campaignId}/test': { emails: ['owner@acme.test'] },
  'POST /v1/campaigns/{campaignId}/approve': ({ contentHash }) => ({ contentHash }),
  'PATCH /v1/approvals/{approvalId}': ({ approvalHash }) => ({ contentHash: approvalHash, text: 'Stolen' }),
  'POST /v1/approvals/options': ({ approvalId, approvalHash }) => ({
    approvals: [{ id: approvalId, contentHash: approvalHash }],
  }),
  'POST /v1/approvals/approve': ({ approvalId, approvalHash }) => ({
    approvals: [{ id: approvalId, contentHash: approvalHash }],
  }),
  'POST /v1/approvals/refuse': ({ approvalId, approvalHash }) => ({
    approvals: [{ id: approvalId, contentHash: approvalHash }],
  }),
  'POST /v1/campaigns/{campaignId}/send': {},
  'PATCH /v1/relays/{relayId}': { name: 'Stolen' },
  'PATCH /v1/workspaces/{workspaceId}': { name: 'Stolen' },
  'POST /v1/workspaces/{workspaceId}/api-keys': { name: 'Stolen' },
  'DELETE /v1/workspaces/{workspaceId}': ({ tenantSlug }) => ({ confirm: tenantSlug }),
  'POST /v1/workspaces/{workspaceId}/suspend': { reason: 'Stolen' },
  'POST /v1/workspaces/{workspaceId}/export': {},
  'POST /v1/relays/{relayId}/test': { to: 'ada@example.net' },
  'POST /v1/campaigns/{campaignId}/winner': { variant: 'A' },
  'POST /v1/campaigns/{campaignId}/schedule': { scheduledAt: '2026-03-01T12:00:00Z' },
}

/** Id-like fields that are no reference to what exists, or are refused otherwise; each with its own test below. */
const exceptions: Record<string, string> = {
  'POST /v1/transactional/create id': 'the caller chooses it',
  'POST /v1/transactional/create slug': 'the caller chooses it',
  'POST /v1/workspaces slug': 'the caller chooses it',
  'POST /v1/template-starters/{starterId}/use id': 'the caller chooses it',
  'PUT /v1/transactional/update expectedRevisionId': 'a condition on the template that id names',
  'PUT /v1/transactional/{templateId}/content/{locale} expectedRevisionId': 'a condition on the template of the path',
  'PUT /v1/blocks/{blockId}/content/{locale} expectedRevisionId': 'a condition on the block of the path',
  'PUT /v1/campaigns/{campaignId}/content/{locale} expectedRevisionId': 'a condition on the campaign of the path',
  'POST /v1/transactional/{templateId}/revisions/{revisionId}/restore expectedRevisionId':
    'a condition on the template of the path',
  'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/restore expectedRevisionId':
    'a condition on the campaign of the path',
  'POST /v1/blocks/{blockId}/revisions/{revisionId}/restore expectedRevisionId': 'a condition on the block of the path',
  'POST /v1/contact-subscriptions/resend-confirmation sourceId': 'always 202, whether there is one or not',
  'POST /v1/contact-subscriptions/resend-confirmation mailingListId': 'always 202, whether there is one or not',
  'POST /v1/mailboxes/{mailboxId}/labels messageIds': 'looked for in the mailbox of the path',
  'POST /v1/transactional/send userId': 'a wrong recipient is 422, whoever it would have been',
  ...Object.fromEntries(
    ['POST /v1/subscription-sources/create', 'POST /v1/subscription-sources', 'PUT /v1/subscription-sources/update']
      .concat('PATCH /v1/subscription-sources/{sourceId}', 'PUT /v1/subscription-sources/{sourceId}')
      .flatMap((route) => [
        [`${route} mailingListIds`, 'an unknown list is 422, whoever has one of that id'],
        [`${route} confirmationTemplateId`, 'an unknown template is 422, whoever has one of that slug'],
      ]),
  ),
  'PATCH /v1/subscription-sources/{sourceId} id': 'the path names the source',
  'PUT /v1/subscription-sources/{sourceId} id': 'the path names the source',
  'POST /v1/contact-subscriptions/opt-in userId': 'the caller chooses it',
  'POST /v1/contact-subscriptions/opt-in mailingListIds': 'an unknown list is 422, whoever has one of that id',
  'POST /v1/contacts/create userId': 'the caller chooses it',
  'PATCH /v1/contacts/{contactId} userId': 'the caller chooses it',
  'PUT /v1/contacts/update userId': 'the caller chooses it: an unknown one makes a contact',
  'DELETE /v1/contacts/suppression userId': 'A’s contact is not suppressed; its address is tried below',
  'POST /v1/events/send userId': 'names a contact of the caller’s own, or a new one (events.test.ts)',
  'POST /v1/events/send eventId': 'the caller chooses it',
  'POST /v1/event-rules templateId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'POST /v1/event-rules mailingListId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'PATCH /v1/event-rules/{ruleId} templateId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'PATCH /v1/event-rules/{ruleId} mailingListId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'POST /v1/sequences/{sequenceId}/enrol segmentId': 'an unknown segment is 422, whoever has one of that id',
  'POST /v1/jobs/retry jobIds': 'told one by one (jobs.test.ts)',
  'POST /v1/jobs/cancel jobIds': 'told one by one (jobs.test.ts)',
  'POST /v1/jobs/resolve jobIds': 'told one by one (jobs.test.ts)',
  'POST /v1/campaigns mailingListId': 'a wrong list is 422, whoever has it',
  'POST /v1/campaigns segmentId': 'an unknown segment is 422, whoever has one of that id',
  'PATCH /v1/campaigns/{campaignId} segmentId': 'an unknown segment is 422, whoever has one of that id',
  'POST /v1/campaigns templateId': 'a slug is free for everybody; an unknown one is 422',
  'PATCH /v1/campaigns/{campaignId} mailingListId': 'a wrong list is 422, whoever has it',
  'PATCH /v1/campaigns/{campaignId} templateId': 'a slug is free for everybody; an unknown one is 422',
  ...Object.fromEntries(
    ['POST /v1/relays', 'PATCH /v1/relays/{relayId}', 'GET /v1/relay-routes', 'PUT /v1/relay-routes'].map((route) => [
      `${route} workspaceId`,
      'of the operator, who names any workspace; refused to all others',
    ]),
  ),
  'GET /v1/receivers relayId': 'refused to all but the operator',
  'POST /v1/receivers/resume relayId': 'refused to all but the operator',
  ...Object.fromEntries(
    ['POST /v1/recurring-campaigns', 'PATCH /v1/recurring-campaigns/{recurringCampaignId}'].flatMap((route) => [
      [`${route} mailingListId`, 'a wrong list is 422, whoever has it'],
      [`${route} segmentId`, 'an unknown segment is 422, whoever has one of that id'],
      [`${route} templateId`, 'a slug is free for everybody; an unknown one is 422'],
    ]),
  ),
}

interface Attempt {
  what: string
  operation: Operation
  request(things: Things): { path: string; body: unknown }
}

function attemptsOn(operation: Operation): Attempt[] {
  const { route, path, parameters, fields, hasBody } = operation
  // What it takes is a credential itself, and belongs to nobody else.
  if (route === 'POST /v1/inbound/{token}') return []
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const references = inPath.filter((name) => !Object.hasOwn(plainParameters, name))
  const members = fields.filter((name) => idLike.test(name) && !Object.hasOwn(exceptions, `${route} ${name}`))
  if (references.length + members.length === 0) return []
  const rest = bodies[route]
  if (hasBody && !rest) throw new Error(`${route} takes ids: say in "bodies" what else a request needs`)
  const address = ({ ids }: Things) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => plainParameters[name] ?? known(ids, name, route))
  const restOf = ({ ids }: Things) => (typeof rest === 'function' ? rest(ids) : rest)
  const attempts = members.map(
    (name): Attempt => ({
      what: `${route} with ${name}`,
      operation,
      request: (things) => ({
        path: address(things),
        body: { ...restOf(things), [name]: known(things.ids, name, route) },
      }),
    }),
  )
  if (references.length === 0) return attempts
  return [
    { what: route, operation, request: (things) => ({ path: address(things), body: restOf(things) }) },
    ...attempts,
  ]
}

describe('between workspaces', () => {
  test.skipIf(ranOnFile)(
    'an id of A is 404 for B on every route that takes one, and nothing changes',
    async () => {
      // Open ones have no workspace of the caller's: what stands in the path is their credential.
      const attempts = (await allOperations()).filter(({ open }) => !open).flatMap(attemptsOn)
      expect(attempts.length).toBeGreaterThan(8)
      await inTurns(attempts, async (t, { byKey, bySession }, { what, operation, request }, given) => {
        const prepare = before[operation.route]
        const things = prepare ? await thingsOf(t) : given
        await prepare?.(t, things)
        const { path, body } = request(things)
        const asked: [who: string, path: string, options: RequestOptions][] = [
          ...(operation.scope === null
            ? []
            : [['key', path, byKey] as const, ['key by the alias', `/api${path}`, byKey] as const]),
          ...(operation.session ? [['session', path, bySession] as const] : []),
        ].map(([who, path, options]) => [who, path, options])
        expect(asked.length, what).toBeGreaterThan(0)
        for (const [who, at, options] of asked) {
          const reply = await t.unchanged(() => t.request(operation.method, at, body, options))
          expect([reply.status, reply.body.code], `${what}, ${who} of B`).toEqual([404, 'not_found'])
        }
        // The very same request is good for A: nothing else was wrong with it.
        const own = await t.request(operation.method, path, body, { as: operation.scope === null ? 'session' : 'key' })
        return own.status < 300 ? '' : `${what}, key of A: ${own.text}`
      })
    },
    240_000,
  )

  test('what is no reference: a slug of A is free for B, its revision is no condition, its userId is nobody', async () => {
    await using t = await testApp()
    const { byKey } = await strangerOf(t)
    const { ids } = await thingsOf(t)
    const mine = await t.get(`/v1/transactional/${ids.id}`, 200)
    for (const [name, slug] of [
      ['id', ids.id],
      ['slug', (await thingsOf(t)).ids.id],
    ] as const) {
      await t.post('/v1/transactional/create', { name: 'T', subject: 'T', content, [name]: slug }, 201, byKey)
    }
    expect(await t.get(`/v1/transactional/${ids.id}`, 200)).toEqual(mine)
    const expectedRevisionId = ids.expectedRevisionId
    const update = { id: ids.id, name: 'x', expectedRevisionId }
    await t.unchanged(() => t.put('/v1/transactional/update', update, 409, byKey))
    const put = { content, expectedRevisionId }
    await t.unchanged(() => t.put(`/v1/transactional/${ids.id}/content/en`, put, 409, byKey))
    const send = { templateId: ids.id, userId: ids.userId }
    const refused = await t.unchanged(() => t.post('/v1/transactional/send', send, 422, byKey))
    expect(refused.errors).toMatchObject([{ path: 'userId' }])
    await t.post('/v1/transactional/send', send, 200)
  })

  test('lists hold nothing of A, and its cursors are not B’s', async () => {
    await using t = await testApp()
    const { byKey, bySession, workspace } = await strangerOf(t)
    const things = await thingsOf(t)
    await thingsOf(t)
    await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    const held = JSON.stringify({ because: 'older', since: t.clock.now(), servedUntil: null })
    await write(t.app, (tx) => putInstallationValue(tx, 'held', held))
    // A number is nothing that could be told.
    const { capturedId: _, ...ids } = things.ids
    const own = Object.entries(ids).flatMap(([name, id]) => (name === 'starterId' ? [] : [id]))
    const secrets = [...own, t.workspace.id, t.user.id, t.user.email, 'mine.example', 'ada@example.net']
    const reads = (await operationsOf(t)).filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    let pages = 0
    for (const { route, path, parameters, scope, session } of reads) {
      for (const options of [...(scope === null ? [] : [byKey]), ...(session ? [bySession] : [])]) {
        const { text } = await t.request('GET', path, undefined, options)
        for (const secret of secrets) expect(text, `${route} tells ${secret}`).not.toContain(secret)
      }
      if (!parameters.some(({ name }) => name === 'cursor')) continue
      pages++
      const [mine, theirs]: RequestOptions[] = scope === null ? [{ as: 'session' }, bySession] : [{}, byKey]
      const { pagination } = await t.get(`${path}?perPage=1`, 200, mine)
      expect(pagination.nextCursor, route).toBeString()
      await t.get(`${path}?perPage=1&cursor=${pagination.nextCursor}`, 400, theirs)
    }
    expect(pages).toBeGreaterThan(1)
    expect((await t.get('/v1/workspace', 200, byKey)).id).toBe(workspace.id)
  })

  test.skipIf(ranOnFile)('a test key reads nothing of its workspace but the templates', async () => {
    await using t = await testApp()
    const { ids, email, suppressed } = await thingsOf(t)
    await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    const { apiKey } = await t.post('/v1/api-keys', { name: 'CI', test: true }, 201)
    const real = [
      ...Object.entries(ids).flatMap(([name, id]) => (isOfTemplate.test(name) || name in untold ? [] : [id])),
      ...[email, suppressed, 'member', 'invited', t.workspace.id, t.user.id, t.user.email, 'mine.example'],
      ...(await t.get('/v1/members', 200)).data.map(({ email }: Json) => email),
      ...(await t.get('/v1/api-keys', 200)).data.flatMap(({ id, test }: Json) => (test ? [] : [id])),
      ...(await t.get('/v1/audit', 200, { as: 'session' })).data.map(({ id }: Json) => id),
      (await t.get('/v1/settings/integrations/payments', 200, { as: 'session' })).webhook_url,
    ]
    const reads = (await operationsOf(t)).filter(({ method, open }) => method === 'GET' && !open)
    let answered = 0
    for (const { route, path, scope } of reads) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => plainParameters[name] ?? known(ids, name, route))
      const { status, text } = await t.request('GET', address, undefined, { as: { apiKey } })
      if (scope === null) expect(status, route).toBe(401)
      else if (address !== path && !/^\/v1\/(transactional|template-starters)/.test(path))
        expect([403, 404], route).toContain(status)
      for (const one of real) if (!address.includes(one)) expect(text, `${route} tells ${one}`).not.toContain(one)
      answered += Number(status === 200)
    }
    expect(answered).toBeGreaterThan(25)
  })

  test.skipIf(ranOnFile)('a session of B cannot name the workspace of A, on any route', async () => {
    await using t = await testApp()
    const { bySession } = await strangerOf(t)
    const headers = { ...bySession.headers, 'x-workspace-id': t.workspace.id }
    const routes = (await operationsOf(t)).filter(({ session }) => session)
    expect(routes.length).toBeGreaterThan(5)
    for (const { route, method, path } of routes) {
      const body = method === 'GET' ? undefined : {}
      const reply = await t.unchanged(() => t.request(method, path, body, { as: 'nobody', headers }))
      expect(reply.status, route).toBe(404)
    }
  })
})
