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
export interface RouteName {
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
  let fixed: Map<string, string[]> | null = null
  let surfaces: Surfaces | null = null
  const known = () => {
    surfaces ??= createSurfaces(routes())
    return surfaces
  }
  let patterns: { pattern: RegExp; method: string; route: Route }[] = []
  const names = new Map<string, RouteName>()
  const routeOf = (method: string, path: string) => {
    if (fixed === null) build()
    const exact = routes().find((route) => route.method === method && route.path === path)
    return exact ?? patterns.find((one) => one.method === method && one.pattern.test(path))?.route
  }
  const build = () => {
    const isPattern = ({ path }: Route) => /[:*]/.test(path)
    fixed = new Map()
    for (const { path, method } of routes().filter((route) => !isPattern(route))) {
      fixed.set(path, [...(fixed.get(path) ?? []), method])
    }
    for (const route of routes()) if (!isPattern(route)) names.set(`${route.method} ${route.path}`, nameOf(route))
    patterns = routes()
      .filter(isPattern)
      .map((route) => ({ pattern: patternOf(route.path), method: route.method, route }))
    return fixed
  }
  return {
    surfaceOf: (path) => known().surfaceOf(path),
    loggedPath: (path) => known().loggedPath(path),
    methodsOf(path) {
      const exact = (fixed ?? build()).get(path)
      if (exact !== undefined) return [...new Set(exact)].sort()
      const matching = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
      return [...new Set(matching)].sort()
    },
    isWrongMethod(method, path) {
      const exact = (fixed ?? build()).get(path)
      return exact !== undefined && !exact.includes(method) && !(method === 'HEAD' && exact.includes('GET'))
    },
    takes(method, path) {
      const schemes = (routeOf(method, path)?.hooks?.detail?.security ?? []).flatMap((scheme) => Object.keys(scheme))
      if (schemes.length === 0) return null
      return { apiKey: schemes.includes('apiKey'), session: schemes.includes('session') }
    },
    operationOf(method, path) {
      if (fixed === null) build()
      const known = names.get(`${method} ${path}`)
      if (known) return known
      const route = routeOf(method, path)
      return route ? nameOf(route) : { id: method, looks: false, route: null }
    },
  }
}

function nameOf({ method, path, hooks }: Route): RouteName {
  const { operationId, looks = false } = hooks?.detail ?? {}
  return { id: operationId ?? `${method} ${path}`, looks, route: path }
}

/** `/v1/api-keys/:keyId` as a pattern; `*` at the end matches any rest. */
function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
