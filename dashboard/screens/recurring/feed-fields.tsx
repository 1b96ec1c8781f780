// The feed of a recurring campaign, and what is in it now. It is fetched when somebody asks for that, and not at each letter.

import { useState } from 'preact/hooks'
import { type Posted, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { planOf, type RecurringDraft } from './draft.ts'
import { FeedItems } from './feed-items.tsx'
import { words } from './words.ts'

const path = '/v1/recurring-campaigns/plan'

interface Props {
  draft: RecurringDraft
  set: (change: Partial<RecurringDraft>) => void
}

export function FeedFields({ draft, set }: Props) {
  const { feed } = draft
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={feed !== null}
          onChange={({ currentTarget }) => set({ feed: currentTarget.checked ? { url: '', maxItems: 10 } : null })}
        />{' '}
        {words.ofFeed}
      </label>
      {feed !== null && (
        <>
          <label>
            {words.url}
            <input
              name="feed.url"
              type="url"
              required
              maxLength={2_048}
              placeholder="https://blog.example.com/feed.xml"
              value={feed.url}
              onInput={(event) => set({ feed: { ...feed, url: event.currentTarget.value } })}
            />
          </label>
          <label>
            {words.maxItems}
            <input
              name="feed.maxItems"
              type="number"
              required
              min={1}
              max={50}
              value={feed.maxItems || ''}
              onInput={(event) => set({ feed: { ...feed, maxItems: event.currentTarget.valueAsNumber || 0 } })}
            />
          </label>
          <InFeed draft={draft} feed={feed} />
        </>
      )}
    </>
  )
}

type FeedContent = NonNullable<Posted<typeof path>['feed']>

function InFeed({ draft, feed }: { draft: RecurringDraft; feed: NonNullable<RecurringDraft['feed']> }) {
  const act = useAct()
  const [found, setFound] = useState<FeedContent | null>(null)
  const plan = planOf(draft)
  const read = () =>
    act.run(async () => {
      setFound(null)
      if (plan !== null) setFound((await post(path, { body: { ...plan, feed } })).feed)
    })
  return (
    <div class="form">
      <div>
        <button
          type="button"
          disabled={act.isRunning || plan === null || !URL.canParse(feed.url)}
          onClick={() => void read()}
        >
          {words.read}
        </button>
      </div>
      <WhyNot act={act} />
      <div role="status">{found && <InWords found={found} />}</div>
    </div>
  )
}

function InWords({ found: { reason, title, items } }: { found: FeedContent }) {
  if (reason !== null) return <p class="notice bad">{words.feedFailed(reason)}</p>
  return (
    <>
      <p>
        <strong>{words.feedSays(title)}</strong>
      </p>
      {items.length === 0 ? <p class="muted">{words.feedEmpty}</p> : <FeedItems items={items} />}
    </>
  )
}
