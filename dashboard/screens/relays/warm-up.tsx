// Where the warm-up of a relay stands: its day, and what of today's part each receiver had.

import { receiverName } from '../../parts/receivers.ts'
import { Table } from '../../parts/table.tsx'
import { colon, count } from '../../words.ts'
import type { Relay } from './in-words.tsx'
import { words } from './words.ts'

export function WarmUp({ warmUp: { day, allowed, receivers } }: { warmUp: NonNullable<Relay['warmUp']> }) {
  return (
    <section>
      <h2>{words.warmUp}</h2>
      <p>
        {words.warmUpDay(count(day))}
        {colon}
        {words.warmUpToday(allowed)}
      </p>
      {receivers.length > 0 && (
        <Table
          caption={words.carriedToday}
          rows={receivers}
          keyOf={({ receiver }) => receiver}
          columns={[
            { name: words.receiver, show: ({ receiver }) => receiverName(receiver) },
            {
              name: words.carriedToday,
              isFigure: true,
              show: ({ carried }) => words.ofAllowed({ carried: count(carried), allowed: count(allowed) }),
            },
          ]}
        />
      )}
    </section>
  )
}
