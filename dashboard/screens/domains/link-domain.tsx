// The link domain: the host of the links in the workspace's mails, what to publish for it, and what the last check found.

import { type Got, get, patch, post, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { linkWords } from './link-words.ts'
import { State } from './verdict.tsx'
import { words } from './words.ts'

const path = '/v1/workspace'

type LinkDomain = NonNullable<Got<typeof path>['linkDomain']>

export function LinkDomainSection() {
  const { workspace } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  const isOwner = workspace.role === 'owner'
  return (
    <section class="records">
      <header class="title">
        <h2>{linkWords.title}</h2>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <p class="muted">{linkWords.how}</p>
      <Show of={page}>
        {({ linkDomain }) =>
          linkDomain === null ? (
            isOwner && <Add reload={page.reload} />
          ) : (
            <Entry of={linkDomain} isOwner={isOwner} reload={page.reload} />
          )
        }
      </Show>
    </section>
  )
}

function Add({ reload }: { reload: () => void }) {
  const act = useAct()
  const add = (form: HTMLFormElement) =>
    act.run(async () => {
      await patch(path, { body: { linkDomain: String(new FormData(form).get('linkDomain')).trim() } })
      reload()
    })
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault()
        void add(event.currentTarget)
      }}
    >
      <label>
        {linkWords.add}
        <input name="linkDomain" required maxLength={253} placeholder="links.example.com" autocomplete="off" />
      </label>
      <button type="submit" disabled={act.isRunning}>
        {words.addIt}
      </button>
      <WhyNot act={act} />
    </form>
  )
}

const tones = { verified: 'good', failing: 'bad', pending: '' } as const

function Entry({ of, isOwner, reload }: { of: LinkDomain; isOwner: boolean; reload: () => void }) {
  const { workspace } = usePlace()
  const act = useAct()
  const doing = (work: () => Promise<unknown>) => async () => {
    await work()
    reload()
  }
  return (
    <>
      <header class="title">
        <h3>
          {of.domain} <span class={`status ${tones[of.status]}`}>{linkWords.status[of.status]}</span>
        </h3>
        <div class="actions">
          {workspace.role !== 'viewer' && (
            <button
              type="button"
              disabled={act.isRunning}
              onClick={() => void act.run(doing(() => post(`${path}/link-domain/verify`, {})))}
            >
              {words.check}
            </button>
          )}
          {isOwner && (
            <AskFirst
              act={act}
              does={words.remove}
              title={words.removeTitle(of.domain)}
              how={linkWords.removeHow}
              run={doing(() => patch(path, { body: { linkDomain: null } }))}
            />
          )}
        </div>
      </header>
      {of.checkedAt !== null && (
        <p class="muted">
          {words.checked} <Time at={of.checkedAt} />
        </p>
      )}
      <WhyNot act={act} />
      {of.ownership === 'wrong' && <p class="notice">{linkWords.ofAnother}</p>}
      <Table
        caption={words.records(of.domain)}
        rows={of.dnsRecords}
        keyOf={({ name, value }) => name + value}
        columns={[
          { name: words.state, show: ({ type }) => <State of={type === 'TXT' ? of.ownership : of.target} /> },
          { name: words.what, show: ({ type }) => (type === 'TXT' ? words.uses.ownership : linkWords.target) },
          { name: words.name, show: ({ type, name }) => <code>{`${type} ${name}`}</code> },
          { name: words.value, show: ({ value }) => <code>{value}</code> },
          {
            name: words.action,
            show: ({ name, value }) => (
              <>
                <Copy text={name} label={words.copyName} />
                <Copy text={value} label={words.copyValue} />
              </>
            ),
          },
        ]}
      />
    </>
  )
}
