// Who gets in where, as the OpenAPI document says it and no other way: every route as each role, as keys of each scope, as an agent's
// mailbox token, as a full key of each role, as a member of another workspace, and as nobody. docs/access.md is made here.

import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { members } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { leastRole, mayAct, type Role, roles } from '../src/people/access/roles.ts'
import { covers, type Scope, scopes } from '../src/people/access/scopes.ts'
import { type Reply, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { testMailbox } from './support/mailbox.ts'
import { type Operation, operationsOf, pathWith } from './support/openapi.ts'

/** What the document says of a route. */
interface Rule {
  operation: Operation
  /** Null: no key opens it; `any`: each does. */
  scope: Scope | 'any' | null
  /** The least role; null: no session opens it. */
  role: Role | null
}

function ruleOf(operation: Operation): Rule {
  const key = operation.security.find((scheme) => 'apiKey' in scheme)
  const takesSession = operation.security.some((scheme) => 'session' in scheme)
  const scope = key ? ((key['apiKey']?.[0] ?? 'any') as Scope | 'any') : null
  if (takesSession) expect<(Role | null)[]>([...roles], operation.id).toContain(operation.role)
  return { operation, scope, role: takesSession ? operation.role : null }
}

/** Somebody who asks, and what the document lets us expect: `in`, or a refusal. */
interface Visitor {
  name: string
  options: RequestOptions
  expected(rule: Rule): 'in' | 401 | 403 | 404
}

const byKey = (apiKey: string): RequestOptions => ({ as: { apiKey } })

const keyOf = (t: TestApp, granted: Scope[]) =>
  write(t.app, async (tx) => (await createApiKey(tx, t.workspace.id, { scopes: granted })).apiKey)

async function sessionOf(t: TestApp, role: Role, name: string, workspace = t.workspace): Promise<RequestOptions> {
  const { as } = await t.person(role, { email: `${name}@access.test`, workspace })
  return { ...as, headers: { ...as.headers, 'x-workspace-id': t.workspace.id } }
}

/** Those who are asked once for all routes. */
async function visitorsOf(t: TestApp): Promise<Visitor[]> {
  const { workspace } = await t.stranger()
  const stranger = await sessionOf(t, 'owner', 'stranger', workspace)
  const { token } = await testMailbox(t)
  return [
    { name: 'nobody', options: { as: 'nobody' }, expected: () => 401 },
    { name: 'a mailbox token', options: byKey(token), expected: () => 403 },
    {
      name: 'a member of another workspace',
      options: stranger,
      expected: ({ role }) => (role === null ? 401 : 404),
    },
  ]
}

/** One of each role. */
async function peopleOf(t: TestApp, name: string): Promise<Visitor[]> {
  return await Promise.all(
    roles.map(async (granted): Promise<Visitor> => {
      const options = await sessionOf(t, granted, `${granted}-${name}`)
      const expected = ({ role }: Rule) => (role === null ? 401 : mayAct(granted, role) ? 'in' : 403)
      return { name: granted, options, expected }
    }),
  )
}

/** Keys with everything, as far as the role of whoever made them goes. The viewer's was made when they were a member. */
async function boundKeys(t: TestApp): Promise<Visitor[]> {
  const visitors: Visitor[] = []
  for (const granted of roles) {
    const maker = await sessionOf(t, granted === 'viewer' ? 'member' : granted, `maker-${granted}`)
    const { apiKey } = await t.post('/v1/api-keys', {}, 201, maker)
    // A key that it makes goes no further.
    const { apiKey: second } = await t.post('/v1/api-keys', {}, 201, byKey(apiKey))
    const { madeBy } = (await t.get('/v1/api-keys', 200)).data[0]
    await write(t.app, (tx) => tx.db.update(members).set({ role: granted }).where(eq(members.userId, madeBy.userId)))
    const expected = ({ scope, role, operation: { method } }: Rule) =>
      scope === null ? 401 : mayAct(granted, role ?? leastRole(method)) ? 'in' : 403
    visitors.push({ name: `a full key of a ${granted}`, options: byKey(second), expected })
  }
  return visitors
}

/** A key with everything, one with nothing but the scope of the route, and one with all but it. */
function holdersOf({ scope }: Rule, keys: Map<string, string>): Visitor[] {
  const granted = [['full'], [scope ?? 'mcp'], scopes.filter((one) => one !== 'full' && one !== scope)]
  return granted.map((some): Visitor => {
    const own = some.filter((one): one is Scope => one !== 'any')
    const expected = ({ scope }: Rule) => (scope === null ? 401 : scope === 'any' || covers(own, scope) ? 'in' : 403)
    const name = `a key with ${some.length > 1 ? 'all the rest' : some}`
    return { name, options: byKey(keys.get(own.join()) ?? ''), expected }
  })
}

/** A key for each set of scopes that is asked with. */
async function keysOf(t: TestApp): Promise<Map<string, string>> {
  const sets: Scope[][] = scopes.flatMap((scope) => [[scope], scopes.filter((one) => one !== 'full' && one !== scope)])
  const all = [...sets, scopes.filter((one) => one !== 'full'), []]
  return new Map(
    await Promise.all(all.map(async (own) => [own.join(), await keyOf(t, own.length ? own : ['mcp'])] as const)),
  )
}

function outcomeOf({ status, body }: Reply): 'in' | number {
  const refusals = ['insufficient_scope', 'insufficient_role', 'forbidden']
  return status === 401 || (status === 403 && refusals.includes(body.code)) ? status : 'in'
}

async function ask(t: TestApp, { operation }: Rule, { options }: Visitor): Promise<Reply> {
  const { method, path } = operation
  const body = method === 'GET' ? undefined : { wrong: 1 }
  return await t.request(method, pathWith(path, {}), body, options)
}

describe('access', () => {
  let rules: Rule[]
  beforeAll(async () => {
    await using t = await testApp()
    rules = (await operationsOf(t)).filter(({ security }) => security.length > 0).map(ruleOf)
  })

  test('whoever may not is refused, as the document says, and nothing changes', async () => {
    await using t = await testApp()
    const general = [...(await visitorsOf(t)), ...(await boundKeys(t))]
    const [keys, people] = [await keysOf(t), await peopleOf(t, 'all')]
    const visitorsTo = async (rule: Rule) => {
      // Some of these end the session that asks.
      const { id, path } = rule.operation
      const own = path.startsWith('/v1/auth/') ? await peopleOf(t, id) : people
      return [...general, ...own, ...holdersOf(rule, keys)]
    }
    const asked = await Promise.all(rules.map(async (rule) => ({ rule, visitors: await visitorsTo(rule) })))
    const wrong: string[] = []
    const walk = async (admitted: boolean) => {
      let requests = 0
      for (const { rule, visitors } of asked)
        await Promise.all(
          visitors
            .filter((one) => (one.expected(rule) === 'in') === admitted)
            .map(async (one) => {
              requests++
              const [reply, expected] = [await ask(t, rule, one), one.expected(rule)]
              const isRight = expected === 404 ? reply.status === 404 : outcomeOf(reply) === expected
              if (!isRight)
                wrong.push(`${rule.operation.id} as ${one.name}: ${reply.status} ${reply.body.code}, not ${expected}`)
            }),
        )
      return requests
    }
    expect(await t.unchanged(() => walk(false))).toBeGreaterThan(rules.length)
    expect(await walk(true)).toBeGreaterThan(rules.length)
    expect(wrong).toEqual([])
  })

  const file = join(import.meta.dir, '../docs/access.md')
  const begin = '<!-- from the OpenAPI document: UPDATE_DOCS=1 bun test test/access.test.ts -->\n'

  test('docs/access.md has a row for each route', async () => {
    const yes = (role: Role | null) => roles.map((one) => (role !== null && mayAct(one, role) ? 'yes' : '')).join(' | ')
    const rows = rules.map(({ operation: { method, path }, scope, role }) => {
      const key = scope === null ? '' : scope === 'any' ? 'any' : `\`${scope}\``
      return `| \`${method} ${path}\` | ${yes(role)} | ${key} |`
    })
    const table = `| route | viewer | member | owner | key with |\n|---|---|---|---|---|\n${rows.sort().join('\n')}\n`
    const before = await Bun.file(file).text()
    const written = before.slice(0, before.indexOf(begin) + begin.length) + table
    if (process.env['UPDATE_DOCS']) await Bun.write(file, written)
    expect(await Bun.file(file).text(), 'UPDATE_DOCS=1 bun test test/access.test.ts writes it anew').toBe(written)
  })
})
