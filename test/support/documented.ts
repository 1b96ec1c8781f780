// Every answer that a test gets is held against the OpenAPI document: its status must be named there, and its body must be what a
// client generated from the document would take.

import type { Json } from './calls.ts'
import { at, type Fault, schemasOf } from './json-schema.ts'

interface Documented {
  method: string
  pattern: RegExp
  route: string
  responses: Record<string, Json>
}

interface Answered {
  method: string
  /** With its query. */
  path: string
  status: number
  contentType: string
  body: Json
}

/** Throws when the document does not say that `answered` may come. */
export type Check = (answered: Answered) => void

let check: Promise<Check> | null = null

/** The document is the same for every app of this process but for its address. */
export function documentedBy(url: string): Promise<Check> {
  check ??= fetch(`${url}/openapi.json`).then(async (response) => checkOf(await response.json()))
  return check
}

function checkOf(document: Json): Check {
  const routes = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(
      ([method, { responses }]): Documented => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        route: `${method.toUpperCase()} ${path}`,
        responses,
      }),
    ),
  )
  // One without a parameter comes before one that it would fit.
  routes.sort((a, b) => a.route.split('{').length - b.route.split('{').length)
  // A list for each beginning, for every answer of every test is looked up.
  const byBeginning = Map.groupBy(routes, ({ route }) => beginningOf(route.replaceAll('{', ':')))
  const anywhere = byBeginning.get('') ?? []
  const faultOf = schemasOf(document)
  const read = new Map<string, Fault>()
  const faultIn = ({ route, responses }: Documented, status: number, contentType: string) => {
    // An error is described once for all routes.
    const name = `${responses[status].$ref ?? `${route} ${status}`} ${contentType}`
    const known = read.get(name)
    if (known) return known
    const response = responses[status].$ref === undefined ? responses[status] : at(document, responses[status].$ref)
    const fault = faultOf(response.content?.[contentType]?.schema ?? true)
    read.set(name, fault)
    return fault
  }
  return ({ method, path, status, contentType, body }) => {
    const plain = (path.split('?')[0] ?? '').replace(/^\/api(?=\/v1\/)/, '')
    // A path of its own that lacks the method is 405, and no value of a path with a parameter.
    if (document.paths[plain] !== undefined && document.paths[plain][method.toLowerCase()] === undefined) return
    const likely = byBeginning.get(beginningOf(`${method} ${plain}`)) ?? []
    const found = [...likely, ...anywhere].find((one) => one.method === method && one.pattern.test(plain))
    // Under /api/v1 there are routes that are not in the document, beside those that are.
    // A wrong method is an answer of the address, and not of a route.
    if (!found || status === 405 || (path.startsWith('/api/') && found.route.includes('{'))) return
    if (!(status in found.responses))
      throw new Error(`${found.route} answered ${status}, which the document does not name`)
    const wrong = faultIn(found, status, contentType.split(';')[0] ?? '')(body, 'body')
    if (wrong) throw new Error(`${found.route} ${status} is not what the document says: ${wrong}`)
  }
}

/** `GET /v1/messages` of all that is under it; empty where a route has a parameter so early. */
function beginningOf(route: string): string {
  const start = route.split('/', 3).join('/')
  return start.includes(':') ? '' : start
}
