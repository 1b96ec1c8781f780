// HTML or MJML is brought in, by paste or from a file: what becomes of it is seen before it is a part of the draft.

import { useState } from 'preact/hooks'
import { type Posted, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { asNodes, type SourceKind } from './source.ts'
import { words } from './source-words.ts'
import type { TreeNode } from './tree.ts'
import type { TemplateDraft } from './use-draft.ts'

const path = '/v1/transactional/import'
type Read = Posted<typeof path>

const services = ['mailchimp', 'listmonk', 'brevo'] as const

export function BringIn({ draft: { written, change, choose } }: { draft: TemplateDraft }) {
  const [isOpen, setOpen] = useState(false)
  const use = (content: TreeNode[], subject: string) => {
    choose(null)
    change({ content, ...(written.subject === '' && { subject }) })
    setOpen(false)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.bring}
      </button>
      {isOpen && <Bring replaces={written.content.length > 0} use={use} close={() => setOpen(false)} />}
    </>
  )
}

interface Props {
  /** Whether something is there that it takes the place of. */
  replaces: boolean
  use: (content: TreeNode[], subject: string) => void
  close: () => void
}

function Bring({ replaces, use, close }: Props) {
  const act = useAct()
  const [source, setSource] = useState('')
  const [dialect, setDialect] = useState('')
  const [read, setRead] = useState<Read | null>(null)
  const change = (next: string) => {
    setSource(next)
    setRead(null)
  }
  const look = () =>
    act.run(async () => {
      const service = services.find((one) => one === dialect)
      setRead(await post(path, { body: { kind: kindOf(source), source, ...(service && { dialect: service }) } }))
    })
  return (
    <Dialog title={words.title} close={close}>
      <h2>{words.title}</h2>
      <p class="muted">{words.how}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void look()
        }}
      >
        <label class="field">
          {words.source}
          <textarea
            class="code"
            name="source"
            rows={read ? 4 : 10}
            required
            spellcheck={false}
            value={source}
            onInput={(event) => change(event.currentTarget.value)}
          />
        </label>
        <div class="choices">
          <label class="field">
            {words.file}
            <input
              type="file"
              name="file"
              accept=".html,.htm,.mjml"
              onChange={(event) => void event.currentTarget.files?.[0]?.text().then(change)}
            />
          </label>
          <label class="field">
            {words.dialect}
            <select
              name="dialect"
              value={dialect}
              onChange={(event) => {
                setDialect(event.currentTarget.value)
                setRead(null)
              }}
            >
              <option value="">{words.ours}</option>
              {services.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        </div>
        {read && <WhatBecomes read={read} />}
        {read && replaces && <p class="muted">{words.replaces}</p>}
        <div class="actions">
          {read ? (
            <button type="button" class="main" onClick={() => use(asNodes(read.content), read.subject)}>
              {words.use}
            </button>
          ) : (
            <button type="submit" class="main" disabled={act.isRunning || source.trim() === ''}>
              {words.read}
            </button>
          )}
        </div>
      </form>
      <WhyNot act={act} />
    </Dialog>
  )
}

const kindOf = (source: string): SourceKind => (/<mjml[\s>]/i.test(source) ? 'mjml' : 'html')

function WhatBecomes({ read: { kind, warnings } }: { read: Read }) {
  return (
    <div role="status">
      <p>{kind === 'tree' ? words.asTree : words.asSource}</p>
      <LeftOut issues={warnings} />
    </div>
  )
}

export function LeftOut({ issues }: { issues: { message: string }[] }) {
  if (issues.length === 0) return <p class="muted">{words.nothingLeftOut}</p>
  return (
    <details open>
      <summary>
        {words.leftOut} ({issues.length})
      </summary>
      <ul class="plain">
        {issues.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </details>
  )
}
