// The rehearsal of a campaign: when the last of its mails would leave, and what limits it. Nothing is sent.

import { useState } from 'preact/hooks'
import { type Posted, post, toCall } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { moment } from '../../words.ts'
import { limitWords } from './forecast.tsx'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId/rehearse'
const over = ['sent', 'cancelled', 'failed']

export function Rehearsal({ campaign: { id: campaignId, status } }: { campaign: Campaign }) {
  const act = useAct()
  const [told, setTold] = useState<Posted<typeof path> | null>(null)
  if (over.includes(status)) return null
  const params = { campaignId }
  const rehearse = () => act.run(async () => setTold(await post(path, { params, body: {} })))
  return (
    <section aria-labelledby="rehearsal">
      <header class="title">
        <h2 id="rehearsal">{words.rehearsal}</h2>
        <CopyCurl call={toCall('POST', path, { params, body: {} })} />
      </header>
      <p class="muted">{words.rehearsalHow}</p>
      <WhyNot act={act} />
      <p class="actions">
        <button type="button" disabled={act.isRunning} onClick={() => void rehearse()}>
          {words.rehearse}
        </button>
      </p>
      <p role="status">{told && inWords(told)}</p>
    </section>
  )
}

function inWords({ problem, leaves, left, lastAt, limit }: Posted<typeof path>): string {
  if (problem !== null) return `${words.nothingLeaves} ${problem}`
  return [
    lastAt === null ? words.nothingLeaves : words.lastLeaves({ leaves, at: moment(lastAt) }),
    left > 0 && words.notInTime(left),
    limitWords(limit),
  ]
    .filter(Boolean)
    .join(' ')
}
