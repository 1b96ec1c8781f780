// Everything that waits on one page, one below the other, to be read and approved together: `a` and Enter approve what is ticked, each as it
// stood here. What gives reason to doubt begins without a tick, and so does what changed after it was read.

import { useRef, useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import type { Approval } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ListRows, useList } from '../../parts/list.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { BatchItem } from './batch-item.tsx'
import { approve, type Decide, refuse, type SeenHash, whyNot } from './deciding.ts'
import { doubtsOf } from './doubts.tsx'
import { words } from './words.ts'

const path = '/v1/approvals'
/** As many as somebody reads in one go. */
const perPage = 10

export default function BatchPage() {
  const { to } = usePlace()
  const list = useList({
    screen: '/approvals/read',
    path,
    filters: [],
    always: { perPage: String(perPage) },
    load: async (query, signal) => {
      const { data, pagination } = await get(path, { query }, signal)
      const read = ({ id: approvalId }: { id: string }) =>
        get('/v1/approvals/:approvalId', { params: { approvalId } }, signal)
      return { data: await Promise.all(data.map(read)), pagination }
    },
  })
  return (
    <>
      <p>
        <a class="back" href={to('/approvals')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.readAll}</h1>
      </header>
      <ListRows of={list} empty={<p class="notice">{words.empty}</p>} emptyFiltered="">
        {({ data }) => <Batch approvals={data} reload={list.page.reload} />}
      </ListRows>
    </>
  )
}

/** A tick is for these words and no others. */
const keyOf = ({ id, contentHash }: SeenHash) => `${id} ${contentHash}`

/** Whether one says something else than when it was first read here; `wrote`: the reader did that. */
function useChanged(approvals: Approval[]) {
  const { ids, keys } = useRef({ ids: new Set<string>(), keys: new Set<string>() }).current
  for (const one of approvals) {
    if (!ids.has(one.id)) keys.add(keyOf(one))
    ids.add(one.id)
  }
  return { isChanged: (one: Approval) => !keys.has(keyOf(one)), wrote: (seen: SeenHash) => void keys.add(keyOf(seen)) }
}

/** What is ticked, why one was not decided, and deciding. */
function useDecisions(approvals: Approval[], reload: () => void) {
  const act = useAct()
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map())
  const { isChanged, wrote } = useChanged(approvals)
  const whyNotOf = (one: Approval) => failed.get(one.id) ?? (isChanged(one) ? words.stale : null)
  const isTicked = (one: Approval) => chosen.get(keyOf(one)) ?? (doubtsOf(one).length === 0 && whyNotOf(one) === null)
  const tick = (one: Approval, isOn: boolean) => setChosen((before) => new Map(before).set(keyOf(one), isOn))
  const decide = (by: Decide, seen: Approval[]) =>
    act.run(async () => {
      const results = await by(seen)
      const errors = results.flatMap((one): [string, string][] => {
        const why = whyNot(one)
        return why === null ? [] : [[one.id, why]]
      })
      setFailed((before) => new Map([...before, ...errors]))
      setChosen((before) => new Map([...before].filter(([key]) => !seen.some((one) => keyOf(one) === key))))
      announce(words.decided({ done: count(results.length - errors.length), left: count(errors.length) }))
      reload()
    })
  return { act, isTicked, tick, whyNotOf, decide, wrote }
}

function Batch({ approvals, reload }: { approvals: Approval[]; reload: () => void }) {
  const { mayChange } = usePlace()
  const { act, isTicked, tick, whyNotOf, decide, wrote } = useDecisions(approvals, reload)
  const all = useRef<HTMLDivElement>(null)
  const [edited, setEdited] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const ticked = approvals.filter(isTicked)
  const isOff = act.isRunning || edited !== null

  const itemAt = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-approval]')?.dataset['approval']
    return approvals.find((one) => one.id === id)
  }
  /** The focus moves, so that Enter opens it and a screen reader says it. */
  const move = (by: number) => {
    const here = itemAt()
    const at = here ? approvals.indexOf(here) : -1
    const next = Math.max(0, Math.min(approvals.length - 1, at + by))
    all.current?.querySelectorAll<HTMLElement>('[data-approval] h2 a')[next]?.focus()
  }
  const onItem = (run: (one: Approval) => void) => () => {
    const one = itemAt()
    if (one && !isOff) run(one)
  }
  const edit = (one: Approval) => setEdited(mayEdit(one) ? one.id : null)
  const ask = () => setAsking(!isOff && ticked.length > 0)
  useShortcuts([
    { keys: 'j', says: words.nextOne, run: () => move(1) },
    { keys: 'k', says: words.previousOne, run: () => move(-1) },
    ...(mayChange
      ? [
          { keys: 'a', says: words.approveTicked, run: ask },
          { keys: 'x', says: words.tickOne, run: onItem((one) => tick(one, !isTicked(one))) },
          { keys: 'e', says: words.edit, run: onItem(edit) },
          { keys: 'r', says: words.refuse, run: onItem((one) => void decide(refuse, [one])) },
        ]
      : []),
  ])

  return (
    <div ref={all} class="batch">
      <p class="muted">{mayChange ? words.batchHow : words.forMembers}</p>
      <WhyNot act={act} />
      {approvals.map((one) => (
        <BatchItem
          key={one.id}
          approval={one}
          failed={whyNotOf(one)}
          isTicked={isTicked(one)}
          tick={(isOn) => tick(one, isOn)}
          isOff={isOff}
          isEditing={edited === one.id}
          edit={mayEdit(one) ? () => edit(one) : null}
          close={() => setEdited(null)}
          refuse={() => void decide(refuse, [one])}
          saved={(seen) => {
            wrote(seen)
            reload()
          }}
        />
      ))}
      {mayChange && (
        <div class="actions decide">
          <button type="button" class="main" disabled={isOff || ticked.length === 0} onClick={ask}>
            {words.approveSome(count(ticked.length))} <kbd>a</kbd>
          </button>
          {edited !== null && <span class="muted">{words.editFirst}</span>}
        </div>
      )}
      {isAsking && (
        <Confirm
          title={words.askSome(count(ticked.length))}
          does={words.approveSome(count(ticked.length))}
          close={() => setAsking(false)}
          run={() => void decide(approve, ticked)}
        >
          <p>{words.askHow}</p>
        </Confirm>
      )}
    </div>
  )
}

/** A call is what it is, and a campaign is changed where it is. */
const mayEdit = ({ kind }: Approval) => kind === 'reply' || kind === 'mail'
