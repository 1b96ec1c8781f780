// Suppressions: addresses that are not mailed, and why. One is added or taken off here; a wrong step is undone.

import { useLocation } from 'preact-iso'
import { callOf, get, post, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Pages, searchOf } from '../../parts/pages.tsx'
import { Search } from '../../parts/search.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage({
  en: {
    title: 'Suppressions',
    caption: 'Addresses that are not mailed, newest first',
    search: 'Address',
    address: 'Address',
    reason: 'Reason',
    detail: 'Detail',
    since: 'Since',
    action: 'Action',
    takeOff: 'Take off the list',
    add: 'Add an address',
    addIt: 'Add',
    added: (email: string) => `${email} is not mailed any more.`,
    takenOff: (email: string) => `${email} may be mailed again.`,
    erased: 'somebody who was erased',
    empty: 'Nobody. Hard bounces, complaints and what you add yourself stand here.',
    reasons: {
      hardBounce: 'hard bounce',
      complaint: 'complaint',
      manual: 'added by hand',
      unsubscribe: 'unsubscribed',
    },
  },
  de: {
    title: 'Sperrliste',
    caption: 'Adressen, an die nichts geht, die neuesten zuerst',
    search: 'Adresse',
    address: 'Adresse',
    reason: 'Grund',
    detail: 'Einzelheiten',
    since: 'Seit',
    action: 'Tun',
    takeOff: 'Von der Liste nehmen',
    add: 'Eine Adresse sperren',
    addIt: 'Sperren',
    added: (email: string) => `An ${email} geht nichts mehr.`,
    takenOff: (email: string) => `An ${email} darf wieder etwas gehen.`,
    erased: 'jemand, der gelöscht wurde',
    empty: 'Niemand. Hier stehen endgültig Zurückgewiesenes, Beschwerden und was von Hand gesperrt wird.',
    reasons: {
      hardBounce: 'endgültig zurückgewiesen',
      complaint: 'Beschwerde',
      manual: 'von Hand',
      unsubscribe: 'abgemeldet',
    },
  },
})

const path = '/v1/suppressions'
const removal = '/v1/contacts/suppression'
const perPage = 50

export default function Suppressions() {
  const { query, route } = useLocation()
  const { to, workspace } = usePlace()
  const { email = '', cursor = '' } = query
  const wanted = { perPage, ...(email && { email }), ...(cursor && { cursor }) }
  const call = callOf('GET', path, { query: wanted })
  const page = useLoaded(call.path, (signal) => get(path, { query: wanted }, signal))
  const act = useAct()
  const hrefOf = (given: Record<string, string | undefined>) => to('/suppressions') + searchOf(given)
  const mayChange = workspace.role !== 'viewer'

  const suppress = async (address: string) => {
    await post(path, { body: { email: address } })
    page.reload()
  }
  const takeOff = async (address: string) => {
    await remove(removal, { body: { email: address } })
    page.reload()
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

  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={call} />
      </header>
      <div class="two">
        <Search label={words.search} text={email} search={(text) => route(hrefOf({ email: text }))} />
        {mayChange && <Add isRunning={act.isRunning} add={addWithUndo} />}
      </div>
      <WhyNot act={act} />
      <Show of={page}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p class="muted">{words.empty}</p>
          ) : (
            <>
              <Table
                caption={words.caption}
                rows={data}
                keyOf={({ emailHash }) => emailHash}
                columns={[
                  { name: words.address, show: (one) => one.email ?? words.erased },
                  { name: words.reason, show: ({ reason }) => words.reasons[reason] },
                  { name: words.detail, show: ({ detail }) => detail },
                  { name: words.since, show: ({ createdAt }) => <Time at={createdAt} /> },
                  ...(mayChange
                    ? [
                        {
                          name: words.action,
                          show: (one: { email: string | null }) => {
                            const address = one.email
                            return address === null ? null : (
                              <button
                                type="button"
                                class="quiet"
                                disabled={act.isRunning}
                                onClick={() => void removeWithUndo(address)}
                              >
                                {words.takeOff}
                              </button>
                            )
                          },
                        },
                      ]
                    : []),
                ]}
              />
              <Pages
                cursor={cursor}
                nextCursor={pagination.nextCursor}
                hrefAt={(at) => hrefOf({ email, cursor: at })}
              />
            </>
          )
        }
      </Show>
    </>
  )
}

function Add({ isRunning, add }: { isRunning: boolean; add: (address: string) => Promise<void> }) {
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
