// Relays beside receivers: how much each took, put off and refused in the last day. Where little was taken the cell is the redder; the same
// stands in it in words. A cell leads to what was answered.

import { useState } from 'preact/hooks'
import { get, toCall } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { pairPath, receiverName } from '../../parts/receivers.ts'
import { useRepeat } from '../../parts/repeat.ts'
import { usePlace } from '../../place.ts'
import { colon } from '../../words.ts'
import { Limits, type Pair, shadeOf, shades } from './pair.tsx'
import { words } from './receiver-words.ts'
import { Tabs } from './tabs.tsx'

const path = '/v1/receivers'
const lookEveryMs = 10_000
const shownAtFirst = 25

async function loadAll(signal: AbortSignal) {
  const [{ data }, relays] = await Promise.all([get(path, {}, signal), get('/v1/relays', {}, signal)])
  const names = new Map(relays.data.map(({ id, name }) => [id, name]))
  // A relay that was removed may have carried mail today.
  for (const { relayId } of data) if (!names.has(relayId)) names.set(relayId, words.gone(relayId))
  return { rows: inRows(data), relays: [...names] }
}

interface ReceiverRow {
  receiver: string
  pairs: Pair[]
}

/** Where less is asked for comes first; then by how much mail there was. */
function inRows(data: Pair[]): ReceiverRow[] {
  const rows = [...Map.groupBy(data, ({ receiver }) => receiver)].map(([receiver, pairs]) => ({ receiver, pairs }))
  const isLimited = ({ pairs }: ReceiverRow) => pairs.some(({ lastReply }) => lastReply !== null)
  return rows.toSorted((one, other) => Number(isLimited(other)) - Number(isLimited(one)))
}

export default function Receivers() {
  const page = useLoaded('', loadAll)
  useRepeat(lookEveryMs, page.reload)
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="receivers" />
      <p class="muted">{words.how}</p>
      <Show of={page}>
        {({ rows, relays }) =>
          rows.length === 0 ? (
            <Empty says={words.empty} act={{ to: '/templates', says: words.firstMail }} />
          ) : (
            <HeatMap rows={rows} relays={relays} />
          )
        }
      </Show>
    </>
  )
}

function HeatMap({ rows, relays }: { rows: ReceiverRow[]; relays: [id: string, name: string][] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, shownAtFirst)
  return (
    <>
      <Legend />
      <div class="heat-map">
        <table>
          <caption class="unseen">{words.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{words.receiver}</th>
              {relays.map(([id, name]) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ receiver, pairs }) => (
              <tr key={receiver}>
                <th scope="row">{receiverName(receiver)}</th>
                {relays.map(([id, name]) => (
                  <td key={id} data-name={name}>
                    <Cell pair={pairs.find(({ relayId }) => relayId === id)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <p>
          <button type="button" onClick={() => setWhole(true)}>
            {words.showAll(rows.length)}
          </button>
        </p>
      )}
    </>
  )
}

function Cell({ pair }: { pair: Pair | undefined }) {
  const { to } = usePlace()
  if (pair === undefined) return <span class="heat muted">{words.nothing}</span>
  const { accepted, deferred, refused } = pair.day
  return (
    <a class={`heat ${shadeOf(pair)}`} href={to(pairPath(pair))}>
      <strong>{words.accepted(accepted)}</strong>
      {deferred > 0 && <span>{words.deferred(deferred)}</span>}
      {refused > 0 && <span>{words.refused(refused)}</span>}
      <Limits of={pair} />
    </a>
  )
}

function Legend() {
  return (
    <p class="legend">
      <span class="muted">
        {words.legend}
        {colon}
      </span>
      {shades.map((shade) => (
        <span key={shade} class={`heat ${shade}`}>
          {words.shades[shade]}
        </span>
      ))}
    </p>
  )
}
