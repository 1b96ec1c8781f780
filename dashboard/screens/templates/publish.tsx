// Whether a template may be sent, and the act that changes it.

import { put } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { usePlace } from '../../place.ts'
import { words } from './editor-words.ts'
import type { Template } from './owner.ts'
import { words as listWords } from './words.ts'

const path = '/v1/transactional/update'

export function Publish({ template, changed }: { template: Template; changed: () => void }) {
  const { workspace } = usePlace()
  const act = useAct()
  const { id, status, locales, primaryLocale } = template
  const make = async (status: 'active' | 'draft', says: string) => {
    await put(path, { body: { id, status } })
    announce(says)
    changed()
  }
  return (
    <>
      <span class={status === 'active' ? 'status good' : 'status'}>{listWords[status]}</span>
      {workspace.role !== 'viewer' && status === 'draft' && locales.includes(primaryLocale) && (
        <button
          type="button"
          disabled={act.isRunning}
          onClick={() => void act.run(() => make('active', words.published))}
        >
          {words.publish}
        </button>
      )}
      {status === 'draft' && <span class="muted">{words.draftHow}</span>}
      {workspace.role !== 'viewer' && status === 'active' && (
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
