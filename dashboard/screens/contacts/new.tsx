// A new contact. That they agreed to mail is a statement of its own, with its proof.

import { useLocation } from 'preact-iso'
import { post, toCall } from '../../api.ts'
import { announce } from '../../parts/announce.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { usePlace } from '../../place.ts'
import { PersonForm } from './fields.tsx'
import { words } from './person-words.ts'

const path = '/v1/contacts/create'

export default function NewContact() {
  const { route } = useLocation()
  const { to } = usePlace()
  return (
    <>
      <p>
        <a class="back" href={to('/contacts')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.addTitle}</h1>
        <CopyCurl
          call={toCall('POST', path, { body: { email: 'ada@example.net', firstName: 'Ada', subscribed: false } })}
        />
      </header>
      <p class="muted">{words.addHow}</p>
      <PersonForm
        contact={null}
        save={async (fields) => {
          const { id } = await post(path, { body: { ...fields, subscribed: false } })
          announce(words.added)
          route(to(`/contacts/${id}`))
        }}
      />
    </>
  )
}
