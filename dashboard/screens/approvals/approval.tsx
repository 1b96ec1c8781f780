// One approval: what would be sent beside what it replies to, and the decision, bound to the hash of what was shown. If the content has
// changed since, it is shown again and nothing is sent.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { get, post } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import type { Approval } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Differences } from '../../parts/difference.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { ReceivedMail } from '../../parts/received.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { Edit } from './edit.tsx'
import { Leaving } from './leaving.tsx'
import { words } from './words.ts'

const path = '/v1/approvals/:approvalId'
const messagePath = '/v1/mailboxes/:mailboxId/messages/:messageId'

type Decided = Pick<Approval, 'id' | 'contentHash'>

const deciding = {
  approve: (...approvals: Decided[]) => post('/v1/approvals/approve', { body: { approvals } }),
  refuse: (...approvals: Decided[]) => post('/v1/approvals/refuse', { body: { approvals } }),
}

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

const tones = { waiting: 'warn', approved: 'good', refused: 'bad' }

function ApprovalDetails({ approval, reload }: Props) {
  const { workspace } = usePlace()
  const [isEditing, setEditing] = useState(false)
  const { kind, status, subject, to: recipient, author, createdAt, contentHash, mailboxId, repliesTo } = approval
  const isOpen = status === 'waiting' && workspace.role !== 'viewer'
  return (
    <>
      <header class="title">
        <h1>{subject || words.noSubject}</h1>
      </header>
      <p class="under">
        <span class={`status ${tones[status === 'withdrawn' ? 'refused' : status]}`}>
          {words.statuses[status === 'withdrawn' ? 'refused' : status]}
        </span>{' '}
        {words.kinds[kind === 'campaign' ? kind : 'reply']}
        {recipient !== null && (
          <>
            {' '}
            {words.goesTo} <strong>{recipient}</strong>
          </>
        )}
        {comma}
        {words.by} {author?.name ?? author?.id}
        {comma}
        <Time at={createdAt} />{' '}
        <span class="muted">
          {words.hash} <Copy text={contentHash} label={contentHash.slice(0, 12)} />
        </span>
      </p>
      {status === 'waiting' && !isOpen && <p class="muted">{words.forMembers}</p>}
      {isOpen && <Decision approval={approval} reload={reload} isEditing={isEditing} edit={() => setEditing(true)} />}
      {status !== 'waiting' && <After approval={approval} />}
      <div class="two beside">
        {mailboxId !== null && (
          <section class="untrusted">
            <h2>{words.answers}</h2>
            {repliesTo === null ? (
              <p class="muted">{words.gone}</p>
            ) : (
              <>
                <p class="muted">{words.untrusted}</p>
                <Original mailboxId={mailboxId} messageId={repliesTo.messageId} />
              </>
            )}
          </section>
        )}
        <section>
          <h2>{words.leaves}</h2>
          {isEditing ? (
            <Edit approval={approval} reload={reload} close={() => setEditing(false)} />
          ) : (
            <Leaving approval={approval} />
          )}
          <Changes approval={approval} />
        </section>
      </div>
    </>
  )
}

function Original(at: { mailboxId: string; messageId: string }) {
  const mail = useLoaded(at.messageId, (signal) => get(messagePath, { params: at }, signal))
  return <Show of={mail}>{(one) => <ReceivedMail at={at} mail={one} />}</Show>
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
  const { id: approvalId, kind, contentHash } = approval
  const decide = (verb: keyof typeof deciding) =>
    act.run(async () => {
      setStale(false)
      const error = (await deciding[verb]({ id: approvalId, contentHash })).results[0]?.error ?? null
      if (error === null)
        announce(verb === 'refuse' ? words.refused : approvedWords[kind === 'campaign' ? kind : 'reply'])
      else if (error.code === 'revision_mismatch') setStale(true)
      else if (error.code !== 'invalid_state_transition') throw new Error(error.message)
      reload()
    })
  const change = kind === 'reply' ? edit : () => route(to(`/campaigns/${approvalId}/change`))
  const approves = kind === 'reply' ? words.approve : words.approveCampaign
  // A key that is pressed while another decision is under way, or words are being changed, decides nothing.
  const unlessBusy = (run: () => void) => () => void (act.isRunning || isEditing || run())
  useShortcuts([
    { keys: 'a', says: approves, run: unlessBusy(() => void decide('approve')) },
    { keys: 'e', says: words.edit, run: unlessBusy(change) },
    { keys: 'r', says: words.refuse, run: unlessBusy(() => void decide('refuse')) },
  ])
  const isOff = act.isRunning || isEditing
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
        <button type="button" class="main" disabled={isOff} onClick={() => void decide('approve')}>
          {approves} <kbd>a</kbd>
        </button>
        <button type="button" disabled={isOff} onClick={change}>
          {words.edit} <kbd>e</kbd>
        </button>
        <button type="button" disabled={isOff} onClick={() => void decide('refuse')}>
          {words.refuse} <kbd>r</kbd>
        </button>
      </div>
    </>
  )
}

const approvedWords = { reply: words.approvedReply, campaign: words.approvedCampaign }

/** The result, and a link to the next approval. */
function After({ approval: { id, kind, status } }: Pick<Props, 'approval'>) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const [isLast, setLast] = useState(false)
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
        {status === 'refused' ? words.refused : approvedWords[kind === 'campaign' ? kind : 'reply']}{' '}
        {kind === 'campaign' && <a href={to(`/campaigns/${id}`)}>{words.toCampaign}</a>}
        {kind === 'reply' && status === 'approved' && <a href={to(`/activity/${id}`)}>{words.inActivity}</a>}
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
