// How long an endpoint took to answer, attempt by attempt.

import { get, toCall } from '../../api.ts'
import { Chart } from '../../parts/chart.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { words } from './words.ts'

const path = '/v1/webhook-endpoints/:endpointId/attempts'
const query = { perPage: 100 }

type Attempt = Awaited<ReturnType<typeof lastAttempts>>[number]

/** Oldest first. */
export async function lastAttempts(endpointId: string, signal: AbortSignal) {
  const { data } = await get(path, { params: { endpointId }, query }, signal)
  return data.toSorted((one, other) => one.at.localeCompare(other.at))
}

export function Latency({ endpointId, attempts }: { endpointId: string; attempts: Attempt[] }) {
  if (attempts.length === 0) return null
  const took = (isTaken: boolean) =>
    attempts.map(({ code, durationMs }) => ((code === null) === isTaken ? durationMs : null))
  return (
    <section>
      <Chart
        title={words.latency}
        isOfMoments
        times={attempts.map(({ at }) => at)}
        series={[
          { name: words.takenMs, colour: '--good', values: took(true) },
          { name: words.notTakenMs, colour: '--bad', values: took(false) },
        ]}
      />
      <CopyCurl call={toCall('GET', path, { params: { endpointId }, query })} />
    </section>
  )
}
