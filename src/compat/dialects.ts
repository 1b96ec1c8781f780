// Which service a path speaks like.

import type { App } from '../app.ts'
import type { Problem } from '../http/errors.ts'
import { compatPrefix } from '../http/surface.ts'
import type { ForeignKeys } from '../workspaces/auth.ts'
import type { Dialect, Refusal } from './dialect.ts'
import { postmark } from './postmark.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses.ts'

const dialects = new Map([resend, postmark, sendgrid, ses].map((one) => [one.name, one]))

function dialectOf(path: string): Dialect | undefined {
  return path.startsWith(compatPrefix)
    ? dialects.get(path.slice(compatPrefix.length).split('/', 1)[0] ?? '')
    : undefined
}

/** The key of a request, however its service sends it. */
export function foreignKeys(app: App): ForeignKeys {
  return {
    authorizationOf(path, headers) {
      const dialect = dialectOf(path)
      return dialect?.authorization ? dialect.authorization(headers) : headers.get('authorization')
    },
    signedKey: (path, request) => dialectOf(path)?.signedKey?.(app, request) ?? null,
  }
}

/** An error as the service of this path writes it; undefined for our own paths. */
export function foreignRefusal(path: string, problem: Problem): Refusal | undefined {
  return dialectOf(path)?.refusal(problem)
}

/** Of a service, what it has no route for here. */
export function serviceOf(path: string): string | undefined {
  return dialectOf(path)?.service
}
