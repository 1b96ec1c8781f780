// One workspace of the installation: what it used, its first key, its limits, and how it is suspended and resumed.

import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { get, patch, post, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Chart } from '../../parts/chart.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Once } from '../../parts/once.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma, locale, size } from '../../words.ts'
import { Exported } from './exported.tsx'
import { LimitFields, limitsIn, NameField, type Tenant } from './fields.tsx'
import { State } from './list.tsx'
import { loadUsage, type Usage, Used } from './used.tsx'
import { words } from './words.ts'

const path = '/v1/workspaces/:workspaceId'
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

export default function TenantPage() {
  const { workspaceId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const params = { workspaceId }
  const found = useLoaded(workspaceId, async (signal) => {
    const [tenant, usage] = await Promise.all([get(path, { params }, signal), loadUsage(workspaceId, signal)])
    return { tenant, usage }
  })
  return (
    <Show of={found}>
      {({ tenant, usage }) => (
        <>
          <p>
            <a class="back" href={to('/settings/workspaces')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{tenant.name}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under">
            <State of={tenant} /> <code>{tenant.slug}</code> <Copy text={tenant.id} label={tenant.id} />
          </p>
          {tenant.suspendedAt !== null && (
            <div class="notice bad">
              <p>
                <strong>{words.suspended}</strong> <Time at={tenant.suspendedAt} />
              </p>
              <p>{tenant.suspendedReason}</p>
            </div>
          )}
          <Acts tenant={tenant} reload={found.reload} />
          <UsedByDay usage={usage} limits={tenant.limits} />
          <FirstKey tenant={tenant} />
          <Change tenant={tenant} reload={found.reload} />
          <Exported tenant={tenant} isFirst={tenant.id === workspace.id} />
        </>
      )}
    </Show>
  )
}

function Acts({ tenant, reload }: { tenant: Tenant; reload: () => void }) {
  const { workspace } = usePlace()
  const act = useAct()
  const params = { workspaceId: tenant.id }
  // Only those of the first workspace are here.
  if (tenant.id === workspace.id) return <p class="muted">{words.first}</p>
  const suspend = async (form: FormData) => {
    await post(`${path}/suspend`, { params, body: { reason: String(form.get('reason')).trim() } })
    announce(words.isSuspended)
    reload()
  }
  const resume = () =>
    act.run(async () => {
      await post(`${path}/resume`, { params })
      announce(words.isResumed)
      reload()
    })
  return (
    <>
      <div class="actions">
        {tenant.suspendedAt === null ? (
          <AskFirst act={act} does={words.suspend} title={words.suspendTitle} how={words.suspendHow} run={suspend}>
            <label>
              {words.reason}
              <textarea name="reason" required maxLength={500} rows={3} />
              <span>{words.reasonHow}</span>
            </label>
          </AskFirst>
        ) : (
          <button type="button" disabled={act.isRunning} onClick={() => void resume()}>
            {words.resume}
          </button>
        )}
      </div>
      <WhyNot act={act} />
    </>
  )
}

function UsedByDay({ usage, limits }: { usage: Usage; limits: Tenant['limits'] }) {
  const { data, totals } = usage
  const times = data.map(({ day }) => `${day}T00:00:00Z`)
  const met = data.filter(({ limitsMet }) => limitsMet.length > 0)
  return (
    <section>
      <h2>{words.used}</h2>
      <Used usage={usage} limits={limits} />
      <Chart
        title={words.byDay}
        times={times}
        series={[
          { name: words.accepted, colour: '--link', look: 'area', values: data.map(({ accepted }) => accepted) },
          { name: words.sent, colour: '--good', values: data.map(({ sent }) => sent) },
          { name: words.bounced, colour: '--bad', values: data.map(({ bounced }) => bounced) },
          { name: words.complained, colour: '--warn', values: data.map(({ complained }) => complained) },
        ]}
      />
      {limits !== null && (
        <Chart
          title={words.cameIn}
          times={times}
          series={[
            { name: words.events, colour: '--link', look: 'area', values: data.map(({ events }) => events) },
            { name: words.contactsMade, colour: '--good', values: data.map(({ contactsMade }) => contactsMade) },
          ]}
        />
      )}
      {limits !== null && (
        <Facts
          title={words.bytes}
          facts={[
            [words.mediaBytes, totals.mediaBytes !== null && size(totals.mediaBytes)],
            [words.receivedBytes, totals.receivedBytes !== null && size(totals.receivedBytes)],
            [words.sentBytes, totals.sentBytes !== null && size(totals.sentBytes)],
          ]}
        />
      )}
      {met.length > 0 && (
        <>
          <h3>{words.met}</h3>
          <ul>
            {met.map(({ day, limitsMet }) => (
              <li key={day}>
                <time dateTime={day}>{days.format(new Date(day))}</time>
                {colon}
                {limitsMet.map((name) => words.limitNames[name]).join(comma)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function FirstKey({ tenant }: { tenant: Tenant }) {
  const { workspace } = usePlace()
  const act = useAct()
  const [apiKey, setKey] = useState<string | null>(null)
  if (tenant.id === workspace.id) return null
  const create = () =>
    act.run(async () => {
      const made = await post(`${path}/api-keys`, { params: { workspaceId: tenant.id }, body: { name: words.keyName } })
      setKey(made.apiKey)
      announce(words.keyMade)
    })
  return (
    <section>
      <h2>{words.firstKey}</h2>
      <p class="muted">{words.firstKeyHow}</p>
      {apiKey === null ? (
        <p class="actions">
          <button type="button" disabled={act.isRunning} onClick={() => void create()}>
            {words.makeKey}
          </button>
        </p>
      ) : (
        <Once title={words.keySecret} how={words.keySecretHow}>
          {apiKey}
        </Once>
      )}
      <WhyNot act={act} />
    </section>
  )
}

function Change({ tenant, reload }: { tenant: Tenant; reload: () => void }) {
  const act = useAct()
  const save = (form: FormData) =>
    act.run(async () => {
      const body = { name: String(form.get('name')).trim(), limits: limitsIn(form) }
      await patch(path, { params: { workspaceId: tenant.id }, body })
      announce(words.saved)
      reload()
    })
  return (
    <section>
      <h2>{words.change}</h2>
      {/* Drawn anew with what was saved, also by somebody else. */}
      <Form key={tenant.updatedAt} act={act} says={words.saveChange} submit={save}>
        <NameField name={tenant.name} />
        <LimitFields of={tenant.limits} />
      </Form>
    </section>
  )
}
