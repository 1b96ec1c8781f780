// The routes by path, for the answers that need to know them: 405 with Allow, and the alias prefix.

export interface Route {
  method: string
  path: string
}

export interface RouteTable {
  /** The methods of the routes that match `path`; empty when there are none. */
  methodsOf(path: string): string[]
}

/** `routes` is read at the first question: plugins add to it until then. */
export function createRouteTable(routes: () => Route[]): RouteTable {
  let fixed: Map<string, string[]> | null = null
  let patterns: { pattern: RegExp; method: string }[] = []
  const build = () => {
    const isPattern = ({ path }: Route) => /[:*]/.test(path)
    fixed = new Map()
    for (const { path, method } of routes().filter((route) => !isPattern(route))) {
      fixed.set(path, [...(fixed.get(path) ?? []), method])
    }
    patterns = routes()
      .filter(isPattern)
      .map(({ path, method }) => ({ pattern: patternOf(path), method }))
    return fixed
  }
  return {
    methodsOf(path) {
      const exact = (fixed ?? build()).get(path) ?? []
      const matching = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
      return [...new Set([...exact, ...matching])].sort()
    },
  }
}

/** `/v1/api-keys/:keyId` as a pattern; `*` at the end stands for any rest. */
function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
