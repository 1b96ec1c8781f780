// A mail that does not exist yet is written where it is sent: its subject and its text become a template.

import { useEffect, useState } from 'preact/hooks'
import { post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { useUnsaved } from '../../parts/leaving.tsx'
import { usePlace } from '../../place.ts'
import { type MailText, suggestionFor, words } from './mail-words.ts'

/** What the recipes leave to their users. */
const gap = '…'

interface Props {
  /** What the step names; empty for none yet. */
  templateId: string
  written: (templateId: string) => void
}

export function WriteMail({ templateId, written }: Props) {
  const { mayChange, workspace } = usePlace()
  const act = useAct()
  const key = `unsaved mail ${workspace.id} ${templateId}`
  const suggested = suggestionFor(templateId)
  const [mail, setMail] = useState<MailText>(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? suggested)
  const isChanged = mail.subject !== suggested.subject || mail.text !== suggested.text
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(mail))
    else sessionStorage.removeItem(key)
  }, [key, mail])
  useUnsaved({ isChanged: () => isChanged, forget: null })
  if (!mayChange) return null
  const write = () =>
    act.run(async () => {
      const texts = mail.text.split(/\n\s*\n/).filter((text) => text.trim() !== '')
      const content = [...texts.map((text) => ({ type: 'text', text })), { type: 'footer' }]
      const name = withoutVariables(mail.subject).slice(0, 200) || mail.subject.slice(0, 200)
      const named = templateId === '' ? {} : { id: templateId }
      const { id } = await post('/v1/transactional/create', {
        body: { ...named, name, subject: mail.subject, content },
      })
      sessionStorage.removeItem(key)
      announce(words.written)
      written(id)
    })
  return (
    <fieldset class="form">
      <legend>{words.title}</legend>
      <p class="muted">{words.how}</p>
      <label>
        {words.subject}
        <input
          maxLength={500}
          value={mail.subject}
          onInput={(event) => setMail({ ...mail, subject: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void write()
          }}
        />
      </label>
      <label>
        {words.text}
        <textarea
          rows={6}
          value={mail.text}
          onInput={(event) => setMail({ ...mail, text: event.currentTarget.value })}
        />
        <span class="muted">{words.textHow}</span>
      </label>
      {mail.text.includes(gap) && <p class="muted">{words.unfinished}</p>}
      <WhyNot act={act} />
      <div>
        <button type="button" disabled={act.isRunning} onClick={() => void write()}>
          {words.write}
        </button>
      </div>
    </fieldset>
  )
}

/** `Hello {{firstName|there}}` is `Hello there`. */
function withoutVariables(subject: string): string {
  return subject.replaceAll(/\{\{[^{}|]*\|?|\}\}/g, '').trim()
}
