// A block: written like a template, with what a change of it changes.

import { useLocation, useRoute } from 'preact-iso'
import { type Got, get, patch, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { InLocale } from '../templates/in-locale.tsx'
import { blockOwner } from '../templates/owner.ts'
import { words } from './words.ts'

const path = '/v1/blocks/:blockId'

export default function BlockEditor() {
  const { blockId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { blockId }
  const block = useLoaded(blockId, async (signal) => {
    const [one, uses] = await Promise.all([get(path, { params }, signal), get(`${path}/uses`, { params }, signal)])
    return { one, uses }
  })
  return (
    <>
      <p>
        <a class="back" href={to('/blocks')}>
          {words.all}
        </a>{' '}
        <a href={to(`/blocks/${blockId}/revisions`)}>{words.revisions}</a>
      </p>
      <Show of={block}>
        {({ one, uses }) => (
          <>
            <InLocale
              owner={blockOwner(one)}
              state={() => <span class="muted">{words.state(countOf(uses))}</span>}
              saved={block.reload}
            />
            <UsedBy block={one} uses={uses} />
            <Rename block={one} renamed={block.reload} />
          </>
        )}
      </Show>
    </>
  )
}

type Block = Got<typeof path>
type Uses = Got<'/v1/blocks/:blockId/uses'>

const countOf = ({ templates, campaigns, recurringCampaigns }: Uses) =>
  templates.length + campaigns.length + recurringCampaigns.length

function UsedBy({ block, uses }: { block: Block; uses: Uses }) {
  const { mayChange } = usePlace()
  const isUsed = countOf(uses) > 0
  return (
    <section>
      <h2>{words.usedBy}</h2>
      {!isUsed && <p class="muted">{words.unused}</p>}
      <Users title={words.templates} screen="/templates" users={uses.templates} />
      <Users title={words.campaigns} screen="/campaigns" users={uses.campaigns} />
      <Users title={words.recurring} screen="/campaigns/recurring" users={uses.recurringCampaigns} />
      {!isUsed && mayChange && <Delete block={block} />}
    </section>
  )
}

function Users({ title, screen, users }: { title: string; screen: string; users: { id: string; name: string }[] }) {
  const { to } = usePlace()
  if (users.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="plain">
        {users.map(({ id, name }) => (
          <li key={id}>
            <a href={to(`${screen}/${id}`)}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Rename({ block: { id, name }, renamed }: { block: Block; renamed: () => void }) {
  const act = useAct()
  const { mayChange } = usePlace()
  if (!mayChange) return null
  const rename = (form: FormData) =>
    act.run(async () => {
      await patch(path, { params: { blockId: id }, body: { name: String(form.get('name')).trim() } })
      announce(words.renamed)
      renamed()
    })
  return (
    <section>
      <h2>{words.rename}</h2>
      <Form act={act} says={words.renameIt} submit={rename}>
        <label>
          {words.name}
          <input name="name" required maxLength={200} autocomplete="off" defaultValue={name} />
        </label>
      </Form>
    </section>
  )
}

function Delete({ block: { id, name } }: { block: Block }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  return (
    <div>
      <AskFirst
        act={act}
        does={words.remove}
        title={words.removeTitle(name)}
        how={words.removeHow}
        run={async () => {
          await remove(path, { params: { blockId: id } })
          announce(words.removed)
          route(to('/blocks'))
        }}
      />
      <WhyNot act={act} />
    </div>
  )
}
