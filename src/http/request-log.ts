// One line of the debug log for each request: what was asked, what was answered, how long it took. Never what opens something.

import type { App } from '../app.ts'
import type { Surfaces } from './surface.ts'

type Answering = (request: Request) => Response | Promise<Response>

/** The same as `answer` where nobody reads the debug log. */
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
