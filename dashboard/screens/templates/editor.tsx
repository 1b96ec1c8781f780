// The editor of a template.

import { useRoute } from 'preact-iso'
import { get } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { words } from './editor-words.ts'
import { InLocale } from './in-locale.tsx'
import { templateOwner } from './owner.ts'
import { words as listWords } from './words.ts'

const path = '/v1/transactional/:templateId'

export default function TemplateEditor() {
  const { templateId = '' } = useRoute().params
  const { to } = usePlace()
  const template = useLoaded(templateId, (signal) => get(path, { params: { templateId } }, signal))
  return (
    <>
      <p>
        <a href={to('/templates')}>← {words.all}</a>
      </p>
      <Show of={template}>
        {(one) => (
          <InLocale
            owner={templateOwner(one)}
            state={<span class={one.status === 'active' ? 'status good' : 'status'}>{listWords[one.status]}</span>}
            saved={template.reload}
          />
        )}
      </Show>
    </>
  )
}
