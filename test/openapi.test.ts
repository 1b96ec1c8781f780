import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tags as groupList } from '../src/http/openapi-words.ts'
import { buildServer } from '../src/server.ts'
import { testApp } from './support/app.ts'

const groups = groupList.map(({ name }) => name).filter((name) => name !== 'Extensions')
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

test('K9: every route is in the document, with a name, a summary, words, an example, a group and its errors', async () => {
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
    expect(description, route).toBeTruthy()
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
  const { server } = buildServer(t.app, { lastTickAt: () => null, outboxDepth: async () => [] })
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
  const { text, headers } = await t.request('GET', '/docs', undefined, nobody)
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
  expect(files).toHaveLength(5)
  for (const file of files) {
    expect(file).toMatch(/^\/(docs\/|favicon\.svg$)/)
    const reply = await t.request('GET', file, undefined, nobody)
    expect(reply.status, file).toBe(200)
    expect(reply.text.length, file).toBeGreaterThan(50)
  }
})
