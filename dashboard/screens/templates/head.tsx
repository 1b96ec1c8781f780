// The bar above the editor: which mail and language, whether it is saved, and the actions on the whole mail.

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { CopyCurl } from '../../parts/copy.tsx'
import { toSearch } from '../../parts/pages.tsx'
import { usePlace } from '../../place.ts'
import { words } from './editor-words.ts'
import type { Owner } from './owner.ts'
import { SendTest } from './send-test.tsx'
import type { TemplateDraft } from './use-draft.ts'

interface Props {
  owner: Owner
  state: ComponentChildren
  locale: string
  draft: TemplateDraft
  save: () => Promise<boolean>
  isSaving: boolean
  dataVariables: Record<string, unknown>
}

export function Head({ owner, state, locale, draft, save, isSaving, dataVariables }: Props) {
  const { id, name } = owner
  const { undo, doAgain, isDirty, isReadOnly, written, call } = draft
  return (
    <>
      <header class="title">
        <h1>{name}</h1>
        <div class="actions">
          <CopyCurl call={call} />
          {!isReadOnly && (
            <>
              <button type="button" class="quiet" disabled={!undo} onClick={undo}>
                {words.undo}
              </button>
              <button type="button" class="quiet" disabled={!doAgain} onClick={doAgain}>
                {words.doAgain}
              </button>
              {owner.test && (
                <SendTest test={owner.test} locale={locale} written={written} dataVariables={dataVariables} />
              )}
              <button
                type="button"
                class="main"
                disabled={isSaving || !isDirty || written.content.length === 0}
                onClick={() => void save()}
              >
                {words.save} <kbd>Ctrl S</kbd>
              </button>
            </>
          )}
        </div>
      </header>
      <div class="under state">
        {state} <code>{id}</code>
        <span class={isDirty ? 'status warn' : 'muted'}>{isDirty ? words.unsaved : words.allSaved}</span>
        <Languages owner={owner} locale={locale} />
      </div>
    </>
  )
}

function Languages({ owner: { screen, locales, primaryLocale }, locale }: Pick<Props, 'owner' | 'locale'>) {
  const { route } = useLocation()
  const { to, mayChange } = usePlace()
  const go = (wanted: string) => route(to(screen) + toSearch({ locale: wanted }))
  return (
    <>
      <label>
        {words.language}{' '}
        <select value={locale} onChange={(event) => go(event.currentTarget.value)}>
          {[...new Set([primaryLocale, ...locales, locale])].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      {mayChange && <AddLanguage go={go} />}
    </>
  )
}

function AddLanguage({ go }: { go: (locale: string) => void }) {
  return (
    <details>
      <summary>{words.addLanguage}</summary>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          go(String(new FormData(event.currentTarget).get('locale')).trim())
        }}
      >
        <label>
          {words.languageTag}
          <input name="locale" required maxLength={35} />
        </label>
        <button type="submit">{words.begin}</button>
      </form>
    </details>
  )
}
