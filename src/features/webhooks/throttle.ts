// Isolates endpoints: a slow or failing one must not cost the others their turn. Each endpoint earns its concurrency: it starts with one
// request, each quick success adds one (up to 16), slowness or failure halves it. Slow or failing endpoints share an eighth of a
// workspace's places. After five failures in a row an endpoint is paused, then tried with a single request. This state is kept in memory: a restart
// starts over.

import type { App } from '../../core/app.ts'
import type { NextJob } from '../../core/outbox/due-jobs.ts'
import { lanes } from '../../core/outbox/lanes.ts'
import type { LaneAllowance, Throttle } from '../../core/outbox/throttle.ts'
import { minute, second } from '../../kit/duration.ts'

const { perPartition: mostPlaces, perWorkspace } = lanes.webhook
const placesOfSuspects = perWorkspace / 8
/** A slower response counts as slow, and so does an endpoint that has not responded for this long. */
const slowMs = second
const failuresUntilOpen = 5
const firstPauseMs = 15 * second
const longestPauseMs = 5 * minute
export const defaultPerSecond = 10
/** When there are more than this, endpoints without a failure and without a request for a minute are forgotten. */
const sweepAbove = 10_000

interface Endpoint {
  workspaceId: string
  places: number
  /** Slow or failing, as far as known. */
  suspect: boolean
  /** Failures in a row. */
  failures: number
  pausedUntil: number
  perSecond: number | null
  /** Starts within the last second, earliest first; milliseconds since 1970. */
  starts: number[]
  flights: Set<Flight>
}

export interface Flight {
  endpoint: Endpoint
  /** performance.now() */
  beganAt: number
}

/** Records the result of an attempt; null when there was none. */
export type FlightEnd = 'succeeded' | 'failed' | null

export class EndpointThrottle implements Throttle {
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #flights = new Set<Flight>()

  allowance(now: number): LaneAllowance {
    const granted = new Map<string, number>()
    const suspects = this.#suspectsInFlight()
    let againAt = Number.POSITIVE_INFINITY
    const hold = (until: number) => {
      againAt = Math.min(againAt, until)
      return 0
    }
    return {
      capacity: ({ workspaceId, partitionKey }) => {
        const endpoint = this.#endpoint(workspaceId, partitionKey)
        if (isPaused(endpoint, now)) return hold(endpoint.pausedUntil)
        const taken = granted.get(partitionKey) ?? 0
        const inRate = roomInRate(endpoint, now) - taken
        if (inRate <= 0) return hold((endpoint.starts[0] ?? now) + second)
        const capacity = Math.min(concurrency(endpoint) - endpoint.flights.size - taken, inRate)
        return isSuspect(endpoint) ? Math.min(capacity, placesOfSuspects - (suspects.get(workspaceId) ?? 0)) : capacity
      },
      granted: ({ workspaceId, partitionKey }: NextJob, count) => {
        granted.set(partitionKey, (granted.get(partitionKey) ?? 0) + count)
        if (isSuspect(this.#endpoint(workspaceId, partitionKey)))
          suspects.set(workspaceId, (suspects.get(workspaceId) ?? 0) + count)
      },
      get againAt() {
        return againAt
      },
    }
  }

  /** Null for one that is not paused. */
  pausedUntil(endpointId: string, now: Date): Date | null {
    const endpoint = this.#endpoints.get(endpointId)
    return endpoint && isPaused(endpoint, now.getTime()) ? new Date(endpoint.pausedUntil) : null
  }

  /** It answers slowly or fails, and so gets one request at a time. */
  isSlow(endpointId: string): boolean {
    const endpoint = this.#endpoints.get(endpointId)
    return endpoint !== undefined && isSuspect(endpoint)
  }

  /** An attempt starts. */
  begin(workspaceId: string, endpointId: string, now: number): Flight {
    const endpoint = this.#endpoint(workspaceId, endpointId)
    const flight = { endpoint, beganAt: performance.now() }
    if (endpoint.perSecond !== null) endpoint.starts.push(now)
    endpoint.flights.add(flight)
    this.#flights.add(flight)
    return flight
  }

  /** The endpoint's own limit; null = none. */
  allow({ endpoint }: Flight, perSecond: number | null): void {
    endpoint.perSecond = perSecond
  }

  end(flight: Flight, end: FlightEnd, now: number): void {
    const { endpoint, beganAt } = flight
    endpoint.flights.delete(flight)
    this.#flights.delete(flight)
    if (end === null) endpoint.starts.pop()
    else learn(endpoint, { failed: end === 'failed', slow: performance.now() - beganAt >= slowMs, now })
  }

  #endpoint(workspaceId: string, endpointId: string): Endpoint {
    let endpoint = this.#endpoints.get(endpointId)
    if (!endpoint) {
      if (this.#endpoints.size >= sweepAbove) this.#sweep()
      endpoint = {
        workspaceId,
        places: 1,
        suspect: false,
        failures: 0,
        pausedUntil: 0,
        perSecond: defaultPerSecond,
        starts: [],
        flights: new Set(),
      }
      this.#endpoints.set(endpointId, endpoint)
    }
    return endpoint
  }

  #suspectsInFlight(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { endpoint } of this.#flights) {
      const { workspaceId } = endpoint
      if (isSuspect(endpoint)) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
    }
    return counts
  }

  #sweep(): void {
    for (const [id, { suspect, flights }] of this.#endpoints)
      if (!suspect && flights.size === 0) this.#endpoints.delete(id)
  }
}

function learn(endpoint: Endpoint, { failed, slow, now }: { failed: boolean; slow: boolean; now: number }): void {
  endpoint.suspect = failed || slow
  endpoint.places = endpoint.suspect
    ? Math.max(1, Math.floor(endpoint.places / 2))
    : Math.min(mostPlaces, endpoint.places + 1)
  endpoint.failures = failed ? endpoint.failures + 1 : 0
  const pauses = endpoint.failures - failuresUntilOpen
  endpoint.pausedUntil = pauses < 0 ? 0 : now + Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(pauses, 10))
}

/** After a pause a single request shows whether it is over. */
function concurrency(endpoint: Endpoint): number {
  return endpoint.failures >= failuresUntilOpen || isSuspect(endpoint) ? 1 : endpoint.places
}

function isSuspect({ suspect, flights }: Endpoint): boolean {
  if (suspect) return true
  const [oldest] = flights
  return oldest !== undefined && performance.now() - oldest.beganAt >= slowMs
}

/** A longer pause means that the clock was set back since; so does a start in the future. */
function isPaused({ pausedUntil }: Endpoint, now: number): boolean {
  return pausedUntil > now && pausedUntil - now <= longestPauseMs
}

function roomInRate(endpoint: Endpoint, now: number): number {
  const { starts, perSecond } = endpoint
  while (starts[0] !== undefined && (starts[0] <= now - second || starts[0] > now)) starts.shift()
  return perSecond === null ? Number.POSITIVE_INFINITY : perSecond - starts.length
}

const throttle = () => new EndpointThrottle()

/** The throttle of this app. */
export function endpointThrottle(app: App): EndpointThrottle {
  return app.own(throttle)
}
