// Items of a feed, as plain text: what a stranger wrote.

import type { Posted } from '../../api.ts'
import { moment } from '../../words.ts'

type Item = NonNullable<Posted<'/v1/recurring-campaigns/plan'>['feed']>['items'][number]

export function FeedItems({ items }: { items: Item[] }) {
  return (
    <ul>
      {items.map(({ title, link, date }, at) => (
        <li key={at}>
          <a href={link} rel="noreferrer">
            {title}
          </a>
          {date && <span class="muted"> {moment(date)}</span>}
        </li>
      ))}
    </ul>
  )
}
