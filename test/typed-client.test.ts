import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readablePath } from '../src/core/http/validation.ts'
import { testApp } from './support/app.ts'
import { operationsOf, wholeSampleOf, wrongIn } from './support/openapi.ts'

const root = join(import.meta.dir, '..')

/** A program of somebody who uses the API, against the types of the document. */
const program = `
import type { components, paths } from './client'

type Body<P extends keyof paths, M extends 'post' | 'put' | 'patch'> =
  paths[P][M] extends { requestBody: { content: { 'application/json': infer B } } } ? B : never

const mail: Body<'/v1/transactional/send', 'post'> = { email: 'a@b.test', templateId: 'hi', dataVariables: { name: 'Ada' } }
const contact: Body<'/v1/contacts/create', 'post'> = { email: 'a@b.test', city: 'Ulm' }
const endpoint: Body<'/v1/webhook-endpoints', 'post'> = { url: 'https://a.test', status: 'active', eventFilters: ['*'] }

// @ts-expect-error a number is no address
const wrong: Body<'/v1/transactional/send', 'post'> = { email: 1, templateId: 'hi' }
// @ts-expect-error settings are closed
const stray: Body<'/v1/webhook-endpoints', 'post'> = { url: 'https://a.test', events: ['*'] }

type Page = NonNullable<paths['/v1/campaigns']['get']['parameters']['query']>
const page: Page = { perPage: 20 }
type Sent = paths['/v1/transactional/send']['post']['responses']['200']['content']['application/json']
const told = (sent: Sent): string[] => [sent.messageId, ...sent.warnings.map(({ code }) => code)]
type Domain = components['schemas']['DomainItem']
const isKnown = ({ dkim }: Domain): boolean => dkim === 'ok' || dkim === null
const status = (template: components['schemas']['Template']): 'active' | 'draft' | 'archived' => template.status
type Key = NonNullable<paths['/v1/events/send']['post']['parameters']['header']>
const key: Key = { 'Idempotency-Key': 'k' }
const problem = ({ code, errors }: components['schemas']['Problem']) => [code, ...errors.map(({ path }) => path)]
const tree: components['schemas']['ComponentTree'] = [
  { type: 'section', columns: 2, children: [{ type: 'container', children: [{ type: 'heading', text: 'Hello', level: 1 }] }] },
  { type: 'list', items: [['Bread', '2.10'], ['Milk', '1.20']], head: ['', 'EUR'], cellAlign: ['left', 'right'] },
]
// @ts-expect-error a button needs a link
const button: components['schemas']['Node'] = { type: 'button', text: 'Go' }
// @ts-expect-error there is no such level
const heading: components['schemas']['Node'] = { type: 'heading', text: 'Hello', level: 'first' }
const words = (node: components['schemas']['Node']): string => (node.type === 'heading' ? node.text : node.type)
const stored = ({ content }: components['schemas']['Content']): string[] =>
  'kind' in content ? [content.source] : content.map(words)
export { button, contact, endpoint, heading, isKnown, key, mail, page, problem, status, stored, stray, told, tree, wrong }
`

test('the types of a generated client fit a program of its user', async () => {
  await using t = await testApp()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-client-'))
  try {
    const document = join(directory, 'openapi.json')
    await Bun.write(document, JSON.stringify(await t.get('/openapi.json', 200, { as: 'nobody' })))
    const types = await run(['bun', join(root, 'clients/typescript/types-of.ts'), document])
    await Bun.write(join(directory, 'client.d.ts'), types)
    await Bun.write(join(directory, 'program.ts'), program)
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--module',
      'preserve',
      '--types',
      '',
      '--target',
      'esnext',
    ]
    expect(await run(['bun', 'x', '--bun', 'tsc', ...options, join(directory, 'program.ts')])).toBe('')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}, 240_000)

/** Runs with its own plug-in, because it needs an older compiler under the name of ours, as types-of.ts does. */
const generator = `
import { plugin } from 'bun'
plugin({
  name: 'the older TypeScript',
  setup(build) {
    build.module('typescript', async () => ({ exports: { ...(await import('typescript-5')) }, loader: 'object' }))
  },
})
const { createClient } = await import('@hey-api/openapi-ts')
const [, , input, output] = process.argv
await createClient({ input, output, plugins: ['zod'], logs: { level: 'silent', file: false } })
console.log('made')
`

/** Of a schema that the generator made. */
interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { message: string; issues: { path: PropertyKey[] }[] } }
}

test('the validators that another generator makes of the document take what the server answers, and refuse as it does', async () => {
  await using t = await testApp()
  const directory = mkdtempSync(join(root, 'node_modules/.typed-client-'))
  try {
    const document = join(directory, 'openapi.json')
    await Bun.write(document, JSON.stringify(await t.get('/openapi.json', 200, { as: 'nobody' })))
    await Bun.write(join(directory, 'generate.ts'), generator)
    const made = await run(['bun', join(directory, 'generate.ts'), document, join(directory, 'made')])
    expect(made).toContain('made')
    const schemas: Record<string, Schema> = await import(join(directory, 'made/zod.gen.ts'))
    const list = schemas['zCreateMailingListBody']
    for (const name of ['News', 'Ünïcode 💌 ok', 'a\u3000b', 'a\u2028b', 'a\u2029b', 'a\nb', 'a\tb', '']) {
      const { status } = await t.request('POST', '/v1/mailing-lists', { name })
      expect([name, list?.safeParse({ name }).success]).toEqual([name, status === 201])
    }
    await t.contact()
    const operations = await operationsOf(t)
    const schemaOf = (id: string, of: string) => schemas[`z${id.charAt(0).toUpperCase()}${id.slice(1)}${of}`]
    let answers = 0
    for (const { id, method, path, security } of operations) {
      if (method !== 'GET' || path.includes('{')) continue
      const as = security.some((one) => 'apiKey' in one) ? 'key' : 'session'
      const { status, body } = await t.request('GET', path, undefined, { as })
      // It asks for something in its address.
      if (status === 422) continue
      answers++
      expect([id, status, schemaOf(id, 'Response')?.safeParse(body).error?.message]).toEqual([id, 200, undefined])
    }
    expect(answers).toBeGreaterThan(30)
    const { paths } = await t.get('/openapi.json', 200, { as: 'nobody' })
    const failed: string[] = []
    for (const { id, method, path, bodySchema } of operations) {
      // Of several that must hold together this generator makes an intersection of which zod reads two.
      if (method === 'GET' || bodySchema === undefined || bodySchema.allOf?.length > 1) continue
      const { example } = paths[path][method.toLowerCase()].requestBody.content['application/json']
      const schema = schemaOf(id, 'Body')
      if (schema?.safeParse(example).success !== true) failed.push(`${id} does not take its example`)
      for (const { path: place, body } of wrongIn(bodySchema, wholeSampleOf(bodySchema))) {
        const issues = schema?.safeParse(body).error?.issues ?? []
        if (!issues.some((issue) => readablePath(`/${issue.path.join('/')}`) === place)) failed.push(`${id} ${place}`)
      }
    }
    expect(failed).toEqual([])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}, 240_000)

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(
    command.map((word) => (word === 'bun' ? process.execPath : word)),
    { cwd: root, stdout: 'pipe', stderr: 'pipe' },
  )
  const [printed, failed] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if (!printed && failed) throw new Error(failed)
  return printed
}
