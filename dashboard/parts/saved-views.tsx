// What a list is narrowed down to and sorted by, kept under a name: by this person, on the server, so that it is there in any browser.

import { Bookmark, Pencil, X } from 'lucide'
import { useState } from 'preact/hooks'
import { inLanguage } from '../words.ts'
import { useAct, WhyNot } from './act.tsx'
import { Confirm } from './confirm.tsx'
import { Icon } from './icon.tsx'
import type { List } from './list.tsx'
import { usePreferences, viewKey, viewsOf } from './preferences.ts'

const words = inLanguage(catalogue.parts.savedViews)

const longestName = 60

interface View {
  key: string
  name: string
  /** With the order, where it is not the first. */
  filter: Record<string, string>
}

const isSame = (one: View['filter'], other: View['filter']) => JSON.stringify(one) === JSON.stringify(other)

export function SavedViews<Row>({ of, screen }: { of: List<Row>; screen: string }) {
  const { views, keep, forget } = useViews(screen)
  const act = useAct()
  /** Under a new name; null: nothing is asked. */
  const [asked, setAsked] = useState<Partial<View> | null>(null)
  const { now, first } = of.sorting ?? { now: '', first: '' }
  const filter = { ...of.filter, ...(now !== first && { sort: now }) }
  const isNew = views && Object.keys(filter).length > 0 && !views.some((one) => isSame(one.filter, filter))
  if (!views || (views.length === 0 && !isNew)) return null
  return (
    <>
      <nav class="choices views" aria-label={words.views}>
        {views.map((view) => (
          <span key={view.key}>
            <a
              href={of.hrefOf({ ...view.filter, sort: view.filter['sort'] ?? '' })}
              aria-current={isSame(view.filter, filter) ? 'true' : undefined}
            >
              {view.name}
            </a>
            <IconButton of={Pencil} says={words.rename(view.name)} run={() => setAsked(view)} />
            <IconButton of={X} says={words.forget(view.name)} run={() => void act.run(() => forget(view))} />
          </span>
        ))}
        {isNew && (
          <button type="button" class="quiet" onClick={() => setAsked({})}>
            <Icon of={Bookmark} /> {words.save}
          </button>
        )}
        {asked && (
          <NameIt
            of={asked}
            close={() => setAsked(null)}
            give={(name) => void act.run(() => keep({ filter, ...asked, name }))}
          />
        )}
      </nav>
      <WhyNot act={act} />
    </>
  )
}

function IconButton({ of, says, run }: { of: Parameters<typeof Icon>[0]['of']; says: string; run: () => void }) {
  return (
    <button type="button" class="quiet" title={says} onClick={run}>
      <Icon of={of} />
      <span class="unseen">{says}</span>
    </button>
  )
}

function NameIt({ of, close, give }: { of: Partial<View>; close: () => void; give: (name: string) => void }) {
  const title = of.name === undefined ? words.save : words.rename(of.name)
  return (
    <Confirm
      title={title}
      does={of.name === undefined ? words.save : words.give}
      close={close}
      run={(form) => give(String(form.get('name')).trim())}
    >
      {of.name === undefined && <p>{words.how}</p>}
      <label>
        {words.name}
        <input
          name="name"
          required
          pattern=".*\S.*"
          maxLength={longestName}
          autocomplete="off"
          defaultValue={of.name ?? ''}
        />
      </label>
    </Confirm>
  )
}

/** Anybody may keep anything under such a key, through the API. */
function readView(key: string, value: string): View[] {
  try {
    const { name, filter } = JSON.parse(value)
    return typeof name === 'string' && typeof filter === 'object' && filter !== null ? [{ key, name, filter }] : []
  } catch {
    return []
  }
}

/** One of the same name takes the place of the one before. */
function useViews(screen: string) {
  const { preferences, keep } = usePreferences()
  const views =
    preferences &&
    [...preferences].flatMap(([key, value]): View[] => (key.startsWith(viewsOf(screen)) ? readView(key, value) : []))
  return {
    views,
    keep: async ({ key, name, filter }: Partial<View> & Omit<View, 'key'>) => {
      const former = views?.find((one) => one.name === name)
      await keep(key ?? former?.key ?? viewKey(screen), JSON.stringify({ name, filter }))
      if (key !== undefined && former && former.key !== key) await keep(former.key, null)
    },
    forget: ({ key }: View) => keep(key, null),
  }
}
