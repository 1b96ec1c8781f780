// A new sequence: by a recipe, or blank.

import { useLocation } from 'preact-iso'
import { post, toCall } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { usePlace } from '../../place.ts'
import { RecipeList } from './recipe-list.tsx'
import { words } from './words.ts'

const path = '/v1/sequences'
/** There is none without a step. */
const blank = { steps: [{ id: 'wait-1', type: 'wait', for: { amount: 1, unit: 'd' } }] }

export default function NewSequence() {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const create = (form: FormData) =>
    act.run(async () => {
      const name = String(form.get('name')).trim()
      const { id } = await post(path, { body: { name, definition: blank } })
      route(to(`/sequences/${id}`))
    })
  return (
    <>
      <p>
        <a class="back" href={to('/sequences')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.create}</h1>
        <CopyCurl call={toCall('POST', path, { body: { name: words.blankTitle, definition: blank } })} />
      </header>
      <RecipeList />
      <section>
        <h2>{words.blankTitle}</h2>
        <p class="muted">{words.blankHow}</p>
        <Form act={act} says={words.draftIt} submit={create}>
          <label>
            {words.name}
            <input name="name" required maxLength={200} autocomplete="off" />
          </label>
        </Form>
      </section>
    </>
  )
}
