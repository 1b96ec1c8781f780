// One debug log line per request: method, path, status, duration. Never a secret.

import type { App } from '../app.ts'
import type { Surfaces } from './surface.ts'

type Answering = (request: Request) => Response | Promise<Response>

/** The same as `answer` when debug logging is off. */
export function logRequests(app: App, { loggedPath }: Pick<Surfaces, 'loggedPath'>, answer: Answering): Answering {
  if (app.config.logLevel !== 'debug') return answer
  return async (request) => {
    const startedAt = performance.now()
    const response = await answer(request)
    app.log.debug('request', {
      method: request.method,
      path: loggedPath(URL.canParse(request.url) ? new URL(request.url).pathname : ''),
      status: response.status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      requestId: response.headers.get('x-request-id') ?? undefined,
    })
    return response
  }
}
