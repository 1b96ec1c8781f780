// Whether a template may be sent, and the button that changes it.

import { put } from '../../api.ts'
import type { Template } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { usePlace } from '../../place.ts'
import type { OnDesk } from './desk.tsx'
import { words } from './editor-words.ts'
import { words as listWords } from './words.ts'

const path = '/v1/transactional/update'

interface Props {
  template: Template
  desk: OnDesk
  changed: () => void
}

export function Publish({ template, desk, changed }: Props) {
  const { mayChange } = usePlace()
  const act = useAct()
  const { id, status, locales, primaryLocale } = template
  const make = async (status: 'active' | 'draft', says: string) => {
    await put(path, { body: { id, status } })
    announce(says)
    changed()
  }
  const isWritten = locales.includes(primaryLocale) || (desk.locale === primaryLocale && desk.hasContent)
  /** What is published is what is seen. */
  const publish = async () => {
    if (await desk.save()) await act.run(() => make('active', words.published))
  }
  return (
    <>
      <span class={status === 'active' ? 'status good' : 'status'}>{listWords[status]}</span>
      {mayChange && status === 'draft' && isWritten && (
        <button type="button" disabled={act.isRunning} onClick={() => void publish()}>
          {words.publish}
        </button>
      )}
      {status === 'draft' && <span class="muted">{words.draftHow}</span>}
      {mayChange && status === 'active' && (
        <AskFirst
          act={act}
          does={words.unpublish}
          title={words.unpublish}
          how={words.unpublishHow}
          run={() => make('draft', words.unpublished)}
        />
      )}
      <WhyNot act={act} />
    </>
  )
}
