// Who wants what: the kind, where it goes, who wrote it, and why it waits.

import { visible } from '../../../src/kit/visible.ts'
import { get } from '../../api.ts'
import type { Approval } from '../../nouns.ts'
import { Breakable } from '../../parts/breakable.tsx'
import { Copy } from '../../parts/copy.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma } from '../../words.ts'
import { words } from './words.ts'

const tones = { waiting: 'warn', approved: 'good', refused: 'bad', withdrawn: 'bad' }

/** Of a call also what it is about. */
export function titleOf({ kind, subject, name }: Pick<Approval, 'kind' | 'subject' | 'name'>): string {
  return visible(kind === 'action' ? [subject, name].join(colon) : subject) || words.noSubject
}

export function ApprovalHead({ approval }: { approval: Approval }) {
  const { id, kind, status, to, waitsFor, author, createdAt, contentHash, mailingListId } = approval
  return (
    <>
      <p class="under">
        <span class={`status ${tones[status]}`}>{words.statuses[status]}</span> {words.kinds[kind]}
        {to !== null && (
          <>
            {' '}
            {words.goesTo}{' '}
            <strong>
              <Breakable text={visible(to)} />
            </strong>
          </>
        )}
        {mailingListId !== null && <ToList campaignId={id} />}
        {comma}
        {words.by} {visible(author?.name ?? author?.id ?? '')}
        {comma}
        <Time at={createdAt} />{' '}
        <span class="muted">
          {words.hash} <Copy text={contentHash} label={contentHash.slice(0, 12)} />
        </span>
      </p>
      {status === 'waiting' && (
        <p class="muted">
          {words.why}
          {colon}
          {words.whys[waitsFor]}.
        </p>
      )}
    </>
  )
}

/** The mailing list of a campaign, and the segment that narrows it down. */
export function ToList({ campaignId }: { campaignId: string }) {
  const { to } = usePlace()
  const names = useLoaded(campaignId, async (signal) => {
    const { mailingListId, segmentId } = await get('/v1/campaigns/:campaignId', { params: { campaignId } }, signal)
    const list = await get('/v1/mailing-lists/:listId', { params: { listId: mailingListId } }, signal)
    return { list: list.name, isPart: segmentId !== null }
  })
  if (names.value === undefined) return null
  const { list, isPart } = names.value
  return (
    <>
      {' '}
      {words.goesTo} <strong>{isPart ? words.partOf(list) : list}</strong>{' '}
      <a href={to(`/campaigns/${campaignId}/audience`)}>{words.whoGets}</a>
    </>
  )
}
