// What becomes of a campaign: every recipient in one state, so that they add up to the audience; what people did; and where they clicked.

import { get } from '../../api.ts'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Shares } from '../../parts/shares.tsx'
import { statusWord } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import type { Campaign } from './campaign.tsx'
import { Uncertain } from './uncertain.tsx'
import { words } from './words.ts'

/** In the order of the bar. */
export const states = [
  'sent',
  'sending',
  'delayed',
  'queued',
  'uncertain',
  'bounced',
  'failed',
  'unsubscribed',
  'unconfirmed',
  'suppressed',
  'rate_guardrail',
  'cancelled',
] as const

export function Report({ campaign, reload }: { campaign: Campaign; reload: () => void }) {
  const { to } = usePlace()
  const { id, stats, status } = campaign
  const isGoing = status === 'sending'
  const shares = states.map((state) => ({
    key: state,
    name: statusWord(state),
    why: words.why.outcomes[state] ?? '',
    count: stats[state],
    href: to(`/campaigns/${id}/recipients?state=${state}`),
  }))
  return (
    <>
      <section>
        <h2>{isGoing ? words.progress : words.report}</h2>
        {isGoing && <p class="muted">{words.going}</p>}
        <Shares caption={isGoing ? words.progress : words.report} shares={shares} />
      </section>
      {stats.uncertain > 0 && <Uncertain campaign={campaign} reload={reload} />}
      <Facts
        title={words.engagement}
        facts={[
          [words.opened, engaged(stats.opened, stats.machineOpened)],
          [words.clicked, engaged(stats.clicked, stats.machineClicked)],
          [words.complained, count(stats.complained)],
        ]}
      />
      {stats.clicked + stats.machineClicked > 0 && <Links campaignId={id} clicks={stats.clicked} />}
    </>
  )
}

function engaged(people: number, machines: number): string {
  return machines === 0 ? count(people) : `${count(people)} (${words.machines(count(machines))})`
}

function Links({ campaignId, clicks }: { campaignId: string; clicks: number }) {
  const links = useLoaded(`${campaignId} ${clicks}`, (signal) =>
    get('/v1/campaigns/:campaignId/links', { params: { campaignId } }, signal),
  )
  return (
    <section>
      <h2>{words.links}</h2>
      <Show of={links}>
        {({ data }) => (
          <Table
            caption={words.links}
            rows={data}
            keyOf={({ url }) => url}
            columns={[
              { name: words.url, show: ({ url }) => url },
              { name: words.clicks, isFigure: true, show: (one) => count(one.clicks) },
              { name: words.machineClicks, isFigure: true, show: (one) => count(one.machineClicks) },
            ]}
          />
        )}
      </Show>
    </section>
  )
}
