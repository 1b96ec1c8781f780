// Suppressions: addresses that are not mailed, and why. One can be added or removed here, and that can be undone.

import { useState } from 'preact/hooks'
import { get, type Listed, post, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { ListPage, SearchBy, useList } from '../../parts/list.tsx'
import { separated } from '../../parts/separated.ts'
import { suppressionReasons } from '../../parts/suppressed.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.suppressions.suppressions)

const path = '/v1/suppressions'
const removal = '/v1/contacts/suppression'
const mostNamed = 10

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
          {mayChange && <AddMany added={list.page.reload} />}
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
            { name: words.reason, isFigure: true, show: ({ reason }) => suppressionReasons[reason] },
            { name: words.detail, show: ({ detail }) => detail },
            { name: words.since, sort: '-createdAt', isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
            ...(mayChange ? [action] : []),
          ]}
        />
      )}
    </ListPage>
  )
}

/** One in a line, as they are pasted. Of those that are none the first few are named. */
function AddMany({ added }: { added: () => void }) {
  const act = useAct()
  const [given, setGiven] = useState<string[]>([])
  const add = (form: FormData) => {
    const emails = separated(String(form.get('emails')))
    setGiven(emails)
    return act.run(async () => {
      const counts = await post('/v1/suppressions/bulk', { body: { emails } })
      announce(words.addedMany(counts))
      added()
    })
  }
  const addressAt = (path: string) => given[Number(/\d+/.exec(path)?.[0])] ?? path
  return (
    <details>
      <summary>{words.many}</summary>
      <Form act={act} says={words.addIt} submit={add}>
        <label>
          {words.manyHow}
          <textarea name="emails" rows={6} required spellcheck={false} />
        </label>
        {act.issues.length > 0 && (
          <ul class="plain">
            {act.issues.slice(0, mostNamed).map(({ path, message }) => (
              <li key={path}>
                <code>{addressAt(path)}</code> {message}
              </li>
            ))}
          </ul>
        )}
      </Form>
    </details>
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
