// Which service a path speaks like.

import type { Problem } from '../http/errors.ts'
import { compatPrefix } from '../http/surface.ts'
import type { Dialect } from './dialect.ts'
import { postmark } from './postmark.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'

const dialects = new Map([resend, postmark, sendgrid].map((one) => [one.name, one]))

function dialectOf(path: string): Dialect | undefined {
  return path.startsWith(compatPrefix)
    ? dialects.get(path.slice(compatPrefix.length).split('/', 1)[0] ?? '')
    : undefined
}

/** The Authorization of a request, whichever header its service has for it. */
export function authorizationOf(path: string, headers: Headers): string | null {
  const dialect = dialectOf(path)
  return dialect?.authorization ? dialect.authorization(headers) : headers.get('authorization')
}

/** An error as the service of this path writes it; undefined for our own paths. */
export function foreignRefusal(path: string, problem: Problem): { status: number; body: unknown } | undefined {
  return dialectOf(path)?.refusal(problem)
}

/** Of a service, what it has no route for here. */
export function serviceOf(path: string): string | undefined {
  return dialectOf(path)?.service
}
