// One mailing list, or a new one: its name, how people join it, and archiving it.

import { useLocation, useRoute } from 'preact-iso'
import { type Got, get, patch, post, remove, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { WithPublicUrl } from '../../parts/public-url.tsx'
import { usePlace } from '../../place.ts'
import { count, moment } from '../../words.ts'
import { words } from './words.ts'

const lists = '/v1/mailing-lists'
const path = `${lists}/:listId` as const

type MailingList = Got<typeof path>

export default function MailingListPage() {
  const { listId } = useRoute().params
  const { to } = usePlace()
  return (
    <>
      <p>
        <a class="back" href={to('/lists')}>
          {words.all}
        </a>
      </p>
      {listId === undefined ? (
        <>
          <header class="title">
            <h1>{words.newList}</h1>
          </header>
          <ListForm list={null} saved={() => {}} />
        </>
      ) : (
        <StoredList listId={listId} />
      )}
    </>
  )
}

function StoredList({ listId }: { listId: string }) {
  const { workspace } = usePlace()
  const params = { listId }
  const list = useLoaded(listId, (signal) => get(path, { params }, signal))
  return (
    <Show of={list}>
      {(one) => (
        <>
          <header class="title">
            <h1>{one.name}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under">
            <Copy text={one.id} label={one.id} />
          </p>
          {one.status === 'archived' && <p class="notice">{words.archived}</p>}
          <Facts
            title={words.about}
            facts={[
              [words.people, count(one.contactCount)],
              [words.optIn, words[one.optIn]],
              [words.visible, one.isPublic ? words.everybody : words.subscribers],
              [
                words.publicArchive,
                one.hasPublicArchive && (
                  <WithPublicUrl>
                    {(url) => <Copy text={`${url}/archive/${one.id}`} label={words.archiveAddress} />}
                  </WithPublicUrl>
                ),
              ],
              [words.description, one.description],
              [words.made, moment(one.createdAt)],
            ]}
          />
          {workspace.role !== 'viewer' && one.status === 'active' && (
            <section>
              <h2>{words.change}</h2>
              <ListForm list={one} saved={list.reload} />
              <Archive list={one} />
            </section>
          )}
        </>
      )}
    </Show>
  )
}

function ListForm({ list, saved }: { list: MailingList | null; saved: () => void }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const save = (form: FormData) =>
    act.run(async () => {
      const body = {
        name: String(form.get('name')).trim(),
        description: String(form.get('description')).trim() || null,
        isPublic: form.has('isPublic'),
        hasPublicArchive: form.has('hasPublicArchive'),
        optIn: form.has('isDouble') ? ('double' as const) : ('single' as const),
      }
      if (list === null) {
        const { id } = await post(lists, { body })
        route(to(`/lists/${id}`))
      } else {
        await patch(path, { params: { listId: list.id }, body })
        announce(words.saved)
        saved()
      }
    })
  return (
    <Form act={act} says={words.save} submit={save}>
      <label>
        {words.name}
        <input name="name" required maxLength={200} defaultValue={list?.name ?? ''} />
      </label>
      <label>
        {words.description}
        <input name="description" maxLength={1_000} defaultValue={list?.description ?? ''} />
      </label>
      <label class="check">
        <input type="checkbox" name="isDouble" defaultChecked={list === null || list.optIn === 'double'} />{' '}
        {words.isDouble}
      </label>
      <label class="check">
        <input type="checkbox" name="isPublic" defaultChecked={list?.isPublic ?? true} /> {words.isPublic}
      </label>
      <label class="check">
        <input type="checkbox" name="hasPublicArchive" defaultChecked={list?.hasPublicArchive ?? false} />{' '}
        {words.hasPublicArchive}
      </label>
    </Form>
  )
}

function Archive({ list }: { list: MailingList }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const archive = async () => {
    await remove(path, { params: { listId: list.id } })
    route(to('/lists'))
  }
  return (
    <>
      <WhyNot act={act} />
      <AskFirst
        act={act}
        does={words.archive}
        title={words.archiveTitle}
        how={words.archiveHow}
        typed={list.name}
        run={archive}
      />
    </>
  )
}
