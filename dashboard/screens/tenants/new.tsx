// A new workspace, with what its plan allows. Its first key is made at its page.

import { useLocation } from 'preact-iso'
import { post } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { Form } from '../../parts/form.tsx'
import { usePlace } from '../../place.ts'
import { LimitFields, limitsIn, NameField } from './fields.tsx'
import { words } from './words.ts'

export default function NewTenant() {
  const { to } = usePlace()
  const { route } = useLocation()
  const act = useAct()
  const create = (form: FormData) =>
    act.run(async () => {
      const name = String(form.get('name')).trim()
      const body = { slug: String(form.get('slug')).trim(), ...(name && { name }), limits: limitsIn(form) }
      const { id } = await post('/v1/workspaces', { body })
      route(to(`/settings/workspaces/${id}`))
    })
  return (
    <>
      <p>
        <a class="back" href={to('/settings/workspaces')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.create}</h1>
      </header>
      <Form act={act} says={words.save} submit={create}>
        <label>
          {words.slug}
          <input name="slug" required maxLength={64} autocomplete="off" placeholder="globex" />
          <span>{words.slugHow}</span>
        </label>
        <NameField />
        <LimitFields />
      </Form>
    </>
  )
}
