// Before a person loses a right: the credentials that they created with it, which end too unless an owner takes them over.

import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { colon } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/members/:userId/grants'

export const loadGrants = (userId: string, signal?: AbortSignal) => get(path, { params: { userId } }, signal)

interface Props {
  userId: string
  /** People cannot take over their own credentials. */
  isMe: boolean
  title: string
  does: string
  how: string
  close: () => void
  run: (keep: boolean) => void
}

export function Parting({ userId, isMe, title, does, how, close, run }: Props) {
  const grants = useLoaded(userId, (signal) => loadGrants(userId, signal))
  const [keep, setKeep] = useState(false)
  return (
    <Confirm title={title} does={does} close={close} run={() => run(keep)}>
      <p>{how}</p>
      <Show of={grants}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted">{words.nothingPassedOn}</p>
          ) : (
            <>
              <p>{keep ? words.goesOn : words.endsToo}</p>
              <ul>
                {data.map(({ kind, id, name }) => (
                  <li key={kind + id}>
                    {words.grants[kind]}
                    {colon}
                    {name}
                  </li>
                ))}
              </ul>
              {!isMe && (
                <label class="check">
                  <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />{' '}
                  {words.keep}
                </label>
              )}
            </>
          )
        }
      </Show>
    </Confirm>
  )
}
