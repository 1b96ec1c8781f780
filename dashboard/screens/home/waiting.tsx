// What waits for somebody to say yes: campaigns and replies of agents, the oldest first.

import { get } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.home.waiting)

const shownAtMost = 4

export function Waiting() {
  const { to, workspace } = usePlace()
  const page = useLoaded(workspace.id, (signal) => get('/v1/approvals', { query: { perPage: shownAtMost } }, signal))
  return (
    <Show of={page}>
      {({ data, pagination }) =>
        data.length > 0 && (
          <section>
            <header class="title">
              <h2>{words.title}</h2>
              <a href={to('/approvals')}>{words.all(pagination.totalResults)}</a>
            </header>
            <ul class="standing">
              {data.map(({ id, subject, createdAt }) => (
                <li key={id}>
                  <a href={to(`/approvals/${id}`)}>{subject || words.noSubject}</a>
                  <span class="muted">
                    <Time at={createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Show>
  )
}
