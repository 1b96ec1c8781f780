// One rule, or a new one: its sentence to edit in place, a trial with a received event, and its scheduled mails.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { get, patch, post, remove, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { blank, type Rule, type toBody, toDraft } from './draft.ts'
import { namesOf } from './list.tsx'
import { Scheduled } from './scheduled.tsx'
import { Read } from './sentence.tsx'
import { Try } from './try.tsx'
import { words } from './words.ts'
import { Write } from './write.tsx'

const rules = '/v1/event-rules'
const path = `${rules}/:ruleId` as const
const calendarPath = `${path}/calendar` as const
const lookAgainMs = 3_000

export default function RulePage() {
  const { ruleId } = useRoute().params
  const { to } = usePlace()
  return (
    <>
      <p>
        <a class="back" href={to('/rules')}>
          {words.all}
        </a>
      </p>
      {ruleId === undefined ? <NewRule /> : <StoredRule ruleId={ruleId} />}
    </>
  )
}

function NewRule() {
  const { route, query } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const create = (body: ReturnType<typeof toBody>) =>
    act.run(async () => {
      const { id } = await post(rules, { body })
      route(to(`/rules/${id}`))
    })
  return (
    <>
      <header class="title">
        <h1>{words.create}</h1>
      </header>
      <Write start={{ ...blank, eventName: query['event'] ?? '' }} act={act} save={create} />
    </>
  )
}

function StoredRule({ ruleId }: { ruleId: string }) {
  const params = { ruleId }
  const { workspace } = usePlace()
  const [round, setRound] = useState(0)
  const [isWriting, setWriting] = useState(false)
  const act = useAct()
  const found = useLoaded(ruleId, async (signal) => {
    const [rule, calendar, names] = await Promise.all([
      get(path, { params }, signal),
      get(calendarPath, { params }, signal),
      namesOf(signal),
    ])
    return { rule, calendar, names }
  })
  useRepeat(lookAgainMs, found.reload)
  const reload = () => {
    found.reload()
    setRound((before) => before + 1)
  }
  const change = async (body: Partial<ReturnType<typeof toBody>> & { enabled?: boolean }) => {
    await patch(path, { params, body })
    reload()
  }
  const save = (before: Rule) => (body: ReturnType<typeof toBody>) =>
    act.run(async () => {
      await change(body)
      setWriting(false)
      offerUndo(words.saved, () => change(toSettings(before)))
    })
  const turn = ({ name, enabled }: Rule) =>
    act.run(async () => {
      await change({ enabled: !enabled })
      offerUndo(enabled ? words.switchedOff(name) : words.switchedOn(name), () => change({ enabled }))
    })
  return (
    <Show of={found}>
      {({ rule, calendar, names }) => (
        <>
          <header class="title">
            <h1>{rule.name}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under">
            <Status status={rule.enabled ? 'active' : 'disabled'} />{' '}
            {rule.purpose === 'transactional' && <span>{words.purposes.transactional}</span>}{' '}
            <Copy text={rule.id} label={rule.id} />
          </p>
          {isWriting ? (
            <Write start={toDraft(rule)} act={act} save={save(rule)} />
          ) : (
            <>
              <p class="sentence">
                <Read rule={rule} names={names} />
              </p>
              <WhyNot act={act} />
            </>
          )}
          {workspace.role !== 'viewer' && (
            <div class="actions">
              <button type="button" aria-pressed={isWriting} onClick={() => setWriting(!isWriting)}>
                {words.change}
              </button>
              <button type="button" disabled={act.isRunning} onClick={() => void turn(rule)}>
                {rule.enabled ? words.turnOff : words.turnOn}
              </button>
              <Removal rule={rule} scheduled={calendar.total} />
            </div>
          )}
          <Try rule={rule} round={round} />
          {rule.action === 'send_template' && <Scheduled ruleId={ruleId} calendar={calendar} round={round} />}
        </>
      )}
    </Show>
  )
}

/** All of it that can be set. */
function toSettings({ id: _, createdAt: __, updatedAt: ___, ...settings }: Rule) {
  return settings
}

/** With nothing scheduled it can be made again as it was; what is scheduled cannot be brought back. */
function Removal({ rule, scheduled }: { rule: Rule; scheduled: number }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const removeIt = () =>
    act.run(async () => {
      await remove(path, { params: { ruleId: rule.id } })
      route(to('/rules'))
      if (scheduled > 0) return
      offerUndo(words.removed(rule.name), async () => {
        const { id } = await post(rules, { body: toSettings(rule) })
        route(to(`/rules/${id}`))
      })
    })
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={act.isRunning}
        onClick={() => (scheduled > 0 ? setAsking(true) : void removeIt())}
      >
        {words.remove}
      </button>
      <WhyNot act={act} />
      {isAsking && (
        <Confirm
          title={words.removeTitle(words.mails(scheduled))}
          does={words.remove}
          typed={rule.name}
          close={() => setAsking(false)}
          run={() => void removeIt()}
        >
          <p>{words.removeHow}</p>
        </Confirm>
      )}
    </>
  )
}
