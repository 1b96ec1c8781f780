// One revision: what it changed, the mail with what it says, and the way back to it.

import { useLocation, useRoute } from 'preact-iso'
import { post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Differences } from '../../parts/difference.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import { authorOf } from './list.tsx'
import { type Revised, toRevised } from './revised.ts'
import { words } from './words.ts'

export default function RevisionPage() {
  const { params } = useRoute()
  const { to, mayChange } = usePlace()
  const { revisionId = '' } = params
  const of = toRevised(params)
  const revision = useLoaded(`${of.id} ${revisionId}`, async (signal) => {
    const [one, difference] = await Promise.all([of.read(revisionId, signal), of.compare(revisionId, signal)])
    const { data } = await of.list({ perPage: 50, locale: one.locale }, signal)
    return { one, difference, current: data.find(({ isCurrent }) => isCurrent) }
  })
  return (
    <>
      <p>
        <a class="back" href={to(`${of.screen}/revisions`)}>
          {words.all}
        </a>
      </p>
      <Show of={revision}>
        {({ one, difference, current }) => (
          <>
            <header class="title">
              <h1>{words.one({ locale: one.locale, at: moment(one.createdAt) })}</h1>
            </header>
            <p class="under">
              <span class={one.isCurrent ? 'status good' : 'muted'}>
                {one.isCurrent ? words.current : words.earlier}
              </span>{' '}
              {words.by(authorOf(one))} {one.subject && <strong>{one.subject}</strong>}
            </p>
            {mayChange && !one.isCurrent && <Restore of={of} revisionId={one.id} current={current?.id} />}
            <section>
              <h2>{words.changed}</h2>
              {difference.from === null ? (
                <p class="muted">{words.isFirst}</p>
              ) : (
                <Differences of={{ settings: difference.settings, locales: [{ ...difference, locale: one.locale }] }} />
              )}
            </section>
            <section>
              <h2>{words.asItWas}</h2>
              <AsItWas of={of} said={one} />
            </section>
          </>
        )}
      </Show>
    </>
  )
}

interface RestoreProps {
  of: Revised
  revisionId: string
  current: string | undefined
}

function Restore({ of, revisionId, current }: RestoreProps) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  return (
    <div>
      <AskFirst
        act={act}
        does={words.restore}
        title={words.restoreTitle}
        how={words.restoreHow[of.kind]}
        run={async () => {
          await of.restore(revisionId, current === undefined ? {} : { expectedRevisionId: current })
          announce(words.restored)
          route(to(`${of.screen}/revisions`))
        }}
      />
      <WhyNot act={act} />
    </div>
  )
}

type ReadRevision = Awaited<ReturnType<Revised['read']>>

/** As restoring it would make it. */
function AsItWas({ of, said }: { of: Revised; said: ReadRevision }) {
  const { id, locale, subject, previewText, content } = said
  const shown = useLoaded(id, async () => {
    if (of.kind === 'campaign')
      return await post('/v1/campaigns/:campaignId/preview', {
        params: { campaignId: of.id },
        body: { locale, subject, previewText, content, draft: true },
      })
    return await post('/v1/transactional/preview', {
      // A block has no subject.
      body: { locale, subject: subject || '-', previewText, content, draft: true },
    })
  })
  const fault = shown.value?.html === '' ? shown.value.findings[0]?.message : undefined
  return (
    <>
      {JSON.stringify(content).includes('"blockId"') && <p class="muted">{words.blocks}</p>}
      <Show of={shown}>
        {({ html, text }) =>
          fault === undefined ? (
            <MailFrame title={words.asItWas} html={html} text={text} />
          ) : (
            <p class="notice">{fault}</p>
          )
        }
      </Show>
    </>
  )
}
