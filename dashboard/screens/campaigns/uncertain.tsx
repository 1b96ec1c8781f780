// Mails of a campaign with an unknown outcome: a person decides about them, one by one or all at once.

import { useState } from 'preact/hooks'
import { ownValue } from '../../../src/kit/own-value.ts'
import { type Got, get, type Listed, post } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/jobs'
const perPage = 100
/** As many as one request resolves. */
const atOnce = 1_000

type Job = Listed<typeof path>
type Decision = 'done' | 'resend'

export function Uncertain({ campaign, reload }: { campaign: Campaign; reload: () => void }) {
  const { to, workspace } = usePlace()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const jobs = useLoaded(`${campaign.id} ${campaign.stats.uncertain}`, (signal) => jobsOf(campaign.id, signal))
  const resolve = (some: Job[], verdict: Decision) =>
    act.run(async () => {
      const { results } = await post(`${path}/resolve`, { body: { verdict, jobIds: some.map(({ jobId }) => jobId) } })
      announce(words.resolved(count(results.filter(({ outcome }) => outcome !== 'refused').length)))
      reload()
    })
  const actions: Column<Job> = {
    name: words.action,
    show: (job) => (
      <>
        <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void resolve([job], 'done')}>
          {words.arrived}
        </button>
        <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void resolve([job], 'resend')}>
          {words.again}
        </button>
      </>
    ),
  }
  const mayChange = workspace.role !== 'viewer'
  return (
    <section>
      <h2>{words.uncertain}</h2>
      <p>{words.uncertainHow}</p>
      <WhyNot act={act} />
      <Show of={jobs}>
        {(found) => (
          <>
            {mayChange && (
              <div class="actions">
                <button type="button" disabled={act.isRunning} onClick={() => void resolve(found, 'done')}>
                  {words.allArrived}
                </button>
                <button type="button" disabled={act.isRunning} onClick={() => setAsking(true)}>
                  {words.allAgain}
                </button>
              </div>
            )}
            <Table
              caption={words.uncertain}
              rows={found}
              keyOf={({ jobId }) => jobId}
              hrefOf={({ payload }) => to(`/activity/${toText(payload, 'messageId')}`)}
              columns={[
                { name: words.contact, show: ({ payload }) => toText(payload, 'email'), isLink: true },
                { name: words.reason, show: ({ code, detail }) => detail ?? code },
                ...(mayChange ? [actions] : []),
              ]}
            />
            {isAsking && (
              <Confirm
                title={words.allAgainTitle}
                does={words.allAgain}
                close={() => setAsking(false)}
                run={() => void resolve(found, 'resend')}
              >
                <p>{words.allAgainHow}</p>
              </Confirm>
            )}
          </>
        )}
      </Show>
    </section>
  )
}

function toText(payload: Job['payload'], name: string): string {
  return String(ownValue<unknown>(payload, name) ?? '')
}

/** The jobs whose outcome is unknown are few, and say of which campaign they are. */
async function jobsOf(campaignId: string, signal: AbortSignal): Promise<Job[]> {
  const found: Job[] = []
  let cursor: string | null = ''
  while (cursor !== null && found.length < atOnce) {
    const query = { state: 'ambiguous' as const, kind: 'deliver-campaign-mail', perPage, ...(cursor && { cursor }) }
    const page: Got<typeof path> = await get(path, { query }, signal)
    found.push(...page.data.filter(({ payload }) => toText(payload, 'campaignId') === campaignId))
    cursor = page.pagination.nextCursor
  }
  return found.slice(0, atOnce)
}
