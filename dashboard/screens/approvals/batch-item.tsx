// One of those that are read one below the other: the whole of what would leave, and what it answers, folded.

import { useState } from 'preact/hooks'
import type { Approval } from '../../nouns.ts'
import { usePlace } from '../../place.ts'
import { ApprovalHead, titleOf } from './about.tsx'
import { ActionFacts } from './action.tsx'
import { AnsweredMail } from './answered.tsx'
import type { SeenHash } from './deciding.ts'
import { Doubts } from './doubts.tsx'
import { Edit } from './edit.tsx'
import { Leaving } from './leaving.tsx'
import { words } from './words.ts'

interface Props {
  approval: Approval
  /** Why it was not decided when somebody did. */
  failed: string | null
  isTicked: boolean
  tick: (isOn: boolean) => void
  /** Nothing can be decided now. */
  isOff: boolean
  isEditing: boolean
  /** Null where its words are not changed here. */
  edit: (() => void) | null
  close: () => void
  refuse: () => void
  saved: (seen: SeenHash) => void
}

export function BatchItem(props: Props) {
  const { approval, failed, isTicked, tick, isOff, isEditing, edit, close, refuse, saved } = props
  const { mayChange, to } = usePlace()
  const { id, kind, action } = approval
  const title = titleOf(approval)
  return (
    <article data-approval={id} aria-label={title}>
      <header>
        {mayChange && (
          <input
            type="checkbox"
            aria-label={words.tick(title)}
            checked={isTicked}
            onChange={({ currentTarget }) => tick(currentTarget.checked)}
          />
        )}
        <h2>
          <a href={to(`/approvals/${id}`)}>{title}</a>
        </h2>
      </header>
      <ApprovalHead approval={approval} />
      {failed !== null && (
        <p class="notice bad" role="alert">
          <strong>{failed}</strong>
        </p>
      )}
      <Doubts approval={approval} />
      {action !== null && <ActionFacts action={action} />}
      {isEditing ? <Edit approval={approval} saved={saved} close={close} /> : <Leaving approval={approval} />}
      {kind === 'reply' && <Folded approval={approval} />}
      {mayChange && (
        <div class="actions">
          {edit && (
            <button type="button" disabled={isOff} onClick={edit}>
              {words.edit} <kbd>e</kbd>
            </button>
          )}
          <button type="button" disabled={isOff} onClick={refuse}>
            {words.refuse} <kbd>r</kbd>
          </button>
        </div>
      )}
    </article>
  )
}

/** Asked for when it is opened. */
function Folded({ approval }: Pick<Props, 'approval'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="untrusted" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.answers}</summary>
      {isOpen && <AnsweredMail approval={approval} />}
    </details>
  )
}
