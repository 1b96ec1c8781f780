// What became of the times of a recurring campaign: the campaign of each, or why there is none.

import { ownValue } from '../../../src/kit/own-value.ts'
import type { Recurring } from '../../nouns.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { count, moment } from '../../words.ts'
import { words } from './words.ts'

export function Runs({ runs }: Pick<Recurring, 'runs'>) {
  const { to } = usePlace()
  return (
    <section>
      <h2>{words.runs}</h2>
      {runs.length === 0 ? (
        <p class="muted">{words.noRuns}</p>
      ) : (
        <Table
          caption={words.runsCaption}
          rows={runs}
          keyOf={({ at }) => at}
          columns={[
            { name: words.time, show: ({ at }) => moment(at) },
            { name: words.outcome, show: ({ outcome }) => <Status status={outcome} /> },
            {
              name: words.why,
              show: ({ campaignId, code, reason }) =>
                campaignId === null ? (
                  (ownValue(words.reasons, code ?? '') ?? reason)
                ) : (
                  <a href={to(`/campaigns/${campaignId}`)}>{words.showCampaign}</a>
                ),
            },
            { name: words.shown, isFigure: true, show: ({ items }) => items > 0 && count(items) },
          ]}
        />
      )}
    </section>
  )
}
