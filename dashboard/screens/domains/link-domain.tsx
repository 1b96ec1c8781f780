// The link domain: the host of the links in the workspace's mails, what to publish for it, and what the last check found.

import { type Got, get, patch, post, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { linkWords } from './link-words.ts'
import { AddDomain, LastCheck, Records } from './records.tsx'
import { words } from './words.ts'

const path = '/v1/workspace'

type LinkDomain = NonNullable<Got<typeof path>['linkDomain']>

export function LinkDomainSection() {
  const { workspace } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  const isOwner = workspace.role === 'owner'
  const add = async (linkDomain: string) => {
    await patch(path, { body: { linkDomain } })
    page.reload()
  }
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
            isOwner && <AddDomain name="linkDomain" label={linkWords.add} example="links.example.com" add={add} />
          ) : (
            <Entry of={linkDomain} isOwner={isOwner} reload={page.reload} />
          )
        }
      </Show>
    </section>
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
      <LastCheck at={of.checkedAt} />
      <WhyNot act={act} />
      {of.ownership === 'wrong' && <p class="notice">{linkWords.ofAnother}</p>}
      <Records
        domain={of.domain}
        records={of.dnsRecords}
        stateOf={({ type }) => (type === 'TXT' ? of.ownership : of.target)}
        useOf={({ type }) => (type === 'TXT' ? words.uses.ownership : linkWords.target)}
      />
    </>
  )
}
