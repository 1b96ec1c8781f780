// Mails that somebody brings as HTML or MJML: stored with their source, written by us, sent like any other.

import { describe, expect, test } from 'bun:test'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { type TestApp, testApp } from './support/app.ts'
import { drafted, sendCampaign } from './support/campaign.ts'

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

describe('a campaign of HTML', () => {
  const offer = 'https://shop.example/offer?a=1&b=2'
  const body = `<html><head><link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Lora"></head><body>
<p>Hello {{contact.firstName|there}}</p><a href="${offer}">Offer</a> <a data-notrack href="https://shop.example/terms">Terms</a>
<a href="https://shop.example/?u={{contact.userId|x}}">You</a></body></html>`

  test('without a way to leave is given our footer, and its links are counted', async () => {
    await using t = await testApp()
    await t.patch('/v1/campaign-settings', { trackOpens: true, trackClicks: true }, 200, { as: 'session' })
    const { id } = await drafted(t, 1, { content: html(body) })
    const put = await t.put(`/v1/campaigns/${id}/content/en`, { content: html(body) }, 200)
    expect(put.content).toEqual(html(body))
    expect(put.warnings).toMatchObject([{ code: 'unsubscribe_added' }])
    expect((await t.get(`/v1/campaigns/${id}/content`, 200)).data[0].content).toEqual(html(body))
    await sendCampaign(t, id)
    const mail = await lastMail(t)
    const links = [...(mail.html ?? '').matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href.replace(t.url, ''))
    expect(links).toEqual([
      'https://fonts.googleapis.com/css?family=Lora',
      expect.stringMatching(/^\/t\/c\//),
      'https://shop.example/terms',
      'https://shop.example/?u=x',
      expect.stringMatching(/^\/u\//),
    ])
    expect(mail.html).toMatch(/\/t\/o\/[^<]+><\/body>/)
    expect(mail.text).toContain(`Offer (${offer})`)
    expect(mail.text).toContain('Unsubscribe: ')
  })

  test('with a way of its own is left as it is, unless nobody sees it', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 1, { content: html(body) })
    const codes = async (source: string) => {
      const { warnings } = await t.put(`/v1/campaigns/${id}/content/en`, { content: html(source) }, 200)
      return (warnings ?? []).map(({ code }: { code: string }) => code)
    }
    expect(await codes('<p>Hi</p><a href="{{unsubscribe_url}}">Leave</a>')).toEqual([])
    expect(await codes('<p>Hi</p><a style="display:none" href="{{unsubscribe_url}}">Leave</a>')).toEqual([
      'unsubscribe_added',
    ])
    expect(await codes('<p>Hi</p><!--[if mso]><a href="{{unsubscribe_url}}">Leave</a><![endif]-->')).toEqual([
      'unsubscribe_added',
    ])
  })

  test('of which its author says that it ends itself is refused until it shows a way to leave', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 1, { content: html(body) })
    const put = (source: string, status: number) =>
      t.put(`/v1/campaigns/${id}/content/en`, { content: { ...html(source), footer: 'own' } }, status)
    const { errors } = await t.unchanged(() => put(body, 422))
    expect(errors).toMatchObject([{ path: 'content', code: 'no_unsubscribe' }])
    const kept = await put('<p>Hi</p><a href="{{unsubscribe_url}}">Leave</a>', 200)
    expect([kept.warnings ?? [], kept.content.footer]).toEqual([[], 'own'])
  })

  test('is refused while nothing fills its variables', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 1, { content: html(body) })
    await t.unchanged(() => t.put(`/v1/campaigns/${id}/content/en`, { content: html('<p>{{code}}</p>') }, 422))
  })
})

