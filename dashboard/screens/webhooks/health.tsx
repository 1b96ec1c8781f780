// The last finished deliveries to an endpoint as a strip of cells, the newest at the right, and how many wait.

import { get } from '../../api.ts'
import { useLoaded } from '../../parts/load.tsx'
import { statusWord } from '../../parts/status.tsx'
import { comma, count, moment } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/webhook-endpoints/:endpointId/deliveries'
const shownAtMost = 100
const tones = { delivered: 'good', failed: 'bad', skipped: 'other', pending: 'warn' } as const
const [width, height, gap] = [6, 20, 2]

type Last = Awaited<ReturnType<typeof lastDeliveries>>

/** Oldest first. */
export async function lastDeliveries(endpointId: string, signal: AbortSignal) {
  const params = { endpointId }
  const [{ data }, { pagination }] = await Promise.all([
    get(path, { params, query: { perPage: shownAtMost, state: 'ended' } }, signal),
    get(path, { params, query: { perPage: 10, state: 'pending' } }, signal),
  ])
  return { ended: data.toReversed(), waiting: pagination.totalResults }
}

export function HealthOf({ endpointId }: { endpointId: string }) {
  const last = useLoaded(endpointId, (signal) => lastDeliveries(endpointId, signal))
  return last.value === undefined ? null : <Health last={last.value} />
}

export function Health({ last: { ended: deliveries, waiting } }: { last: Last }) {
  const wait = waiting === 0 ? '' : words.waiting(waiting)
  if (deliveries.length === 0) return <span class="muted">{wait || words.noneYet}</span>
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length
  const says = [words.healthIs({ delivered: count(delivered), of: count(deliveries.length) }), wait]
    .filter(Boolean)
    .join(comma)
  const wide = deliveries.length * (width + gap)
  return (
    <span class="health">
      <svg
        class="strip"
        width={wide}
        height={height}
        viewBox={`0 0 ${wide} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={says}
      >
        {deliveries.map(({ id, state, type, createdAt }, at) => (
          <rect key={id} class={tones[state]} x={at * (width + gap)} width={width} height={height} rx="1">
            <title>{`${type}${comma}${statusWord(state)}${comma}${moment(createdAt)}`}</title>
          </rect>
        ))}
      </svg>
      <span class="muted">{says}</span>
    </span>
  )
}
