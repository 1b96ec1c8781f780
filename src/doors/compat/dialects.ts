// The compatible services: their routes, and the one whose API a path belongs to. The routes are not in the OpenAPI document, which describes
// our own; each of them is described by its service.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import type { Problem } from '../../core/http/errors.ts'
import { compatPrefix } from '../../core/http/surface.ts'
import { AppError } from '../../kit/error.ts'
import type { ForeignKeys } from '../../people/access/auth.ts'
import type { Dialect, Refusal } from './dialect.ts'
import { loopsRoutes } from './loops.ts'
import { postmark } from './postmark.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses.ts'

const dialects = new Map([resend, postmark, sendgrid, ses].map((one) => [one.name, one]))

export function compatRoutes(app: App) {
  const all = new Elysia().use(loopsRoutes(app))
  for (const { routes } of dialects.values()) all.use(routes(app))
  return all
}

function findDialect(path: string): Dialect | undefined {
  return path.startsWith(compatPrefix)
    ? dialects.get(path.slice(compatPrefix.length).split('/', 1)[0] ?? '')
    : undefined
}

/** The key of a request, however its service sends it. */
export function foreignKeys(app: App): ForeignKeys {
  return {
    authorizationOf(path, headers) {
      const dialect = findDialect(path)
      return dialect?.authorization ? dialect.authorization(headers) : headers.get('authorization')
    },
    signedKey: (path, request) => findDialect(path)?.signedKey?.(app, request) ?? null,
  }
}

/** An error as the service of this path writes it; undefined for our own paths. */
export function foreignRefusal(path: string, problem: Problem): Refusal | undefined {
  return findDialect(path)?.refusal(problem)
}

/**
 * Throws 501, with what to use instead, for a call of another service that is not here. `methods`: those that its path is routed for. A
 * word in the place of an id is routed, too, so what is known to be absent comes first.
 */
export function refuseAbsent(method: string, path: string, methods: string[]): void {
  const dialect = findDialect(path)
  if (!dialect) return
  const call = `${method} ${path.slice(compatPrefix.length + dialect.name.length)}`
  const use = dialect.absent.find(([, calls]) => calls.test(call))?.[0]
  if (use === undefined && methods.includes(method === 'HEAD' ? 'GET' : method)) return
  throw new AppError(
    'not_implemented',
    `This call of ${dialect.service} is not part of Paquebot. Use ${use ?? 'our own API: docs/api.md'}.`,
  )
}
