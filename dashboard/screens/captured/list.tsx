// Captured mail, newest first; what comes while somebody looks appears by itself.

import { useEffect, useState } from 'preact/hooks'
import { get, toCall, toCurl } from '../../api.ts'
import { announce } from '../../parts/announce.tsx'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FirstMail } from '../../parts/first-mail.tsx'
import { ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/activity/captured'
const wait = `${path}/wait` as const
const timeoutMs = 25_000
const exampleQuery = { to: 'you@example.net', subject: 'Hello', timeoutMs }

export default function CapturedList() {
  const { to } = usePlace()
  const [round, setRound] = useState(0)
  const list = useList({
    screen: '/captured',
    path,
    filters: ['q'],
    round,
    load: (query, signal) => get(path, { query }, signal),
  })
  const { value } = list.page
  const newest = value && list.cursor === '' ? (value.data[0]?.capturedId ?? '0') : null
  useArrivals(newest, list.filter['q'] ?? '', () => setRound((before) => before + 1))
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={<SearchBy of={list} name="q" label={words.search} hint={words.hint} />}
      emptyFiltered={words.emptyFiltered}
      empty={
        <Empty says={words.empty} act={{ to: '/templates', says: words.firstMail }}>
          <Code>{toCurl(toCall('GET', wait, { query: exampleQuery }))}</Code>
          <p>{words.first}</p>
          <FirstMail />
        </Empty>
      }
    >
      {({ data }) => (
        <>
          <p class="muted">{words.live}</p>
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ capturedId }) => capturedId}
            hrefOf={({ capturedId }) => to(`/captured/${capturedId}`)}
            columns={[
              { name: words.subject, show: ({ subject }) => subject || words.noSubject, isLink: true },
              { name: words.to, show: (one) => one.to },
              { name: words.from, show: ({ from }) => from },
              { name: words.when, show: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        </>
      )}
    </ListPage>
  )
}

/** Calls back for the first mail after `newest`; null: for none. Nobody waits while the page is in the background. */
function useArrivals(newest: string | null, q: string, arrived: () => void): void {
  useEffect(() => {
    if (newest === null) return
    const stop = new AbortController()
    const isThere = async () => {
      for (;;) {
        await visible(stop.signal)
        if (stop.signal.aborted) return false
        const { mail } = await get(wait, { query: { q, after: newest, timeoutMs } }, stop.signal)
        if (mail !== null) return true
      }
    }
    isThere().then(
      (there) => {
        if (!there) return
        announce(words.arrived)
        arrived()
      },
      // Refused, or the server is down: loaded mails can still be read.
      () => {},
    )
    return () => stop.abort()
  }, [newest, q])
}

async function visible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return
  const { promise, resolve } = Promise.withResolvers<void>()
  document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
}
