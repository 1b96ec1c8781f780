// Commands that are made of the declarations of routes: there is one for each operation, its flags are what the operation takes, and its
// result is what the route answers.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { callNames } from '../src/core/http/nouns.ts'
import { loadCommands } from '../src/doors/cli/commands.ts'
import { type Json, testApp } from './support/app.ts'
import { type Cli, cli } from './support/cli.ts'
import { type Operation, operationsOf } from './support/openapi.ts'

let paquebot: Cli
beforeAll(async () => {
  paquebot = await cli()
  await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@acme.test'])
})
afterAll(() => paquebot[Symbol.dispose]())

/** `segment list`, with its flags, in the workspace. */
async function run(name: string, ...flags: string[]): Promise<{ code: number; out: string; err: string }> {
  return await paquebot.run([...name.split(' '), ...flags, '--workspace', 'acme'])
}

async function json(name: string, ...flags: string[]): Promise<Json> {
  const { code, out, err } = await run(name, ...flags, '--json')
  expect([code, err], name).toEqual([0, ''])
  return JSON.parse(out)
}

/** What asks about its own key, other addresses of the same, and what `template import` does as a part of it. */
const others = new Set([
  'importContent',
  'beginApprovals',
  'testApiKey',
  'createSubscriptionSourceAlias',
  'patchSubscriptionSource',
  'putSubscriptionSource',
  'removeSubscriptionSource',
  'putPaymentSettings',
])

/** What needs no person who is signed in, and takes no file. */
async function operations() {
  await using t = await testApp()
  const isCommand = ({ id, path, security, takesJson }: Operation) =>
    security.length > 0 && takesJson && !path.startsWith('/v1/auth/') && !others.has(id)
  return (await operationsOf(t)).filter(isCommand)
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

test('every operation is a command, which names what the operation takes', async () => {
  const commands = new Map((await loadCommands('help', 'api')).map((one) => [one.name, one]))
  // Those have a file of their own, with flags of their own.
  const own = new Set((await loadCommands('help', '')).map(({ name }) => name))
  const wanted = await operations()
  expect(wanted.length).toBeGreaterThan(150)
  const names = new Set<string>()
  for (const { id, path, parameters, bodySchema } of wanted) {
    const { command: name } = callNames(path, id)
    expect(names.has(name), `${name} twice`).toBe(false)
    names.add(name)
    const command = commands.get(name)
    expect(command, id).toBeDefined()
    if (own.has(name) || !command) continue
    const members = Object.keys(bodySchema?.properties ?? {})
    const given = parameters.filter((one) => one.in === 'path' || one.in === 'query')
    for (const member of [...given.map((one) => one.name), ...members])
      expect(Object.keys(command.flags), name).toContain(kebab(member))
    for (const one of given.filter((one) => one.in === 'path'))
      expect(command.flags[kebab(one.name)], name).toMatchObject({ operand: true, required: true })
  }
})

test('every list can be asked, and is the answer of its route', async () => {
  const own = new Set((await loadCommands('help', '')).map(({ name }) => name))
  const lists = (await operations()).filter(
    ({ method, path, parameters }) =>
      method === 'GET' && !path.includes('{') && parameters.some(({ name }) => name === 'cursor'),
  )
  expect(lists.length).toBeGreaterThan(15)
  for (const { id, path } of lists) {
    const { command: name } = callNames(path, id)
    if (own.has(name)) continue
    expect(await json(name), name).toMatchObject({ data: expect.any(Array), pagination: { perPage: 100 } })
  }
})

test('values of each kind: text, number, true or false, several, JSON, a file, and the rest of the body', async () => {
  const made = await json(
    'contact create',
    '--email',
    'grace@example.net',
    '--first-name',
    'Grace',
    '--subscribed',
    'true',
  )
  const got = await json('contact get', made.id)
  expect(got).toMatchObject({ email: 'grace@example.net', firstName: 'Grace', subscribed: true })
  const file = join(paquebot.directory, 'contact.json')
  await Bun.write(file, JSON.stringify({ plan: 'pro', lastName: 'Hopper', firstName: 'Not this' }))
  await json('contact change', made.id, '--body', `@${file}`, '--first-name', 'Grace')
  expect(await json('contact get', made.id)).toMatchObject({ firstName: 'Grace', lastName: 'Hopper' })
  const filter = JSON.stringify({ field: 'plan', op: 'eq', value: 'pro' })
  expect(await json('segment preview', '--filter', filter)).toMatchObject({ contacts: 1, exact: true })
  const { id } = await json('segment create', '--name', 'Pro', '--filter', filter)
  expect((await run('segment list')).out).toMatch(new RegExp(`^${id}  Pro  building\\b`))
  expect((await run('segment list-contacts', id)).out).toContain('grace@example.net')
  await json('webhook create', '--url', 'https://hooks.example.com/paquebot')
  const { data } = await json('webhook list')
  const changed = ['--event-filters', 'contact.created', '--event-filters', 'contact.*', '--max-per-second', '7']
  expect(await json('webhook update', data[0].id, ...changed)).toMatchObject({
    eventFilters: ['contact.created', 'contact.*'],
    maxPerSecond: 7,
  })
  const csv = join(paquebot.directory, 'contacts.csv')
  expect(await json('contact export-csv', '--to', csv)).toMatchObject({ file: csv })
  expect(await Bun.file(csv).text()).toContain('grace@example.net')
  expect((await run('contact export-csv')).out).toContain('grace@example.net')
})

test('a list that has more says how to go on', async () => {
  const emails = Array.from({ length: 3 }, (_, at) => ['--emails', `no${at}@example.net`]).flat()
  await json('suppression add-many', ...emails)
  const first = (await run('suppression list', '--per-page', '2')).out.trim().split('\n')
  expect(first).toHaveLength(3)
  const [flag = '', cursor = ''] = first.at(-1)?.split(' ') ?? []
  expect(flag).toBe('--cursor')
  expect((await run('suppression list', '--per-page', '2', '--cursor', cursor)).out.trim().split('\n')).toHaveLength(1)
})

test.each([
  [['segment', 'get'], 2, 'needs SEGMENT_ID'],
  [['segment', 'get', 'seg_none'], 1, 'there is no such segment'],
  [['segment', 'preview', '--filter', '{'], 2, '--filter is not JSON'],
  [['segment', 'preview', '--filter', '@/nowhere'], 2, '--filter: /nowhere cannot be read'],
  [['segment', 'preview', '--filtre', '{}'], 2, 'did you mean --filter?'],
  [['segment', 'create', '--filter', '{"list":"x"}'], 1, 'name'],
  [['contact', 'create', '--email', 'a@b.example', '--subscribed', 'perhaps'], 2, '--subscribed must be true or false'],
  [['webhook', 'update', 'whe_x', '--max-per-second', 'many'], 2, '--max-per-second is not a number'],
  [['segment', 'create', '--body', '[]', '--name', 'x'], 2, '--body is not an object'],
  [['segment', 'prewiev'], 2, 'did you mean "segment preview"?'],
])('%p is refused', async (args, code, said) => {
  const { code: ended, err } = await paquebot.run([...args, '--workspace', 'acme'])
  expect([ended, err]).toEqual([code, expect.stringContaining(said)])
})
