// Counts and times every request, by its operation and status, for /metrics.

import { second } from '../../kit/duration.ts'
import { measures } from '../../kit/measures.ts'
import type { App } from '../app.ts'
import { pathOf } from './request-target.ts'
import type { RouteTable } from './route-table.ts'

type Answering = (request: Request) => Response | Promise<Response>

interface Series {
  count(status: number): { value: number }
  observe(seconds: number): void
}

/** Of an operation; the labels of each are made once. */
function requestSeries(app: App): (operation: string) => Series {
  const { requests, requestSeconds } = app.own(measures)
  const createSeries = (operation: string): Series => {
    const byStatus = new Map<number, { value: number }>()
    const count = (status: number) =>
      byStatus.getOrInsertComputed(status, () => requests.of({ operation, status: String(status) }))
    return { count, observe: requestSeconds.of({ operation }) }
  }
  const series = new Map<string, Series>()
  return (operation) => series.getOrInsertComputed(operation, createSeries)
}

export function measureRequests(app: App, table: Pick<RouteTable, 'operationOf'>, answer: Answering): Answering {
  return (request) => {
    const beganAt = performance.now()
    const answered = answer(request)
    const note = ({ status }: Response) => {
      const { count, observe } = app.own(requestSeries)(operationOf(table, request))
      count(status).value++
      observe((performance.now() - beganAt) / second)
    }
    // A request that throws is answered, and measured, by the server.
    if (answered instanceof Promise) answered.then(note, () => {})
    else note(answered)
    return answered
  }
}

function operationOf(table: Pick<RouteTable, 'operationOf'>, request: Request): string {
  try {
    return table.operationOf(request.method, pathOf(request)).id
  } catch {
    return 'unreadable'
  }
}
