// One approval: what would happen beside what it answers or what is there now, and the decision, bound to the hash of what was shown. If the
// content has changed since, it is shown again and nothing is sent.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { get, Refusal } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import type { Approval } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Differences } from '../../parts/difference.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { ApprovalHead, titleOf } from './about.tsx'
import { ActionFacts, NowThere, templateIn } from './action.tsx'
import { AnsweredMail } from './answered.tsx'
import { approve, type Decide, lookOf, refuse, whyNot } from './deciding.ts'
import { Doubts } from './doubts.tsx'
import { Edit } from './edit.tsx'
import { Leaving } from './leaving.tsx'
import { words } from './words.ts'

const path = '/v1/approvals/:approvalId'

export default function ApprovalPage() {
  const { approvalId = '' } = useRoute().params
  const { to } = usePlace()
  const approval = useLoaded(approvalId, (signal) => get(path, { params: { approvalId } }, signal))
  return (
    <>
      <p>
        <a class="back" href={to('/approvals')}>
          {words.all}
        </a>
      </p>
      <Show of={approval}>{(one) => <ApprovalDetails key={one.id} approval={one} reload={approval.reload} />}</Show>
    </>
  )
}

interface Props {
  approval: Approval
  reload: () => void
}

function ApprovalDetails({ approval, reload }: Props) {
  const { workspace } = usePlace()
  const [isEditing, setEditing] = useState(false)
  const { status, action } = approval
  const isOpen = status === 'waiting' && workspace.role !== 'viewer'
  return (
    <>
      <header class="title">
        <h1>{titleOf(approval)}</h1>
      </header>
      <ApprovalHead approval={approval} />
      <Doubts approval={approval} />
      {status === 'waiting' && !isOpen && <p class="muted">{words.forMembers}</p>}
      {isOpen && <Decision approval={approval} reload={reload} isEditing={isEditing} edit={() => setEditing(true)} />}
      {status !== 'waiting' && <After approval={approval} />}
      {action !== null && <ActionFacts action={action} />}
      <div class="two beside">
        <Before approval={approval} />
        <section>
          {approval.contents.length > 0 && <h2>{action && templateIn(action) ? words.wouldSay : words.leaves}</h2>}
          {isEditing ? (
            <Edit approval={approval} saved={reload} close={() => setEditing(false)} />
          ) : (
            <Leaving approval={approval} />
          )}
          <Changes approval={approval} />
        </section>
      </div>
    </>
  )
}

/** What it answers, or what it would replace. */
function Before({ approval }: Pick<Props, 'approval'>) {
  const { kind, status, action } = approval
  const template = action && templateIn(action)
  if (kind === 'reply')
    return (
      <section class="untrusted">
        <h2>{words.answers}</h2>
        <AnsweredMail approval={approval} />
      </section>
    )
  // Afterwards it is not what was there.
  if (!template || status !== 'waiting') return null
  return (
    <section>
      <h2>{words.nowThere}</h2>
      <NowThere {...template} />
    </section>
  )
}

function Changes({ approval: { changes } }: Pick<Props, 'approval'>) {
  if (changes === null) return null
  const { since, locales } = changes
  const isAsWritten = since === 'written' && locales.every(({ content }) => content.length === 0)
  if (isAsWritten) return <p class="muted">{words.asWritten}</p>
  return (
    <>
      <h3>{since === 'written' ? words.sinceWritten : words.sinceApproved}</h3>
      <Differences of={changes} />
    </>
  )
}

function Decision({ approval, reload, isEditing, edit }: Props & { isEditing: boolean; edit: () => void }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const [isStale, setStale] = useState(false)
  const { id, kind } = approval
  const look = lookOf(kind)
  const decide = (by: Decide) =>
    act.run(async () => {
      setStale(false)
      const [result] = await by([approval])
      reload()
      const why = result ? whyNot(result) : null
      if (why === null) announce((by === refuse ? words.refused : words.approved)[look])
      else if (why === words.stale) setStale(true)
      else throw new Refusal(409, { detail: why })
    })
  const change = look === 'mail' ? edit : look === 'campaign' ? () => route(to(`/campaigns/${id}/change`)) : null
  const approves = words.approves[look]
  // A key that is pressed while another decision is under way, or words are being changed, decides nothing.
  const isOff = act.isRunning || isEditing
  const unlessBusy = (run: () => void) => () => void (isOff || run())
  useShortcuts([
    { keys: 'a', says: approves, run: unlessBusy(() => void decide(approve)) },
    ...(change ? [{ keys: 'e', says: words.edit, run: unlessBusy(change) }] : []),
    { keys: 'r', says: words.refuse, run: unlessBusy(() => void decide(refuse)) },
  ])
  return (
    <>
      {isStale && (
        <div class="notice bad" role="alert">
          <p>
            <strong>{words.stale}</strong> {words.staleHow}
          </p>
        </div>
      )}
      <WhyNot act={act} />
      <div class="actions">
        <button type="button" class="main" disabled={isOff} onClick={() => void decide(approve)}>
          {approves} <kbd>a</kbd>
        </button>
        {change && (
          <button type="button" disabled={isOff} onClick={change}>
            {words.edit} <kbd>e</kbd>
          </button>
        )}
        <button type="button" disabled={isOff} onClick={() => void decide(refuse)}>
          {words.refuse} <kbd>r</kbd>
        </button>
      </div>
    </>
  )
}

/** The result, and a link to the next approval. */
function After({ approval: { id, kind, status } }: Pick<Props, 'approval'>) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const [isLast, setLast] = useState(false)
  const look = lookOf(kind)
  const next = () =>
    act.run(async () => {
      const [first] = (await get('/v1/approvals', { query: { perPage: 1 } })).data
      if (first) route(to(`/approvals/${first.id}`))
      else setLast(true)
    })
  useShortcuts([{ keys: 'n', says: words.next, run: () => void next() }])
  return (
    <div class="notice">
      <p>
        {(status === 'approved' ? words.approved : words.refused)[look]}{' '}
        {look === 'campaign' && <a href={to(`/campaigns/${id}`)}>{words.toCampaign}</a>}
        {look === 'mail' && status === 'approved' && <a href={to(`/activity/${id}`)}>{words.inActivity}</a>}
      </p>
      <WhyNot act={act} />
      {isLast ? (
        <p>{words.none}</p>
      ) : (
        <button type="button" disabled={act.isRunning} onClick={() => void next()}>
          {words.next} <kbd>n</kbd>
        </button>
      )}
    </div>
  )
}
