// The tools above the text that is edited in the mail: only what its component can store. The focus stays in the mail while they are clicked.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { autoResolvedNames } from '../../../../src/features/content/rendering/variable-names.ts'
import { get } from '../../../api.ts'
import type { Command } from '../../../in-mail/messages.ts'
import { propertiesPath } from '../../../parts/contact-properties.ts'
import { useLoaded } from '../../../parts/load.tsx'
import type { Preview } from '../owner.ts'
import { typeName } from '../property-words.ts'
import type { TreeNode } from '../tree.ts'
import type { InMail } from './use-in-mail.ts'
import { words } from './words.ts'

interface Props {
  inMail: InMail
  variables: Preview['variables']
  /** Of the component that is edited. */
  change: (next: TreeNode) => void
  /** Where the frame stands in its room, and how much smaller it is drawn. */
  leftPx: number
  scale: number
  roomPx: number
}

const heightPx = 44
const leastPx = 300

export function Tools({ inMail, variables, change, leftPx, scale, roomPx }: Props) {
  const { edit, node, caret, wanted, send } = inMail
  const bar = useRef<HTMLDivElement>(null)
  const [isLinking, setLinking] = useState(false)
  useLayoutEffect(() => {
    if (wanted?.tool === 'link' && caret?.hasLooks) setLinking(true)
    if (wanted?.tool === 'tools') bar.current?.querySelector<HTMLElement>('button, select')?.focus()
  }, [wanted])
  useLayoutEffect(() => setLinking(false), [edit?.place, edit?.index])
  if (!edit || !node || !caret) return null
  const run = (command: Command) => send.current?.({ command })
  const above = caret.top * scale - heightPx - 6
  const top = above < 0 ? caret.bottom * scale + 8 : above
  const left = Math.max(0, Math.min(leftPx + caret.left * scale, roomPx - leastPx))
  const back = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    setLinking(false)
    run({ focus: true })
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      tabIndex={-1}
      aria-label={words.tools}
      class="text-tools"
      style={{ top: `${top}px`, left: `${left}px` }}
      onKeyDown={back}
      // The letters that are marked stay marked.
      onMouseDown={(event) => event.target instanceof HTMLButtonElement && event.preventDefault()}
    >
      {caret.hasLooks && (
        <>
          <button
            type="button"
            aria-pressed={caret.strong}
            aria-label={words.bold}
            onClick={() => run({ mark: 'strong' })}
          >
            <strong>B</strong>
          </button>
          <button type="button" aria-pressed={caret.em} aria-label={words.italic} onClick={() => run({ mark: 'em' })}>
            <em>I</em>
          </button>
          <button
            type="button"
            aria-pressed={caret.href !== null}
            aria-expanded={isLinking}
            onClick={() => setLinking(!isLinking)}
          >
            {words.link}
          </button>
        </>
      )}
      {node.type === 'heading' && (
        <label>
          <span class="unseen">{words.level}</span>
          <select
            value={String(node['level'] ?? 1)}
            onChange={({ currentTarget: { value } }) => change({ ...node, level: Number(value) })}
          >
            {[1, 2, 3].map((level) => (
              <option key={level} value={level}>
                {typeName('heading')} {level}
              </option>
            ))}
          </select>
        </label>
      )}
      {edit.enter === 'split' && (
        <button
          type="button"
          aria-pressed={node['ordered'] === true}
          onClick={() => change({ ...node, ordered: node['ordered'] !== true })}
        >
          {words.ordered}
        </button>
      )}
      <Variables variables={variables} insert={(name) => run({ insert: `{{${name}}}` })} />
      {isLinking && (
        <LinkForm
          href={caret.href ?? ''}
          set={(href) => {
            setLinking(false)
            run({ link: href })
          }}
        />
      )}
      {edit.format === 'markdown' && !caret.hasLooks && <small>{words.asItIs}</small>}
    </div>
  )
}

function LinkForm({ href, set }: { href: string; set: (href: string | null) => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('href')).trim()
        set(typed === '' ? null : asTarget(typed))
      }}
    >
      <input
        ref={(field) => field?.focus()}
        name="href"
        aria-label={words.address}
        placeholder="https://"
        defaultValue={href}
        maxLength={2_000}
      />
      <button type="submit">{words.setLink}</button>
      {href !== '' && (
        <button type="button" onClick={() => set(null)}>
          {words.noLink}
        </button>
      )}
    </form>
  )
}

/** An address without its scheme is one of the web; what would end a link in markdown is written in its other form. */
function asTarget(typed: string): string {
  const isWhole = /^([a-z][a-z0-9+.-]*:|\{\{|#|\/)/i.test(typed)
  const whole = isWhole ? typed : /^[^\s@/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : `https://${typed}`
  return whole.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(/\s/g, '%20')
}

const contactNames = ['email', 'firstName', 'lastName', 'userId', 'userGroup', 'locale', 'timezone']

function Variables({ variables, insert }: { variables: Props['variables']; insert: (name: string) => void }) {
  const own = useLoaded('properties', (signal) => get(propertiesPath, { query: { list: 'custom' } }, signal))
  const groups = [
    { says: words.ofMail, names: variables.filter(({ state }) => state !== 'automatic').map(({ name }) => name) },
    {
      says: words.ofContact,
      names: [...contactNames, ...(own.value ?? []).map(({ key }) => key)].map((name) => `contact.${name}`),
    },
    { says: words.ofOthers, names: autoResolvedNames },
  ]
  return (
    <label>
      <span class="unseen">{words.variable}</span>
      <select
        value=""
        onChange={({ currentTarget }) => {
          insert(currentTarget.value)
          currentTarget.value = ''
        }}
      >
        <option value="">{words.variable}</option>
        {groups.map(
          ({ says, names }) =>
            names.length > 0 && (
              <optgroup key={says} label={says}>
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
    </label>
  )
}
