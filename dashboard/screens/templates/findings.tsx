// What the inspection of a mail says: errors, its row in lists of mails, its links, its size.

import { colon, comma, count } from '../../words.ts'
import { words } from './editor-words.ts'
import type { Preview } from './owner.ts'
import { type Path, readPlace } from './tree.ts'

interface Props {
  preview: Preview
  choose: (path: Path) => void
}

export function Findings({ preview, choose }: Props) {
  const { findings, htmlBytes, isClipped } = preview
  return (
    <section>
      <header class="title">
        <h2>{words.findings}</h2>
        <span class={isClipped ? 'status bad' : 'muted'}>{words.size(count(Math.ceil(htmlBytes / 1024)))}</span>
      </header>
      {findings.length === 0 && <p class="muted">{words.noFindings}</p>}
      <ul class="plain">
        {findings.map(({ code, severity, path, message }) => (
          <li key={`${code} ${path}`}>
            <span class={`status ${tones[severity]}`}>{words[severity]}</span> <bdi>{message}</bdi>{' '}
            <FindingPath path={path} choose={choose} />
          </li>
        ))}
      </ul>
      <Inbox rows={preview.inbox} />
      <Links preview={preview} choose={choose} />
    </section>
  )
}

const tones = { error: 'bad', warning: 'warn', info: '' }

function FindingPath({ path, choose }: { path: string; choose: Props['choose'] }) {
  const place = readPlace(path)
  if (!place) return null
  return (
    <button type="button" class="quiet" onClick={() => choose(place.path)}>
      <code>{path}</code>
    </button>
  )
}

function Inbox({ rows }: { rows: Preview['inbox'] }) {
  if (rows.length === 0) return null
  return (
    <>
      <h3>{words.inbox}</h3>
      <dl class="inbox">
        {rows.map(({ client, subject, previewText }) => (
          <div key={client}>
            <dt>{words[client]}</dt>
            <dd dir="auto">
              <strong>{subject}</strong> <span class="muted">{previewText}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Links({ preview: { links, clientGaps }, choose }: Props) {
  return (
    <>
      {links.length > 0 && (
        <details>
          <summary>
            {words.links} ({count(links.length)})
          </summary>
          <ul class="plain">
            {links.map(({ path, text, href }) => (
              <li key={path}>
                {text}
                {colon}
                {href === '' ? <em>{words.nowhere}</em> : <code>{href}</code>}{' '}
                <FindingPath path={path} choose={choose} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {clientGaps.length > 0 && (
        <details>
          <summary>
            {words.gaps} ({count(clientGaps.length)})
          </summary>
          <ul class="plain">
            {clientGaps.map(({ feature, clients, instead }) => (
              <li key={feature}>
                <code>{feature}</code>
                {colon}
                {clients.join(comma)}. <bdi>{instead}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
