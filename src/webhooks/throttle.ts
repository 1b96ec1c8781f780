// Isolation of endpoints: a slow or failing one must not cost the others their turn. Each endpoint earns its places: it begins
// with one, each quick success gives one more (up to four), slowness or failure halves them. Endpoints that are slow or failing
// share half of a workspace's places. After five failures in a row an endpoint is left alone for a while, then tried with a
// single request. All of this is memory of one process: a restart forgets it and learns it again.

import type { App } from '../app.ts'
import { minute, second } from '../lib/duration.ts'
import type { LaneAllowance, Throttle } from '../outbox/claim.ts'
import type { Head } from '../outbox/heads.ts'
import { lanes } from '../outbox/lanes.ts'

const { perPartition: mostPlaces, perWorkspace } = lanes.webhook
const placesOfSuspects = perWorkspace / 2
/** An answer that takes longer is slow, and so is an endpoint that has not answered for so long. */
const slowMs = second
const failuresUntilOpen = 5
const firstPauseMs = 15 * second
const longestPauseMs = 5 * minute
export const defaultPerSecond = 10
/** Endpoints without a fault and without a request for a minute are forgotten when there are more than so many. */
const sweepAbove = 10_000

interface Endpoint {
  workspaceId: string
  places: number
  /** Slow or failing, as far as we know. */
  suspect: boolean
  /** In a row. */
  failures: number
  pausedUntil: number
  perSecond: number | null
  /** Starts within the last second, the earliest first; milliseconds since 1970. */
  starts: number[]
  flights: Set<Flight>
}

export interface Flight {
  endpoint: Endpoint
  /** performance.now() */
  beganAt: number
}

/** How an attempt went; null when there was none. */
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
      room: ({ workspaceId, partitionKey }) => {
        const endpoint = this.#endpoint(workspaceId, partitionKey)
        const pauseMs = endpoint.pausedUntil - now
        // A longer one is of a clock that was set back since; so is a start that is still to come.
        if (pauseMs > 0 && pauseMs <= longestPauseMs) return hold(endpoint.pausedUntil)
        const taken = granted.get(partitionKey) ?? 0
        const inRate = roomInRate(endpoint, now) - taken
        if (inRate <= 0) return hold((endpoint.starts[0] ?? now) + second)
        const room = Math.min(placesOf(endpoint) - endpoint.flights.size - taken, inRate)
        return isSuspect(endpoint) ? Math.min(room, placesOfSuspects - (suspects.get(workspaceId) ?? 0)) : room
      },
      granted: ({ workspaceId, partitionKey }: Head, count) => {
        granted.set(partitionKey, (granted.get(partitionKey) ?? 0) + count)
        if (isSuspect(this.#endpoint(workspaceId, partitionKey)))
          suspects.set(workspaceId, (suspects.get(workspaceId) ?? 0) + count)
      },
      get againAt() {
        return againAt
      },
    }
  }

  /** An attempt begins. */
  begin(workspaceId: string, endpointId: string, now: number): Flight {
    const endpoint = this.#endpoint(workspaceId, endpointId)
    const flight = { endpoint, beganAt: performance.now() }
    if (endpoint.perSecond !== null) endpoint.starts.push(now)
    endpoint.flights.add(flight)
    this.#flights.add(flight)
    return flight
  }

  /** What the endpoint's owner allows; null = any number. */
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

/** After a pause a single request tells whether it is over. */
function placesOf(endpoint: Endpoint): number {
  return endpoint.failures >= failuresUntilOpen || isSuspect(endpoint) ? 1 : endpoint.places
}

function isSuspect({ suspect, flights }: Endpoint): boolean {
  if (suspect) return true
  const [oldest] = flights
  return oldest !== undefined && performance.now() - oldest.beganAt >= slowMs
}

function roomInRate(endpoint: Endpoint, now: number): number {
  const { starts, perSecond } = endpoint
  while (starts[0] !== undefined && (starts[0] <= now - second || starts[0] > now)) starts.shift()
  return perSecond === null ? Number.POSITIVE_INFINITY : perSecond - starts.length
}

const throttle = () => new EndpointThrottle()

/** The one of this app. */
export function endpointThrottle(app: App): EndpointThrottle {
  return app.own(throttle)
}
