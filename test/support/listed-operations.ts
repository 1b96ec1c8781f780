// Every operation that the OpenAPI document lists.

import { type Json, type TestApp, testApp } from './app.ts'

const methods = ['get', 'put', 'post', 'patch', 'delete']

interface Schema {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

export interface Operation {
  id: string
  /** `PUT /v1/transactional/update` */
  route: string
  method: string
  path: string
  parameters: { name: string; in: string }[]
  fields: string[]
  hasBody: boolean
  /** What a key needs; null when no key is taken. `any` = whatever key is valid. */
  scope: string | null
  session: boolean
  open: boolean
}

export async function operationsOf(t: TestApp): Promise<Operation[]> {
  const { paths, components }: Json = await t.get('/openapi.json', 200, { as: 'nobody' })
  return Object.entries<Json>(paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item[method] && path.startsWith('/v1/') ? [operationOf(path, method, item[method], components.schemas)] : [],
    ),
  )
}

function operationOf(path: string, method: string, operation: Json, schemas: Json): Operation {
  const { parameters = [], requestBody, security } = operation
  const schema = requestBody?.content['application/json']?.schema
  const key = security.find((one: object) => 'apiKey' in one)
  return {
    id: operation.operationId,
    route: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters,
    fields: fieldsOf(schema?.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema),
    hasBody: requestBody !== undefined,
    scope: key ? (key.apiKey[0] ?? 'any') : null,
    session: security.some((one: object) => 'session' in one),
    open: security.length === 0,
  }
}

function fieldsOf(schema: Schema | undefined): string[] {
  if (!schema) return []
  return [...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? []).flatMap(fieldsOf)]
}

export async function allOperations(): Promise<Operation[]> {
  await using t = await testApp()
  return await operationsOf(t)
}
