// The form of a source for somebody's own page. It calls the opt-in from the browser, with the id of the source as its public key.

import { toCurl } from '../../api.ts'
import type { Source } from '../../nouns.ts'
import { Code } from '../../parts/copy.tsx'
import { WithPublicUrl } from '../../parts/public-url.tsx'
import { words } from './words.ts'

const optIn = '/v1/contact-subscriptions/opt-in'

export function FormToCopy({ source }: { source: Source }) {
  const { leastSeconds, proofOfWork } = source.guards
  const fromServer = { method: 'POST', path: optIn, body: { email: 'ada@example.net', sourceId: source.id } }
  return (
    <>
      {leastSeconds === 0 && !proofOfWork && (
        <section>
          <h2>{words.form}</h2>
          <p class="muted">{words.formHow}</p>
          <Code>{scriptForm(source)}</Code>
        </section>
      )}
      <section>
        <h2>{words.plainForm}</h2>
        <p class="muted">{words.plainFormHow}</p>
        <WithPublicUrl>{(url) => <Code>{plainForm(source, url)}</Code>}</WithPublicUrl>
      </section>
      <section>
        <h2>{words.preview}</h2>
        <fieldset class="preview" disabled>
          <p>
            <label>
              {words.email} <input type="email" />
            </label>
          </p>
          {source.consentText && <p>{source.consentText}</p>}
          <button type="button">{words.subscribe}</button>
        </fieldset>
      </section>
      <section>
        <h2>{words.onServer}</h2>
        <Code>{toCurl(fromServer)}</Code>
      </section>
    </>
  )
}

/** Without a script; a copied form asks once more where a least time is wanted. */
function plainForm({ id, consentText, guards: { honeypot, proofOfWork } }: Source, url: string): string {
  const action = `${url}/f/${id}`
  const trap =
    honeypot === null ? '' : `\n  <div hidden><input name="${honeypot}" tabindex="-1" autocomplete="off"></div>`
  const widget = proofOfWork ? `\n  <altcha-widget challengeurl="${action}/challenge"></altcha-widget>` : ''
  const consent = consentText ? `\n  <p>${escaped(consentText)}</p>` : ''
  return `<form method="post" action="${action}">
  <p><label>${words.email} <input type="email" name="email" required autocomplete="email"></label></p>${consent}${trap}${widget}
  <button>${words.subscribe}</button>
</form>`
}

/** Without libraries; the words are those of who copies it. */
function scriptForm({ id, consentText }: Source): string {
  const consent = consentText ? `\n  <p>${escaped(consentText)}</p>` : ''
  return `<form id="subscribe">
  <p><label>${words.email} <input type="email" name="email" required autocomplete="email"></label></p>${consent}
  <button>${words.subscribe}</button>
  <p role="status"></p>
</form>
<script>
  document.querySelector('#subscribe').addEventListener('submit', async (event) => {
    event.preventDefault()
    const form = event.target
    const answer = await fetch('${location.origin}${optIn}', {
      method: 'POST',
      headers: { authorization: 'Bearer ${id}', 'content-type': 'application/json' },
      body: JSON.stringify({ sourceId: '${id}', email: form.email.value }),
    }).catch(() => ({ ok: false }))
    form.querySelector('[role=status]').textContent = !answer.ok ? '${words.failed}'
      : answer.status === 202 ? '${words.check}' : '${words.thanks}'
  })
</script>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