describe('bad input', () => {
  const table = '<table><tr><td>One<td>Two<tr><td>Three'
  const sheet = `<style>${'.a{color:red}'.repeat(8_000)}</style><p class="a">Hi</p>`
  const given: [what: string, source: string, sent: RegExp, told: RegExp | null][] = [
    ['a script', '<p>Hi</p><script src="x.js"></script>', /<p>Hi<\/p><\/body>/, /<script>/],
    ['a form', '<form action="/x">Hi<input name="a"><button>Go</button></form>', /<body>HiGo<\/body>/, /<form>/],
    ['a sheet of another host', '<link rel="stylesheet" href="https://a.example/x.css"><p>Hi</p>', /<p>Hi/, /<link>/],
    ['unclosed tables', table, /<td>One<\/td><td>Two<\/td><\/tr><tr><td>Three<\/td><\/tr>/, null],
    ['100 KB of style', sheet, /<p class="a">Hi<\/p>/, null],
    [
      'a variable in a comment of Outlook',
      '<p>Hi</p><!--[if mso]><b>{{x}}</b><![endif]-->',
      /<b>--&gt;&lt;b&gt;<\/b>/,
      null,
    ],
    [
      'a variable in a condition',
      '<p>Hi</p><!--[if {{x}}]><b>a</b><![endif]-->',
      /<p>Hi<\/p><\/body>/,
      /\[if \{\{x\}\}\]/,
    ],
    ['a variable in a style', '<p style="color:{{x}}">Hi', /<p>Hi/, /style color/],
    ['a variable in a sheet', '<style>a{color:{{x}}}</style><p>Hi', /<body><p>Hi/, /left out/],
    ['a scheme that a variable brings', '<a href="{{x}}">Hi</a>', /<a href="#">Hi<\/a>/, null],
    ['a script as an address', '<a href="javascript:{{x}}">Hi</a>', /<a>Hi<\/a>/, /javascript/],
    ['a picture within', '<img src="data:image/png;base64,AA" alt="x"><p>Hi', /<body><p>Hi/, /data:image/],
  ]
  for (const [what, source, sent, told] of given)
    test(`${what}: is sent as it is said`, async () => {
      await using t = await testApp()
      const made = await t.post('/v1/transactional/create', { name: 'Bad', subject: 'Bad', content: html(source) }, 201)
      const messages = (made.warnings ?? []).map(({ message }: { message: string }) => message).join(' ')
      if (told === null) expect(messages).not.toContain('left out')
      else expect(messages).toMatch(told)
      await t.mail({ templateId: 'bad', dataVariables: source.includes('{{x}}') ? { x: '--><b>' } : {} })
      expect((await lastMail(t)).html).toMatch(sent)
    })

  const refused: [what: string, content: unknown, path: string, says: RegExp][] = [
    ['another kind', { kind: 'latex', source: 'x' }, 'content.kind', /html or mjml/],
    ['another footer', { ...html('<p>Hi'), footer: 'x' }, 'content.footer', /added or own/],
    ['no source', { kind: 'html' }, 'content.source', /HTML of the mail/],
    ['an empty source', html('  '), 'content.source', /HTML of the mail/],
    ['more than 512 KB', html('é'.repeat(300_000)), 'content.source', /600000 bytes; the limit is 524288/],
    ['no MJML', { kind: 'mjml', source: '<p>Hi</p>' }, 'content.source', /no <mjml> element/],
    ['MJML without a body', { kind: 'mjml', source: '<mjml></mjml>' }, 'content.source', /MJML/],
    ['endless nesting', html('<div>'.repeat(1_000)), 'content.source', /512 deep/],
  ]
  test.each(refused)('%s is refused by its name', async (_, content, path, says) => {
    await using t = await testApp()
    const body = { name: 'Bad', subject: 'Bad', content }
    const { errors } = await t.unchanged(() => t.post('/v1/transactional/create', body, 422))
    expect(errors).toMatchObject([{ path, message: expect.stringMatching(says) }])
  })
})

describe('a preview', () => {
  test('says what is wrong with it, and where in the source each part stands', async () => {
    await using t = await testApp()
    const source =
      '<p style="color:#eee">Pale</p><a href="http://example.com">On</a><img src="https://example.com/a.tiff">'
    const body = { content: html(source), subject: 'S', marks: true }
    const seen = await t.post('/v1/transactional/preview', body, 200)
    expect(seen.html).toContain('<!--content@0-30--><p style="color:#eee">Pale</p><!--/content@0-30-->')
    expect(seen.findings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`).sort()).toEqual([
      'insecure_href a[0]',
      'low_contrast html',
      'missing_alt img[0].alt',
      'missing_preview_text previewText',
      'no_dark_mode html',
      'unsupported_picture img[0].src',
    ])
    const plain = await t.post('/v1/transactional/preview', { ...body, marks: false }, 200)
    expect(plain.html).not.toContain('content@')
    const button = '<mj-button href="https://example.com/">Go</mj-button><mj-image src="https://example.com/a.png"/>'
    const made = await t.post('/v1/transactional/preview', { ...body, content: mjml(button) }, 200)
    const { source: whole } = mjml(button)
    const marks = [...made.html.matchAll(/<!--content@(\d+)-(\d+)-->/g)].map(([, from, to]) =>
      whole.slice(Number(from), Number(to)),
    )
    expect(marks).toEqual(['<mj-button href="https://example.com/">', '<mj-image src="https://example.com/a.png'])
  })
})

describe('an import', () => {
  const ask = (t: TestApp, body: object) => t.post('/v1/transactional/import', body, 200)

  test('answers a tree for what has no look of its own, else the source with what is left out', async () => {
    await using t = await testApp()
    const tree = await ask(
      t,
      html('<title>A &amp; B</title><h1>Hi {{name}}</h1><p>Read <a href="https://a.example/">on</a>.</p>'),
    )
    expect(tree).toMatchObject({ kind: 'tree', subject: 'A & B', warnings: [], findings: [] })
    expect(tree.content).toEqual([
      { type: 'heading', text: 'Hi {{name}}', level: 1 },
      { type: 'text', text: 'Read [on](https://a.example/).', format: 'markdown' },
    ])
    const styled = html('<h1 style="color:red">Hi *|FNAME|* *|IF:X|*</h1><script></script>')
    const kept = await ask(t, { ...styled, dialect: 'mailchimp' })
    expect(kept).toMatchObject({
      kind: 'html',
      content: html('<h1 style="color:red">Hi {{contact.firstName}} </h1><script></script>'),
    })
    expect(kept.warnings.map(({ message }: { message: string }) => message)).toEqual([
      '*|IF:X|* has no counterpart and was left out.',
      'The element <script> was left out.',
    ])
    await t.unchanged(() => t.post('/v1/transactional/import', { kind: 'mjml', source: '<p>' }, 422))
  })
})
