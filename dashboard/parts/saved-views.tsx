// What a list is narrowed down to, kept under a name: by this person, in this browser.

import { Bookmark, X } from 'lucide'
import { useState } from 'preact/hooks'
import { usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'
import { Confirm } from './confirm.tsx'
import { Icon } from './icon.tsx'
import type { List } from './list.tsx'

const words = inLanguage(catalogue.parts.savedViews)

const longestName = 60

interface View {
  name: string
  filter: Record<string, string>
}

const isSame = (one: View['filter'], other: View['filter']) => JSON.stringify(one) === JSON.stringify(other)

export function SavedViews<Row>({ of: { filter, hrefOf }, screen }: { of: List<Row>; screen: string }) {
  const { views, keep, forget } = useViews(screen)
  const [isAsking, setAsking] = useState(false)
  const isNew = Object.keys(filter).length > 0 && !views.some((one) => isSame(one.filter, filter))
  if (views.length === 0 && !isNew) return null
  return (
    <nav class="choices views" aria-label={words.views}>
      {views.map(({ name, filter: kept }) => (
        <span key={name}>
          <a href={hrefOf(kept)} aria-current={isSame(kept, filter) ? 'true' : undefined}>
            {name}
          </a>
          <button type="button" class="quiet" title={words.forget(name)} onClick={() => forget(name)}>
            <Icon of={X} />
            <span class="unseen">{words.forget(name)}</span>
          </button>
        </span>
      ))}
      {isNew && (
        <button type="button" class="quiet" onClick={() => setAsking(true)}>
          <Icon of={Bookmark} /> {words.save}
        </button>
      )}
      {isAsking && (
        <Confirm
          title={words.save}
          does={words.save}
          close={() => setAsking(false)}
          run={(form) => keep({ name: String(form.get('name')).trim(), filter })}
        >
          <p>{words.how}</p>
          <label>
            {words.name}
            <input name="name" required pattern=".*\S.*" maxLength={longestName} autocomplete="off" />
          </label>
        </Confirm>
      )}
    </nav>
  )
}

/** One of the same name takes the place of the one before. */
function useViews(screen: string) {
  const { member, workspace } = usePlace()
  const key = `views of ${screen} ${workspace.id} ${member.email}`
  const [views, setViews] = useState<View[]>(JSON.parse(localStorage.getItem(key) ?? '[]'))
  const store = (next: View[]) => {
    localStorage.setItem(key, JSON.stringify(next))
    setViews(next)
  }
  const without = (name: string) => views.filter((one) => one.name !== name)
  return {
    views,
    keep: (view: View) => store([...without(view.name), view]),
    forget: (name: string) => store(without(name)),
  }
}
