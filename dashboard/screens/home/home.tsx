// Home: what to do first, what waits for me, is it well, and what happened last.

import { type Got, get, type Listed } from '../../api.ts'
import { Attention } from '../../parts/attention.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Mails } from '../../parts/mails.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { usePlace } from '../../place.ts'
import { colon, inLanguage } from '../../words.ts'
import { Deliverability } from './deliverability.tsx'
import { useFirstSteps } from './first-steps.tsx'
import { Sending } from './sending.tsx'
import { Waiting } from './waiting.tsx'

const words = inLanguage(catalogue.home.home)

const shownAtMost = 8
/** What needs attention may be over, or begin. */
const lookEveryMs = 10_000

export default function Home() {
  const { workspace } = usePlace()
  const page = useLoaded(workspace.id, async (signal) => {
    const [attention, mails, place] = await Promise.all([
      get('/v1/attention', {}, signal),
      get('/v1/activity', { query: { perPage: shownAtMost } }, signal),
      get('/v1/workspace', {}, signal),
    ])
    return { attention: attention.data, mails: mails.data, place }
  })
  useRepeat(lookEveryMs, page.reload)
  return (
    <>
      <header class="title">
        <h1>{workspace.name}</h1>
      </header>
      <Show of={page}>{(found) => <Cockpit {...found} changed={page.reload} />}</Show>
    </>
  )
}

interface Props {
  attention: Listed<'/v1/attention'>[]
  mails: Listed<'/v1/activity'>[]
  place: Got<'/v1/workspace'>
  changed: () => void
}

function Cockpit({ attention, mails, place, changed }: Props) {
  const { to, workspace } = usePlace()
  const isCaptured = attention.some(({ code }) => code === 'capture_mode')
  const hasMail = mails.length > 0
  const firstSteps = useFirstSteps({ hasMail, isCaptured, lookEveryMs })
  return (
    <>
      <p class="under muted">
        {words.trust(place.trustLevel)}
        {colon}
        <a href="/docs/campaigns#trust-levels">{words.trustHow}</a>
      </p>
      {firstSteps}
      <Attention items={attention} changed={changed} />
      <Waiting />
      {hasMail && (
        <>
          <Sending workspaceId={workspace.id} />
          <Deliverability />
          <section>
            <header class="title">
              <h2>{words.last}</h2>
              <a href={to('/activity')}>{words.all}</a>
            </header>
            <Mails caption={words.last} mails={mails} />
          </section>
        </>
      )}
      {!hasMail && firstSteps === null && (
        <section>
          <h2>{words.last}</h2>
          <Empty says={words.none} act={{ to: '/templates', says: words.write }}>
            <FirstMail />
          </Empty>
        </section>
      )}
    </>
  )
}
