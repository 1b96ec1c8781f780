// Exports the data of a person, and ends: the address is suppressed, the contact is deleted, or all data of the person is erased.

import { useLocation } from 'preact-iso'
import { post, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Download } from '../../parts/download.tsx'
import { usePlace } from '../../place.ts'
import type { PersonProps } from './person-props.ts'
import { words } from './person-words.ts'

export function Leave({ of: { contact, suppression }, changed }: PersonProps) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const { id, email } = contact
  const gone = (says: string) => {
    announce(says)
    route(to('/contacts'))
  }
  return (
    <section>
      <h2>{words.ends}</h2>
      <WhyNot act={act} />
      <div class="actions">
        <Download path={`/v1/contacts/${id}/export`} name={`${id}.json`} says={words.exported} />
        {suppression === undefined && (
          <AskFirst
            act={act}
            does={words.suppress}
            title={words.suppressTitle(email)}
            how={words.suppressHow}
            run={async (form) => {
              const detail = String(form.get('detail')).trim()
              await post('/v1/suppressions', { body: { email, ...(detail && { detail }) } })
              changed(words.suppressDone)
            }}
          >
            <label>
              {words.suppressWhy}
              <input name="detail" maxLength={500} />
            </label>
          </AskFirst>
        )}
        <AskFirst
          act={act}
          does={words.remove}
          title={words.removeTitle(email)}
          how={words.removeHow}
          run={async () => {
            await post('/v1/contacts/delete', { body: { email } })
            gone(words.removed)
          }}
        />
        <AskFirst
          act={act}
          does={words.erase}
          title={words.eraseTitle(email)}
          how={words.eraseHow}
          typed={email}
          run={async () => {
            await remove('/v1/contacts/:contactId/data', { params: { contactId: id } })
            gone(words.erased)
          }}
        />
      </div>
    </section>
  )
}
