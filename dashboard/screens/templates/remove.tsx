// A template that is not needed any more is deleted, unless something would send it.

import { useLocation } from 'preact-iso'
import { post } from '../../api.ts'
import type { Template } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.templates.remove)

/** What would send it is named where it is refused. */
export function RemoveTemplate({ template: { id } }: { template: Template }) {
  const { route } = useLocation()
  const { to, mayChange } = usePlace()
  const act = useAct()
  if (!mayChange) return null
  const removeIt = async () => {
    await post('/v1/transactional/delete', { body: { id } })
    announce(words.removed)
    route(to('/templates'))
  }
  return (
    <section>
      <AskFirst act={act} does={words.remove} title={words.title} how={words.how} typed={id} run={removeIt} />
      <WhyNot act={act} />
    </section>
  )
}
