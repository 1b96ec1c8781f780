// An attachment as text, asked for page by page: never anything that a browser would run, with what agents do not get marked in its place.

import { useState } from 'preact/hooks'
import { visible } from '../../src/kit/visible.ts'
import { type Got, get } from '../api.ts'
import { inLanguage } from '../words.ts'
import { useAct, WhyNot } from './act.tsx'
import { marked } from './marked.tsx'

const words = inLanguage(catalogue.parts.received)

const path = '/v1/mailboxes/:mailboxId/messages/:messageId/attachments/:number/text'

interface Props {
  at: { mailboxId: string; messageId: string; number: string }
  filename: string
}

export function AttachmentText({ at, filename }: Props) {
  const [pages, setPages] = useState<Got<typeof path>[]>([])
  const act = useAct()
  const last = pages.at(-1)
  const more = () =>
    act.run(async () => {
      const query = last?.nextCursor == null ? {} : { cursor: last.nextCursor }
      const page = await get(path, { params: at, query })
      setPages((before) => [...before, page])
    })
  const hidden = pages.reduce((sum, page) => sum + page.hidden.length, 0)
  return (
    <>
      {last && hidden > 0 && <p class="notice bad">{words.hidden(hidden)}</p>}
      {last && !last.isComplete && <p class="notice">{words.partOfText}</p>}
      {last && (
        <section aria-label={words.textOf(visible(filename))}>
          <pre class="mail whole">
            {pages.map((page, number) => (
              <span key={number}>{marked(page.text, page.hidden, 0)}</span>
            ))}
          </pre>
        </section>
      )}
      <WhyNot act={act} />
      {(last === undefined || last.nextCursor !== null) && (
        <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void more()}>
          {last === undefined ? words.asText : words.moreText}
        </button>
      )}
    </>
  )
}
