// A captured mail: as its readers see it, its headers and source, client support, its links, its files.

import { useState } from 'preact/hooks'
import type { Got } from '../api.ts'
import { comma, count, inLanguage } from '../words.ts'
import { Facts } from './facts.tsx'
import { Show, useLoaded } from './load.tsx'
import { MailFrame } from './mail-frame.tsx'
import { Table } from './table.tsx'

const words = inLanguage(catalogue.parts.capturedMail)

type Mail = Got<'/v1/activity/captured/:capturedId'>

const views = ['rendered', 'check', 'links', 'headers', 'source'] as const

export function CapturedMail({ mail }: { mail: Mail }) {
  const [view, setView] = useState<(typeof views)[number]>('rendered')
  const { capturedId, html, text, source } = mail
  // By way of the server-rendered pages, which know all workspaces of the person.
  const page = `/captured/${capturedId}`
  const pictured = useLoaded(capturedId, (signal) => loadPictured(html, page, signal))
  return (
    <section>
      <h2>{words.mail}</h2>
      <div class="choices">
        {views.map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
            {words[one]}
            {one === 'links' && ` (${count(mail.links.length)})`}
            {one === 'check' && mail.findings.length > 0 && ` (${count(mail.findings.length)})`}
          </button>
        ))}
        {html !== null && (
          <a href={`${page}/html`} target="_blank" rel="noopener">
            {words.alone}
          </a>
        )}
        <a href={`${page}/raw`} download={`${capturedId}.eml`}>
          {words.download}
        </a>
      </div>
      {view === 'rendered' && (
        <Show of={pictured}>{(shown) => <MailFrame title={words.html} html={shown} text={text ?? ''} />}</Show>
      )}
      {view === 'check' && <Check mail={mail} />}
      {view === 'links' && <Links mail={mail} />}
      {view === 'headers' && <Headers headers={mail.headers} />}
      {view === 'source' && <pre class="mail">{source}</pre>}
      <Attachments mail={mail} page={page} />
    </section>
  )
}

/** The HTML with the pictures that the mail brings along. */
async function loadPictured(html: string | null, page: string, signal: AbortSignal): Promise<string | null> {
  if (html === null || !/cid:/i.test(html)) return html
  const answer = await fetch(`${page}/html`, { signal })
  return answer.ok ? await answer.text() : html
}

const tones = { error: 'bad', warning: 'warn', info: '' }

function Check({ mail: { html, findings, clientGaps, htmlBytes, isClipped } }: { mail: Mail }) {
  if (html === null) return <p class="muted">{words.notHtml}</p>
  return (
    <>
      <p class={isClipped ? 'notice bad' : 'muted'}>{words.size(count(Math.ceil(htmlBytes / 1024)))}</p>
      {findings.length === 0 && <p class="muted">{words.sound}</p>}
      <ul class="plain">
        {findings.map(({ code, severity, path, message }) => (
          <li key={`${code} ${path}`}>
            <span class={`status ${tones[severity]}`}>{words[severity]}</span> {message} <code>{path}</code>
          </li>
        ))}
      </ul>
      {clientGaps.length > 0 && (
        <>
          <h3>{words.gaps}</h3>
          <Table
            caption={words.gaps}
            rows={Map.groupBy(clientGaps, ({ instead, clients }) => `${instead} ${clients}`)
              .values()
              .toArray()}
            keyOf={([gap]) => gap?.feature ?? ''}
            columns={[
              { name: words.instead, show: ([gap]) => gap?.instead },
              { name: words.feature, show: (gaps) => gaps.map(({ feature }) => feature).join(comma) },
              { name: words.clients, show: ([gap]) => gap?.clients.join(comma) },
            ]}
          />
        </>
      )}
    </>
  )
}

function Links({ mail: { links, unsubscribe } }: { mail: Mail }) {
  return (
    <>
      {links.length === 0 ? (
        <p class="muted">{words.noLinks}</p>
      ) : (
        <Table
          caption={words.links}
          rows={links}
          keyOf={({ path }) => path}
          columns={[
            { name: words.text, show: ({ text }) => text },
            { name: words.leads, show: ({ href }) => <code>{href}</code> },
            { name: words.problems, show: ({ problems }) => problems.map((one) => <Problem key={one} code={one} />) },
            { name: words.place, show: ({ path }) => <code>{path}</code> },
          ]}
        />
      )}
      {unsubscribe === null ? (
        <p class="muted">{words.none}</p>
      ) : (
        <Facts
          title={words.unsubscribe}
          facts={[
            [words.addresses, unsubscribe.addresses.join(comma)],
            [words.oneClick, unsubscribe.isOneClick ? words.yes : words.no],
          ]}
        />
      )}
    </>
  )
}

function Problem({ code }: { code: string }) {
  return <span class="status warn">{code}</span>
}

function Headers({ headers }: Pick<Mail, 'headers'>) {
  return (
    <dl class="facts headers">
      {headers.map(({ name, value }, number) => (
        <div key={`${number} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Attachments({ mail: { attachments }, page }: { mail: Mail; page: string }) {
  if (attachments.length === 0) return null
  return (
    <>
      <h3>{words.attachments}</h3>
      <ul class="plain">
        {attachments.map(({ number, filename, contentType, sizeBytes }) => (
          <li key={number}>
            <a href={`${page}/attachments/${number}`} download={filename ?? words.unnamed}>
              {filename ?? words.unnamed}
            </a>{' '}
            <span class="muted">
              {contentType}
              {comma}
              {count(sizeBytes)} B
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
