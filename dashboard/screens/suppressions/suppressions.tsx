// Suppressions: addresses that are not mailed, and why. One can be added or removed here, and that can be undone.

import { get, type Listed, post, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { suppressionReasons } from '../../parts/suppressed.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.suppressions.suppressions)

const path = '/v1/suppressions'
const removal = '/v1/contacts/suppression'

type Suppression = Listed<typeof path>

export default function Suppressions() {
  const { workspace } = usePlace()
  const list = useList({
    screen: '/suppressions',
    path,
    filters: ['email'],
    sorts: { first: '-createdAt', names: () => ['createdAt', 'email'] },
    load: (query, signal) => get(path, { query }, signal),
  })
  const act = useAct()
  const mayChange = workspace.role !== 'viewer'

  const suppress = async (address: string) => {
    await post(path, { body: { email: address } })
    list.page.reload()
  }
  const takeOff = async (address: string) => {
    await remove(removal, { body: { email: address } })
    list.page.reload()
  }
  const removeWithUndo = (address: string) =>
    act.run(async () => {
      await takeOff(address)
      offerUndo(words.takenOff(address), () => suppress(address))
    })
  const addWithUndo = (address: string) =>
    act.run(async () => {
      await suppress(address)
      offerUndo(words.added(address), () => takeOff(address))
    })

  const action: Column<Suppression> = {
    name: words.action,
    show: ({ email }) =>
      email === null ? null : (
        <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void removeWithUndo(email)}>
          {words.takeOff}
        </button>
      ),
  }

  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          <div class="two">
            <SearchBy of={list} name="email" label={words.search} />
            {mayChange && <Add isRunning={act.isRunning} add={addWithUndo} />}
          </div>
          <WhyNot act={act} />
        </>
      }
      emptyFiltered={words.emptyFiltered}
      empty={<Empty says={words.empty} act={{ field: 'address', says: words.add }} />}
    >
      {({ data }) => (
        <Table
          caption={words.caption}
          sorting={list.sorting}
          rows={data}
          keyOf={({ emailHash }) => emailHash}
          columns={[
            { name: words.address, sort: 'email', show: (one) => one.email ?? words.erased },
            { name: words.reason, show: ({ reason }) => suppressionReasons[reason] },
            { name: words.detail, show: ({ detail }) => detail },
            { name: words.since, sort: '-createdAt', show: ({ createdAt }) => <Time at={createdAt} /> },
            ...(mayChange ? [action] : []),
          ]}
        />
      )}
    </ListPage>
  )
}

function Add({ isRunning, add }: { isRunning: boolean; add: (address: string) => Promise<boolean> }) {
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        void add(String(new FormData(form).get('address')).trim()).then(() => form.reset())
      }}
    >
      <label>
        {words.add}
        <input type="email" name="address" required />
      </label>
      <button type="submit" disabled={isRunning}>
        {words.addIt}
      </button>
    </form>
  )
}
