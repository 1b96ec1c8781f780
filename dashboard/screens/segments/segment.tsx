// One segment, or a new one: its conditions in words or to be changed, and who is in it.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { SegmentFilter } from '../../../db/tables/segments.ts'
import { type Got, get, patch, post, remove, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Time } from '../../parts/time.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { type Choices, loadChoices } from './choices.ts'
import { blank, toGroup } from './filter.ts'
import { Members } from './members.tsx'
import { Read } from './read.tsx'
import { words } from './words.ts'
import { type SegmentDraft, Write } from './write.tsx'

const segments = '/v1/segments'
const againMs = 2_000
const path = `${segments}/:segmentId` as const

type Segment = Omit<Got<typeof path>, 'filter'> & { filter: SegmentFilter }
type Body = Pick<Segment, 'name' | 'filter'>

export default function SegmentPage() {
  const { segmentId } = useRoute().params
  const { to } = usePlace()
  return (
    <>
      <p>
        <a class="back" href={to('/segments')}>
          {words.all}
        </a>
      </p>
      {segmentId === undefined ? <NewSegment /> : <KnownSegment segmentId={segmentId} />}
    </>
  )
}

const nothing: SegmentDraft = { name: '', group: { mode: 'all', parts: [blank.field] } }
const example = { name: 'Pro', filter: { field: 'plan', op: 'eq', value: 'pro' } }

function NewSegment() {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const choices = useLoaded('choices', loadChoices)
  const create = (body: Body) =>
    act.run(async () => {
      const { id } = await post(segments, { body })
      route(to(`/segments/${id}`))
    })
  return (
    <>
      <header class="title">
        <h1>{words.create}</h1>
        <CopyCurl call={toCall('POST', segments, { body: example })} />
      </header>
      <Show of={choices}>{(all) => <Write start={nothing} choices={all} act={act} save={create} />}</Show>
    </>
  )
}

function KnownSegment({ segmentId }: { segmentId: string }) {
  const params = { segmentId }
  const { mayChange } = usePlace()
  const [round, setRound] = useState(0)
  const [isWriting, setWriting] = useState(false)
  const act = useAct()
  const page = useLoaded(segmentId, async (signal) => {
    const [segment, choices] = await Promise.all([get(path, { params }, signal), loadChoices(signal)])
    return { segment: segment as Segment, choices }
  })
  const change = async (body: Body) => {
    await patch(path, { params, body })
    page.reload()
    setRound((before) => before + 1)
  }
  const save =
    ({ name, filter }: Segment) =>
    (body: Body) =>
      act.run(async () => {
        await change(body)
        setWriting(false)
        offerUndo(words.saved, () => change({ name, filter }))
      })
  return (
    <Show of={page}>
      {({ segment, choices }) => (
        <>
          <header class="title">
            <h1>{segment.name}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under muted">
            <Copy text={segment.id} label={segment.id} /> {words.changed} <Time at={segment.updatedAt} />
          </p>
          {isWriting ? (
            <>
              <p class="muted">{words.waiting}</p>
              <Write
                start={toDraft(segment)}
                choices={choices}
                act={act}
                save={save(segment)}
                close={() => setWriting(false)}
              />
            </>
          ) : (
            <Meaning filter={segment.filter} choices={choices} />
          )}
          {mayChange && !isWriting && (
            <div class="actions">
              <button type="button" onClick={() => setWriting(true)}>
                {words.change}
              </button>
              <Removal segment={segment} />
            </div>
          )}
          {!isWriting && segment.state === 'building' && <Building percent={segment.builtPercent} look={page.reload} />}
          {!isWriting && <Members segmentId={segmentId} round={round} />}
        </>
      )}
    </Show>
  )
}

/** It is looked at again until it is built. */
function Building({ percent, look }: { percent: number; look: () => void }) {
  useRepeat(againMs, look)
  return (
    <p class="muted" role="status">
      {words.building(percent)}. {words.untilBuilt}
    </p>
  )
}

function Meaning({ filter, choices }: { filter: SegmentFilter; choices: Choices }) {
  return (
    <section aria-label={words.conditions}>
      <Read group={toGroup(filter)} choices={choices} />
    </section>
  )
}

const toDraft = ({ name, filter }: Segment): SegmentDraft => ({ name, group: toGroup(filter) })

/** It can be made again as it was; while a campaign is for it, it stays. */
function Removal({ segment: { id, name, filter } }: { segment: Segment }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const removeIt = () =>
    act.run(async () => {
      await remove(path, { params: { segmentId: id } })
      route(to('/segments'))
      offerUndo(words.removed(name), async () => {
        const { id: again } = await post(segments, { body: { name, filter } })
        route(to(`/segments/${again}`))
      })
    })
  const [campaignId] = /cmp_[0-9a-f]{32}/.exec(act.error ?? '') ?? []
  return (
    <>
      <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void removeIt()}>
        {words.remove}
      </button>
      <WhyNot act={act} />
      {campaignId && <a href={to(`/campaigns/${campaignId}`)}>{words.usedBy}</a>}
    </>
  )
}
