// Commands that call a route in process: the same checks, limits, warnings and answers, without a server or a credential.

import type { Config } from '../../core/config.ts'
import { fromProblem, type Problem } from '../../core/http/errors.ts'
import { AppError } from '../../kit/error.ts'
import { noVitals } from '../../operator/health/vitals.ts'
import { auditRequests } from '../../people/access/audit/requests.ts'
import { actAsOperator } from '../../people/access/auth.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { buildServer } from '../server.ts'
import { withApp } from './with-app.ts'

/** The answer of a route: validated by its schema, and printed as far as the command line knows it. */
export type Answer = Record<string, unknown>

/** Throws what the route refuses. */
export type Api = (method: string, path: string, body?: unknown) => Promise<Answer>

const typeOf = (body: unknown) => (body instanceof Uint8Array ? 'application/octet-stream' : 'application/json')

/** The data of the events of a stream, until it ends. */
export type Listen = (path: string) => AsyncIterable<Answer>

/** A file as the answer. */
type Bytes = (method: string, path: string) => Promise<Uint8Array>

/** Runs `work` in one workspace. */
export async function withApi<T>(
  config: Config,
  slug: string,
  work: (api: Api, listen: Listen, bytes: Bytes) => Promise<T>,
): Promise<T> {
  return await withApp(config, async (app) => {
    const workspace = await getWorkspaceBySlug(app, slug)
    const { server, table, mcpSessions } = buildServer(app, noVitals)
    const answer = auditRequests(app, { table, peers: () => null }, (request) => {
      actAsOperator(request, workspace)
      return server.handle(request)
    })
    const ask = async (path: string, init: RequestInit) => {
      const request = new Request(app.config.baseUrl + path, init)
      const response = await answer(request)
      if (!response.ok) throw refusal(await response.json())
      return response
    }
    const api: Api = async (method, path, body) => {
      const sent = body instanceof Uint8Array ? new Uint8Array(body) : body === undefined ? '' : JSON.stringify(body)
      const response = await ask(path, {
        method,
        // Without a length there is no body for the edge.
        headers: { 'content-type': typeOf(body), 'content-length': String(Buffer.byteLength(sent)) },
        ...(body === undefined ? {} : { body: sent }),
      })
      return await response.json()
    }
    const listen: Listen = (path) => eventsOf(ask(path, { headers: { accept: 'text/event-stream' } }))
    try {
      return await work(api, listen, async (method, path) => (await ask(path, { method })).bytes())
    } finally {
      mcpSessions.close()
    }
  })
}

async function* eventsOf(answered: Promise<Response>): AsyncGenerator<Answer> {
  const { body } = await answered
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body ?? []) {
    const events = (text + decoder.decode(bytes, { stream: true })).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

/** The problem document as an error, its details in the same line. */
function refusal(problem: Partial<Problem>): AppError {
  const { code, message, details } = fromProblem(problem)
  const more = (details.errors ?? []).map((issue) => issue.message).filter((one) => !message.includes(one))
  return new AppError(code, [message, ...more].join(' '))
}

/** `field  value` for every value that is one word or line. */
export function fieldLines(answer: Answer): [string, string][] {
  return Object.entries(answer).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
      return [[name, value.join(' ')]]
    return typeof value === 'object' ? [] : [[name, String(value)]]
  })
}

/** The members of `data`. */
export function rowsOf({ data }: Answer): Answer[] {
  return Array.isArray(data) ? data : []
}

/** A value of a list row, as text. */
export function cells(row: Answer, names: string[]): string[] {
  return names.map((name) => {
    const value = row[name]
    return Array.isArray(value) ? value.join(' ') : String(value ?? '')
  })
}
