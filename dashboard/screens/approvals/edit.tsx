// Edits mail that waits: as plain text, or as JSON where the agent wrote a component tree.

import { useRef, useState } from 'preact/hooks'
import { patch, Refusal } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import type { Approval } from '../../nouns.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Form } from '../../parts/form.tsx'
import type { SeenHash } from './deciding.ts'
import { words } from './words.ts'

const path = '/v1/approvals/:approvalId'

interface Props {
  approval: Approval
  /** What it is from now on. */
  saved: (seen: SeenHash) => void
  close: () => void
}

export function Edit({ approval, saved, close }: Props) {
  const act = useAct()
  const field = useRef<HTMLTextAreaElement>(null)
  const { id: approvalId, contentHash, text, contents } = approval
  const [said, setSaid] = useState(text ?? JSON.stringify(contents[0]?.content, null, 2))
  const submit = () =>
    act.run(async () => {
      const change = text === null ? { content: parseTree(said) } : { text: said }
      const seen = await patch(path, { params: { approvalId }, body: { contentHash, ...change } })
      announce(words.saved)
      close()
      saved(seen)
    })
  useShortcuts([{ keys: 'Mod+enter', says: words.save, run: () => field.current?.form?.requestSubmit() }])
  return (
    <Form act={act} says={words.save} submit={submit} close={close}>
      <label>
        {text === null ? words.asTree : words.asText}
        <textarea
          ref={field}
          autofocus
          required
          rows={14}
          maxLength={100_000}
          spellcheck={text !== null}
          value={said}
          onInput={(event) => setSaid(event.currentTarget.value)}
        />
      </label>
    </Form>
  )
}

/** What is in it the server checks. */
function parseTree(json: string): Approval['contents'][number]['content'] {
  try {
    return JSON.parse(json)
  } catch {
    throw new Refusal(422, { detail: words.notJson })
  }
}
