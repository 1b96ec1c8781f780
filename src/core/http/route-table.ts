// The routes by path, for what needs them outside of the router: the edge, 405 with Allow, the alias prefix, the log.

import { createSurfaces, type Declared, type Surfaces } from './surface.ts'

export interface Route {
  method: string
  path: string
  hooks?:
    | {
        detail?:
          | ({ security?: Record<string, string[]>[] | undefined; operationId?: string; looks?: true } & Pick<
              Partial<Declared>,
              'surface'
            >)
          | undefined
      }
    | undefined
}

/** Which credentials a route accepts. */
export interface Takes {
  apiKey: boolean
  session: boolean
}

/** What the audit log calls a route. */
interface RouteName {
  /** Its operationId; of a page, its method and pattern. */
  id: string
  /** Whether it changes nothing. */
  looks: boolean
  /** Its pattern; null where there is no such route. */
  route: string | null
}

export interface RouteTable extends Surfaces {
  /** The methods of the routes that match `path`; empty when none does. */
  methodsOf(path: string): string[]
  /** Null for an unknown route, or one that needs no credential. */
  takes(method: string, path: string): Takes | null
  operationOf(method: string, path: string): RouteName
  /** True for `GET /v1/transactional/send`: a fixed path lacks this method and must not match a pattern like `/:templateId`. */
  isWrongMethod(method: string, path: string): boolean
}

/** `routes` is read at the first use, because plugins add routes until then. */
export function createRouteTable(routes: () => Route[]): RouteTable {
  let index: Index | null = null
  let surfaces: Surfaces | null = null
  const known = () => {
    surfaces ??= createSurfaces(routes())
    return surfaces
  }
  const indexed = () => {
    index ??= createIndex(routes())
    return index
  }
  const routeOf = (method: string, path: string) => {
    const { fixed, patternsFor } = indexed()
    return (
      fixed.get(path)?.get(method) ?? patternsFor(path).find((one) => one.method === method && one.pattern.test(path))
    )
  }
  return {
    surfaceOf: (path) => known().surfaceOf(path),
    loggedPath: (path) => known().loggedPath(path),
    methodsOf(path) {
      const { fixed, patternsFor } = indexed()
      const exact = fixed.get(path)
      const matching = exact?.values() ?? patternsFor(path).filter(({ pattern }) => pattern.test(path))
      return [...new Set([...matching].map(({ method }) => method))].sort()
    },
    isWrongMethod(method, path) {
      const exact = indexed().fixed.get(path)
      return exact !== undefined && !exact.has(method) && !(method === 'HEAD' && exact.has('GET'))
    },
    takes: (method, path) => routeOf(method, path)?.takes ?? null,
    operationOf: (method, path) => routeOf(method, path)?.name ?? { id: method, looks: false, route: null },
  }
}

interface Indexed {
  method: string
  pattern: RegExp
  name: RouteName
  takes: Takes | null
}

/** Several look-ups per request: paths without parameters by name, patterns by their fixed beginning. */
interface Index {
  fixed: Map<string, Map<string, Indexed>>
  /** Those that may match. */
  patternsFor(path: string): Indexed[]
}

function createIndex(routes: Route[]): Index {
  const fixed = new Map<string, Map<string, Indexed>>()
  const patterns = new Map<string, Indexed[]>()
  for (const route of routes) {
    const { method, path } = route
    const one = { method, pattern: toPattern(path), name: toRouteName(route), takes: takenBy(route) }
    if (isVariable(path)) patterns.getOrInsertComputed(fixedBeginning(path), () => []).push(one)
    else fixed.getOrInsertComputed(path, () => new Map()).getOrInsert(method, one)
  }
  const anywhere = patterns.get('') ?? []
  return { fixed, patternsFor: (path) => [...(patterns.get(fixedBeginning(path)) ?? []), ...anywhere] }
}

const isVariable = (path: string) => /[:*]/.test(path)

/** `/v1/messages` of all that is under it; empty where a pattern has a parameter so early. */
function fixedBeginning(path: string): string {
  const start = path.split('/', 3).join('/')
  return isVariable(start) ? '' : start
}

function takenBy({ hooks }: Route): Takes | null {
  const schemes = (hooks?.detail?.security ?? []).flatMap((scheme) => Object.keys(scheme))
  if (schemes.length === 0) return null
  return { apiKey: schemes.includes('apiKey'), session: schemes.includes('session') }
}

function toRouteName({ method, path, hooks }: Route): RouteName {
  const { operationId, looks = false } = hooks?.detail ?? {}
  return { id: operationId ?? `${method} ${path}`, looks, route: path }
}

/** `/v1/api-keys/:keyId` as a pattern; `*` at the end matches any rest. */
function toPattern(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
