// The editor of a template.

import { useRoute } from 'preact-iso'
import { get } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { words } from './editor-words.ts'
import { InLocale } from './in-locale.tsx'
import { templateOwner } from './owner.ts'
import { Publish } from './publish.tsx'
import { RemoveTemplate } from './remove.tsx'

const path = '/v1/transactional/:templateId'

export default function TemplateEditor() {
  const { templateId = '' } = useRoute().params
  const { to } = usePlace()
  const template = useLoaded(templateId, (signal) => get(path, { params: { templateId } }, signal))
  return (
    <>
      <p>
        <a class="back" href={to('/templates')}>
          {words.all}
        </a>{' '}
        <a href={to(`/templates/${templateId}/revisions`)}>{words.revisions}</a>
      </p>
      <Show of={template}>
        {(one) => (
          <>
            <InLocale
              owner={templateOwner(one)}
              state={(desk) => <Publish template={one} desk={desk} changed={template.reload} />}
              saved={template.reload}
            />
            <RemoveTemplate template={one} />
          </>
        )}
      </Show>
    </>
  )
}
