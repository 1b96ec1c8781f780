import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tags as groupList } from '../src/core/http/nouns.ts'
import { buildServer } from '../src/doors/server.ts'
import { isOneLine, oneLinePattern } from '../src/kit/text.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { type Json, type Reply, type TestApp, testApp } from './support/app.ts'
import { operationsOf, pathWith, sampleOf } from './support/openapi.ts'

const octets = { headers: { 'content-type': 'application/octet-stream' } }
const groups: string[] = groupList.map(({ name }) => name).filter((name) => name !== 'Extensions')
const methods = ['get', 'put', 'post', 'patch', 'delete']

interface Operation {
  requestBody?: { content: Record<string, { example?: unknown }> }
  description?: string
  parameters?: { name: string; description?: string }[]
  'x-extension'?: true
  operationId?: string
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  responses: Record<string, { $ref?: string; description?: string }>
}

async function operations(): Promise<[string, Operation][]> {
  await using t = await testApp()
  const { paths } = await t.get('/openapi.json', 200, { as: 'nobody' })
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    methods.flatMap((method): [string, Operation][] => {
      const operation = item[method]
      return operation ? [[`${method.toUpperCase()} ${path}`, operation]] : []
    }),
  )
}

test('the document passes the linter without an error or a warning', async () => {
  await using t = await testApp({ environment: { BASE_URL: 'https://mail.acme.test' } })
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-openapi-'))
  try {
    const file = join(directory, 'openapi.json')
    await Bun.write(file, JSON.stringify(await t.get('/openapi.json', 200, { as: 'nobody' })))
    const linter = join(import.meta.dir, '../node_modules/@redocly/cli/bin/cli.js')
    const run = Bun.spawn(['node', linter, 'lint', file, '--format=json'], {
      cwd: directory,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const report = JSON.parse(await new Response(run.stdout).text())
    const problems = report.problems.map(
      (one: { severity: string; ruleId: string; message: string; location: { pointer?: string }[] }) =>
        `${one.severity} ${one.ruleId} ${one.location[0]?.pointer}: ${one.message}`,
    )
    expect(problems).toEqual([])
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('every route is in the document, with a name, a summary, words, an example, a group and its errors', async () => {
  const described = await operations()
  const names = described.map(([, { operationId }]) => operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const [
    route,
    {
      operationId,
      summary,
      description,
      parameters,
      tags,
      security,
      responses,
      requestBody,
      'x-extension': isExtension,
    },
  ] of described) {
    expect(operationId, route).toMatch(/^[a-z][A-Za-z0-9]+$/)
    expect(summary, route).toBeTruthy()
    const [group = '', ...marks] = tags ?? []
    expect(groups, route).toContain(group)
    expect(marks, route).toEqual(isExtension ? ['Extensions'] : [])
    // Its own words, before those about the credential.
    const [own = ''] = (description ?? '').split('\n\n')
    expect(own, route).toMatch(/^[A-Z`0-9][\s\S]{15,}[.!]$/)
    expect(own.replace(/\.$/, ''), route).not.toBe(summary ?? '')
    for (const parameter of parameters ?? []) {
      expect('$ref' in parameter || Boolean(parameter.description), `${route} ${parameter.name}`).toBe(true)
    }
    const content = requestBody?.content['application/json']
    if (content) expect(content.example, route).toBeDefined()
    expect(Object.keys(requestBody?.content ?? {}), route).not.toContain('application/x-www-form-urlencoded')
    expect(security, `${route} says which credential it takes`).toBeDefined()
    expect(
      Object.keys(responses).some((status) => status.startsWith('2')),
      route,
    ).toBe(true)
    if (security?.length) expect(responses['401'], route).toEqual({ $ref: '#/components/responses/Unauthorized' })
  }
  await using t = await testApp()
  const { server } = buildServer(t.app, noVitals)
  const served = server.routes
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(
    described
      .map(([route]) => route)
      .filter((route) => route.includes(' /v1/'))
      .sort(),
  ).toEqual(served.sort())
})

test('the reference page needs nothing from elsewhere', async () => {
  await using t = await testApp()
  const nobody = { as: 'nobody' } as const
  const { text, headers } = await t.request('GET', '/docs/reference', undefined, nobody)
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
  expect(files).toHaveLength(7)
  for (const file of files) {
    expect(file).toMatch(/^\/(docs(\/|$)|dashboard$|favicon\.svg$)/)
    if (file === '/dashboard') continue
    const reply = await t.request('GET', file, undefined, nobody)
    expect(reply.status, file).toBe(200)
    expect(reply.text.length, file).toBeGreaterThan(50)
  }
})

test('of which names one must be given, the document says, and each route asks for just that', async () => {
  await using t = await testApp()
  const { components } = await t.get('/openapi.json', 200, { as: 'nobody' })
  const naming = (await operationsOf(t)).filter(({ bodySchema }) => bodySchema?.allOf !== undefined)
  const groupsOf = ({ bodySchema }: (typeof naming)[number]): string[][] =>
    bodySchema.allOf.map(({ anyOf }: Json) => anyOf.map(({ required }: Json) => required[0]))
  expect(Object.fromEntries(naming.map((one) => [one.id, groupsOf(one)]))).toEqual({
    updateContact: [['email', 'userId']],
    deleteContact: [['email', 'userId']],
    recordConsent: [['subscribed', 'mailingLists']],
    send: [
      ['email', 'to', 'userId'],
      ['templateId', 'transactionalId'],
    ],
    sendEvent: [['email', 'userId']],
    optIn: [['sourceId', 'source']],
    updateTemplate: [['id', 'templateId', 'transactionalId']],
    deleteTemplate: [['id', 'templateId', 'transactionalId']],
    retryJobs: [['jobIds', 'lane', 'kind']],
    cancelJobs: [['jobIds', 'lane', 'kind']],
    resolveJobs: [['jobIds', 'lane', 'kind']],
  })
  await t.template({ id: 'none' })
  await t.contact({ email: 'a@b.test', userId: 'none' })
  for (const name of ['CreateContactBody', 'UpdateSubscriptionSourceBody'])
    expect(components.schemas[name].required, name).toHaveLength(1)
  const values: Json = { email: 'a@b.test', to: 'a@b.test', jobIds: ['job_none'], lane: 'mail.campaign', kind: 'none' }
  const isMissing = ({ status, body }: Reply, group: string[]) =>
    status === 422 && body.errors.some(({ path, code }: Json) => group.includes(path) && code === 'required')
  // What it deletes, others name.
  naming.sort((a, b) => Number(a.id === 'deleteTemplate') - Number(b.id === 'deleteTemplate'))
  for (const operation of naming) {
    const { id, method, path, bodySchema } = operation
    const groups = groupsOf(operation)
    const ask = (names: (string | undefined)[]) => {
      const given = names.flatMap((name) => (name ? [[name, values[name] ?? 'none']] : []))
      const always = Object.entries({ ...sampleOf(bodySchema), ...(id === 'sendEvent' ? { eventName: 'order' } : {}) })
      return t.request(method, path, Object.fromEntries([...always, ...given]))
    }
    for (const group of groups) {
      const others = groups.filter((one) => one !== group).map(([first]) => first)
      expect(isMissing(await ask(others), group), `${id} without ${group.join(', ')}`).toBe(true)
      for (const name of group) expect(isMissing(await ask([...others, name]), group), `${id} with ${name}`).toBe(false)
    }
  }
  const [attachment] = components.schemas.SendBodyAttachment.allOf
  expect(attachment.anyOf).toEqual([{ required: ['filename'] }, { required: ['name'] }])
})

test('what takes an Idempotency-Key says so, and what a repeat is answered with', async () => {
  await using t = await testApp()
  const { paths } = await t.get('/openapi.json', 200, { as: 'nobody' })
  const key = '#/components/parameters/IdempotencyKey'
  const taking = Object.values<Json>(paths).flatMap((item) =>
    Object.values<Json>(item).filter(({ parameters = [] }) => parameters.some(({ $ref }: Json) => $ref === key)),
  )
  expect(taking.map(({ operationId }) => operationId).sort()).toEqual([
    'optIn',
    'replyToReceived',
    'resendMessage',
    'runRecurringCampaign',
    'send',
    'sendBatch',
    'sendCampaign',
    'sendEvent',
  ])
  for (const { operationId, responses } of taking)
    for (const status of Object.keys(responses).filter((one) => one.startsWith('2')))
      expect(Object.keys(responses[status].headers), operationId).toEqual(['Idempotency-Replayed'])
})

/** The patterns of a document, and all of its texts. */
function textsOf(part: unknown, texts: string[] = [], patterns = new Set<string>()) {
  if (typeof part === 'string') texts.push(part)
  if (typeof part === 'object' && part !== null)
    for (const [name, inner] of Object.entries(part)) {
      if (name === 'pattern' && typeof inner === 'string') patterns.add(inner)
      textsOf(inner, texts, patterns)
    }
  return { texts, patterns }
}

test('a pattern is one in every way that generators write it, and no text of the document breaks a line of JavaScript', async () => {
  await using t = await testApp()
  const { texts, patterns } = textsOf(await t.get('/openapi.json', 200, { as: 'nobody' }))
  expect(texts.filter((text) => /[\u2028\u2029]/.test(text))).toEqual([])
  expect(patterns).toContain(oneLinePattern)
  for (const pattern of patterns) {
    // Some write each escape as its character.
    const written = pattern.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number(`0x${hex}`)),
    )
    for (const literal of [pattern, written])
      expect(() => new Function(`return [/${literal.replaceAll('/', '\\/')}/, /${literal}/u]`)(), pattern).not.toThrow()
  }
})

test('the pattern for one line is what is checked everywhere else, for each character', () => {
  const [plain, unicode] = [new RegExp(oneLinePattern), new RegExp(oneLinePattern, 'u')]
  const differs = (text: string) => [plain, unicode].some((one) => one.test(text) !== isOneLine(text))
  const all = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
  expect(all.filter(differs)).toEqual([])
  expect(['💌', 'a b', 'a\u2028b', 'a\n'].filter(differs)).toEqual([])
})

interface Choice {
  place: string
  words: unknown[]
  /** Right but for the place. */
  value: Json
}

const unheard = 'unheard-of'

/** What is wrong in place of a schema; null where that is to be looked for within it. */
type Wrong = (schema: Json) => Omit<Choice, 'place'>[] | null

const wrongWord: Wrong = (schema) =>
  Array.isArray(schema.enum) ? [{ words: schema.enum.filter((word: unknown) => word !== null), value: unheard }] : null

const variantsOf = (schema: Json): Json[] => schema.anyOf ?? schema.oneOf ?? []

const numberAsText: Wrong = (schema) => {
  const { type, minimum = 1 } = schema
  if (type === 'integer' || type === 'number') return [{ words: [], value: String(minimum) }]
  return variantsOf(schema).some((one) => one.type === 'string') ? [] : null
}

/** Values of `schema`, each wrong in one place. Component trees have openapi-tree.test.ts. */
function wrongValues(schema: Json, wrong: Wrong): Choice[] {
  if (typeof schema !== 'object' || schema === null || schema.properties?.type?.enum?.length === 1) return []
  const found = wrong(schema)
  if (found !== null) return found.map((one) => ({ place: '', ...one }))
  const within = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, one]) =>
    wrongValues(one, wrong).map(({ place, words, value }) => {
      return { place: `${name}.${place}`, words, value: { ...sampleOf(schema), [name]: value } }
    }),
  )
  const entries = wrongValues(schema.items, wrong).map(({ place, words, value }) => ({
    place: `0.${place}`,
    words,
    value: [value],
  }))
  const others = variantsOf(schema)
    .filter(({ type }) => type !== 'string')
    .flatMap((one) => wrongValues(one, wrong))
  return [...others, ...within, ...entries]
}

/** What must be there for its body to be looked at. */
async function checkedLate(t: TestApp): Promise<{ segmentId: string; sequenceId: string }> {
  const filter = { field: 'email', op: 'exists' }
  const { id: segmentId } = await t.post('/v1/segments', { name: 'All', filter }, 201)
  const definition = { steps: [{ id: 'a', type: 'webhook' }] }
  const { id: sequenceId } = await t.post('/v1/sequences', { name: 'All', definition }, 201)
  return { segmentId, sequenceId }
}

test('a number is a number: the document names no other way, and no body may bring it as text', async () => {
  await using t = await testApp()
  const document = JSON.stringify(await t.get('/openapi.json', 200))
  expect(document.match(/"format":"(integer|numeric)"/g)).toBeNull()
  const ids = await checkedLate(t)
  const taken: string[] = []
  let places = 0
  for (const { id, method, path, security, bodySchema } of await operationsOf(t)) {
    const as = security.some((one) => 'apiKey' in one) ? 'key' : 'session'
    for (const { place, value } of wrongValues(bodySchema, numberAsText)) {
      places++
      const { status, text } = await t.request(method, pathWith(path, ids), value, { as })
      if (status !== 422) taken.push(`${id} ${place}: ${status} ${text.slice(0, 300)}`)
    }
  }
  expect(taken).toEqual([])
  expect(places).toBeGreaterThan(20)
})

test('each choice between words that the document names, in an address or a body, is held to: 422 names the words', async () => {
  await using t = await testApp()
  const ids = await checkedLate(t)
  const failed: string[] = []
  let places = 0
  for (const { id, method, path, parameters, security, bodySchema } of await operationsOf(t)) {
    const as = security.some((one) => 'apiKey' in one) ? 'key' : 'session'
    const asks = async ({ place, words }: Choice, query: string, body: unknown) => {
      places++
      const upload = body === undefined && method !== 'GET' ? octets : {}
      const reply = await t.request(method, pathWith(path, ids) + query, body, { as, ...upload })
      const issues: Json[] = reply.body?.errors ?? []
      const isNamed = issues.some(({ message }) => words.every((word) => message.includes(String(word))))
      if (reply.status !== 422 || !isNamed) failed.push(`${id} ${place}: ${reply.status} ${reply.text.slice(0, 400)}`)
    }
    const asked = parameters.filter((one) => one.in === 'query')
    for (const { name, schema } of asked) {
      const others = asked.filter((one) => one.required && one.name !== name)
      const query = new URLSearchParams([...others.map((one) => [one.name, sampleOf(one.schema)]), [name, unheard]])
      for (const choice of wrongValues(schema, wrongWord))
        await asks({ ...choice, place: `?${name}` }, `?${query}`, undefined)
    }
    for (const choice of wrongValues(bodySchema, wrongWord)) await asks(choice, '', choice.value)
  }
  expect(failed).toEqual([])
  expect(places).toBeGreaterThan(50)
})
