// What happened with one person, the newest first: their mails, events, opens and clicks, and what they agreed to.

import { useState } from 'preact/hooks'
import { type Got, get } from '../../api.ts'
import type { MailingList } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Status } from '../../parts/status.tsx'
import { suppressionReasons } from '../../parts/suppressed.ts'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import { describeAction } from './ledger.tsx'
import { words } from './person-words.ts'

const path = '/v1/contacts/:contactId/timeline'
const perPage = 10

type Page = Got<typeof path>
type Happening = Page['data'][number]

export function Timeline({ contactId, lists }: { contactId: string; lists: MailingList[] }) {
  const load = (cursor: string | null, signal?: AbortSignal) =>
    get(path, { params: { contactId }, query: { perPage, ...(cursor && { cursor }) } }, signal)
  const first = useLoaded(contactId, (signal) => load(null, signal))
  return (
    <section>
      <h2>{words.timeline}</h2>
      <Show of={first}>{(page) => <Happenings key={page.data[0]?.at} first={page} lists={lists} more={load} />}</Show>
    </section>
  )
}

interface Props {
  first: Page
  lists: MailingList[]
  more: (cursor: string) => Promise<Page>
}

function Happenings({ first, lists, more }: Props) {
  const [pages, setPages] = useState([first])
  const act = useAct()
  const happenings = pages.flatMap(({ data }) => data)
  const next = pages.at(-1)?.pagination.nextCursor ?? null
  if (happenings.length === 0) return <p class="muted">{words.timelineEmpty}</p>
  return (
    <>
      <ol class="history">
        {happenings.map((one, number) => (
          <li key={number}>
            <time dateTime={one.at}>{moment(one.at)}</time> <What of={one} lists={lists} />
          </li>
        ))}
      </ol>
      <WhyNot act={act} />
      {next !== null && (
        <button
          type="button"
          class="quiet"
          disabled={act.isRunning}
          onClick={() =>
            void act.run(async () => {
              const page = await more(next)
              setPages((before) => [...before, page])
            })
          }
        >
          {words.earlier}
        </button>
      )}
    </>
  )
}

function What({ of, lists }: { of: Happening; lists: MailingList[] }) {
  const { to } = usePlace()
  if (of.mail)
    return (
      <>
        <Status status={of.mail.status} /> <a href={to(`/activity/${of.mail.messageId}`)}>{of.mail.subject}</a>
      </>
    )
  if (of.event)
    return (
      <>
        {words.event} <a href={to(`/events/${of.event.id}`)}>{of.event.name}</a>
      </>
    )
  if (of.open) return <>{words.opened(of.open.name)}</>
  if (of.click) return <>{words.clicked(of.click.name)}</>
  if (of.consent) return <>{describeAction(of.consent, lists)}</>
  if (of.suppression) return <>{words.wasSuppressed(suppressionReasons[of.suppression.reason])}</>
  if (of.campaign)
    return (
      <>
        <Status status={of.campaign.state} />{' '}
        <a href={to(`/campaigns/${of.campaign.campaignId}`)}>{of.campaign.name}</a>
      </>
    )
  return null
}
