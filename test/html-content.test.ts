// Mails that somebody brings as HTML or MJML: stored with their source, written by us, sent like any other.

import { describe, expect, test } from 'bun:test'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { type TestApp, testApp } from './support/app.ts'

const html = (source: string) => ({ kind: 'html', source })
const mjml = (body: string) => ({
  kind: 'mjml',
  source: `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`,
})

const letter = html(`<!doctype html>
<html lang="en"><head><title>News</title><style>@media (prefers-color-scheme: dark){.t{color:#fff!important}}</style></head>
<body><div style="display:none">Hidden words</div><h1 class="t" title="For {{contact.firstName|you}}">Hello {{contact.firstName|there}} & all</h1>
<p onclick="x()">Your code is <b>{{code}}</b>, see <a href="https://example.com/o/{{code}}?a=1&b=2">your order</a>.</p>
<script>alert(1)</script><img src="https://example.com/a.png" alt="A boat">
<!--[if mso]><table><tr><td>{{code}}</td></tr></table><![endif]--></body></html>`)

const content = (t: TestApp, locale: string, body: unknown, status: number) =>
  t.put(`/v1/transactional/letter/content/${locale}`, body, status)

async function lastMail(t: TestApp) {
  await t.settle()
  const raw = (await t.sent()).at(-1)?.raw ?? ''
  return await t.app.mailReader.parse(await toRawMail([Buffer.from(raw)]))
}

describe('a template of HTML', () => {
  test('keeps its source, says what is left out, and is sent as we write it', async () => {
    await using t = await testApp()
    await t.template({ id: 'letter', content: letter })
    const kept = await content(t, 'en', { content: letter }, 200)
    expect(kept.content).toEqual(letter)
    expect(kept.warnings.map(({ message }: { message: string }) => message)).toEqual([
      'The attribute onclick of <p> was left out.',
      'The element <script> was left out.',
    ])
    const { variables, autoResolvedVariables } = await t.get('/v1/transactional/letter', 200)
    expect({ variables, autoResolvedVariables }).toEqual({
      variables: ['code'],
      autoResolvedVariables: ['contact.firstName'],
    })
    await t.mail({ templateId: 'letter', dataVariables: { code: '<b>1 & "2"' } })
    const mail = await lastMail(t)
    expect(mail.html).toContain(
      '<h1 class="t" title="For you">Hello there &amp; all</h1>\n<p>Your code is <b>&lt;b&gt;1 &amp; &quot;2&quot;</b>, see <a href="https://example.com/o/%3Cb%3E1%20%26%20%222%22?a=1&amp;b=2">your order</a>.</p>',
    )
    expect(mail.html).toContain(
      '<!--[if mso]><table><tr><td>&lt;b&gt;1 &amp; &quot;2&quot;</td></tr></table><![endif]-->',
    )
    expect(mail.html).not.toContain('script')
    expect(mail.text?.trim()).toBe(
      'Hello there & all\n\nYour code is <b>1 & "2", see your order (https://example.com/o/%3Cb%3E1%20%26%20%222%22?a=1&b=2).\n\nA boat',
    )
  })
})

describe('a template of MJML', () => {
  test('is compiled when it is saved, and what it does not know is told', async () => {
    await using t = await testApp()
    const source = mjml('<mj-text>Hi {{name}}</mj-text><mj-video/><mj-include path="/etc/passwd"/>')
    await t.template({ id: 'letter', content: source })
    const kept = await content(t, 'de', { content: source }, 200)
    expect(kept.content).toEqual(source)
    expect(kept.warnings.map(({ message }: { message: string }) => message)).toEqual([
      'The element <mj-include> was left out: nothing is read from files.',
      "Line 1, <mj-video>: Element mj-video doesn't exist or is not registered.",
    ])
    await t.mail({ templateId: 'letter', dataVariables: { name: 'Ada' } })
    const mail = await lastMail(t)
    expect(mail.html).toContain('Hi Ada')
    expect(mail.text?.trim()).toBe('Hi Ada')
  })
})
