// One line of the debug log for each request: what was asked, what was answered, how long it took. Never what opens something.

import type { App } from '../app.ts'

type Answering = (request: Request) => Response | Promise<Response>

/** The same as `answer` where nobody reads the debug log. */
export function logRequests(app: App, answer: Answering): Answering {
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

const id = /^[a-z]{2,5}_[0-9a-f]{32}$/
const longestWord = 24

/** Without the query, and without what may be a token or an address: only our words, slugs and ids stay. */
export function loggedPath(path: string): string {
  const parts = path.split('/')
  return parts
    .map((part) => (id.test(part) || (part.length <= longestWord && /^[\w.-]*$/.test(part)) ? part : '…'))
    .join('/')
}
