// The notice that a person's address is suppressed, with the reason, above everything else; and removing the suppression.

import { get, remove } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { suppressionReasons } from '../../parts/suppressed.ts'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import type { PersonProps } from './person-props.ts'
import { words } from './person-words.ts'

export function Suppressed({ of: { contact, suppression }, changed }: PersonProps) {
  const { to, workspace } = usePlace()
  const act = useAct()
  if (suppression === undefined) return null
  const { reason, detail, messageId, createdAt } = suppression
  const lift = async () => {
    await remove('/v1/contacts/suppression', { body: { email: contact.email } })
    changed(words.lifted)
  }
  return (
    <div class="notice bad">
      <p>
        <strong>{words.suppressed({ reason: suppressionReasons[reason], at: moment(createdAt) })}</strong>{' '}
        {words.suppressedHow[reason]}
      </p>
      {detail !== null && <p>{detail}</p>}
      {messageId !== null && (
        <p>
          <a href={to(`/activity/${messageId}`)}>{words.causedBy}</a>
        </p>
      )}
      <WhyNot act={act} />
      {workspace.role !== 'viewer' && (
        <AskFirst
          act={act}
          does={words.lift}
          title={words.liftTitle(contact.email)}
          how={words.liftHow[reason]}
          run={lift}
        >
          {reason === 'complaint' && <Quota email={contact.email} />}
        </AskFirst>
      )}
    </div>
  )
}

/** Complaints are forgiven only so often. */
function Quota({ email }: { email: string }) {
  const status = useLoaded(email, (signal) => get('/v1/contacts/suppression-status', { query: { email } }, signal))
  if (status.value === undefined) return null
  const { limit, remaining } = status.value.removalQuota
  return <p>{words.quota({ left: remaining, limit })}</p>
}
