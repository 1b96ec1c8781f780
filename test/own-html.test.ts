// HTML that a caller brings leaves as we write it, at every door but SMTP: what mails are made of, looking the same, and nothing else.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { contentSources } from '../db/tables/messages.ts'
import { write } from '../src/core/app.ts'
import { rewriteHtml } from '../src/features/content/rendering/own-html/write.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { hostileHtml } from './support/hostile-html.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'

const folder = join(import.meta.dir, 'letters')
/** Mails as others make them: react-email, MJML, Mailchimp, Postmark's templates, and a person with an editor. */
const letters = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)

function written(html: string) {
  const made = rewriteHtml(html)
  if ('fault' in made) throw new Error(made.fault)
  return { html: made.html, leftOut: made.leftOut.map(({ message }) => message) }
}

/** What stands in the body. */
const bodyOf = (html: string) => /<body[^>]*>([\s\S]*)<\/body>/.exec(written(html).html)?.[1]

const ada = 'ada@example.net'
const from = 'shop@example.com'
const mail = (html: string) => ({ from, to: ada, subject: 'Hi', html })

async function sentHtml(t: TestApp): Promise<(string | null)[]> {
  await t.settle()
  const mails = await t.sent()
  return await Promise.all(
    mails.map(async ({ raw }) => (await t.app.mailReader.parse(await toRawMail([Buffer.from(raw)]))).html),
  )
}

describe('mails of others', () => {
  for (const [name, html] of letters) {
    test(`${name}: nothing that its reader sees is left out, and what is written is written the same again`, async () => {
      const { html: once, leftOut } = written(html)
      expect(leftOut.filter((one) => !one.includes('-premailer-'))).toEqual([])
      expect(written(once).html).toBe(once)
      expect(once.match(/<!--\[if [^\]]+\]>/g) ?? []).toHaveLength((html.match(/<!--\[if [^\]]+\]>/g) ?? []).length)
      await using t = await testApp()
      await t.post('/compat/resend/emails', mail(html), 200)
      expect((await sentHtml(t)).map((one) => one?.trim())).toEqual([once.trim()])
    })
  }

  test.if(browserExpected)('look the same to the pixel, wide and narrow, by day and in the dark', async () => {
    let browser: Browser | undefined
    try {
      browser = await openBrowser()
      for (const width of [700, 360])
        for (const colorScheme of ['light', 'dark'] as const) {
          const context = await browser.newContext({
            viewport: { width, height: 900 },
            colorScheme,
            javaScriptEnabled: false,
          })
          await context.route(/^https?:/, (route) => route.abort())
          const page = await context.newPage()
          const shot = async (html: string) => {
            await page.setContent(html)
            return (await page.screenshot({ fullPage: true })).toString('base64')
          }
          for (const [name, html] of letters)
            expect(
              (await shot(written(html).html)) === (await shot(html)),
              `${name}, ${width} px, ${colorScheme}`,
            ).toBe(true)
          await context.close()
        }
    } finally {
      await browser?.close()
    }
  })
})

describe('what is left out', () => {
  const cases: [given: string, leaves: string, why: RegExp][] = [
    ['a<script>alert(1)</script>b', 'ab', /<script>/],
    ['<p onclick="x()" onmouseover=y>a</p>', '<p>a</p>', /onclick of <p>/],
    ['<a href="javascript:x">a</a>', '<a>a</a>', /javascript:x/],
    ['<a href="JaVa\tScript:x">a</a>', '<a>a</a>', /of <a>/],
    ['<a href=" &#106;avascript:x">a</a>', '<a>a</a>', /of <a>/],
    ['<a href="vbscript:x">a</a><a href="data:text/html,x">b</a>', '<a>a</a><a>b</a>', /vbscript/],
    ['<a href="//evil.example/">a</a><a href="page.html">b</a>', '<a>a</a><a>b</a>', /evil/],
    ['<img src="data:image/png;base64,AA" alt="x">', '', /data:image/],
    ['<img src="x.png" onerror="alert(1)">', '', /x\.png/],
    ['<div style="background:url(javascript:x);color:red">a</div>', '<div style="color:red">a</div>', /background/],
    ['<div style="width:expression(alert(1))">a</div>', '<div>a</div>', /expression/],
    ['<div style="position:fixed;top:0">a</div>', '<div style="top:0">a</div>', /position/],
    ['<div style="behavior:url(x);-moz-binding:url(y)">a</div>', '<div>a</div>', /behavior/],
    ['<div style="color:\\72 ed">a</div>', '<div>a</div>', /color/],
    ['<style>@import "//evil.example/x.css";a{color:red}</style>', '<style>\na{color:red}\n</style>', /@import/],
    ['<style>a{color:red}</style ><script>x</script>', '<style>\na{color:red}\n</style>', /<script>/],
    ['<style>a[title="</style><script>x</script>"]{color:red}</style>', '"]{color:red}', /<script>/],
    ['<iframe src="https://a.example"></iframe><object data=x></object><embed src=x>', '', /<iframe>/],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>b', 'b', /<svg>/],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></math>', '', /<math>/],
    ['<form action="https://a.example"><input name=p>Sign in<button>Go</button></form>', 'Sign inGo', /<form>/],
    ['<base href="https://a.example/"><meta http-equiv=refresh content="0;url=x">a', 'a', /<base>/],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', '<p title="', /<noscript>/],
    ['<textarea><img src=x onerror=y></textarea><xmp><b></xmp>a', 'a', /<textarea>/],
    ['<!--[if mso]><script>x</script><b onclick=x>c</b><![endif]-->', '<!--[if mso]><b>c</b><![endif]-->', /onclick/],
    ['<!--[if mso]><a title="--><script>x</script>">c</a><![endif]-->', 'c', /<script>/],
    ['<!--> <script>x</script> -->a', ' --&gt;a', /<script>/],
    ['<blink>a</blink><x-foo y=1>b</x-foo>', 'ab', /<blink>, but its content,/],
  ]
  for (const [given, leaves, why] of cases)
    test(`of ${given}`, () => {
      const { html, leftOut } = written(`<title>t</title><p></p>${given}`)
      expect(html).toContain(leaves)
      // What stands in quotes is a value.
      expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<script|\son\w+=|<iframe|<svg|<form|<input|<base|refresh/i)
      expect(html).not.toMatch(/(?:href|src|url)[=(]["'\s]*(?:javascript|data|vbscript):/i)
      expect(leftOut.join('\n')).toMatch(why)
      expect(written(html).leftOut).toEqual([])
    })

  test('a name of a stranger finds nothing', () => {
    expect(bodyOf('<p constructor=1 __proto__=2 tostring=3>a</p><constructor>b</constructor>')).toBe('<p>a</p>b')
  })

  test('is told once for each kind, however often', () => {
    const { leftOut } = written(
      `${'<script></script>'.repeat(500)}${Array.from({ length: 500 }, (_, n) => `<p x${n}=1>`).join('')}`,
    )
    expect(leftOut).toContain('The element <script> was left out (500 times).')
    expect(leftOut.length).toBeLessThanOrEqual(51)
  })
})

const attack = '<p>Hello</p><script>steal()</script><a href="javascript:steal()">x</a><img src=y onerror=steal()>'
const doors: [name: string, path: string, body: unknown][] = [
  ['Resend', '/compat/resend/emails', mail(attack)],
  ['Resend, a batch', '/compat/resend/emails/batch', [mail(attack)]],
  ['Postmark', '/compat/postmark/email', { From: from, To: ada, Subject: 'Hi', HtmlBody: attack }],
  ['Postmark, a batch', '/compat/postmark/email/batch', [{ From: from, To: ada, Subject: 'Hi', HtmlBody: attack }]],
  [
    'SendGrid',
    '/compat/sendgrid/v3/mail/send',
    {
      personalizations: [{ to: [{ email: ada }] }],
      from: { email: from },
      subject: 'Hi',
      content: [{ type: 'text/html', value: attack }],
    },
  ],
]

/** SES: compat-ses.test.ts. */
describe('no door of HTTP lets raw HTML leave', () => {
  for (const [name, path, body] of doors)
    test(name, async () => {
      await using t = await testApp()
      const key = { headers: { 'x-postmark-server-token': t.apiKey } }
      const reply = await t.request('POST', path, body, path.includes('postmark') ? key : {})
      expect(reply.status, reply.text).toBeLessThan(300)
      const [html] = await sentHtml(t)
      expect(html?.trim()).toBe(written(attack).html.trim())
      const { data } = await t.get('/v1/activity', 200)
      const content = await t.get(`/v1/messages/${data[0].messageId}/content`, 200)
      expect(content.html.trim()).toBe(html?.trim() ?? '')
      const left = content.warnings.map(({ code, message }: { code: string; message: string }) => `${code}: ${message}`)
      expect(left).toContain('left_out: The element <script> was left out.')
      // SendGrid answers with nothing but a status.
      if (!path.includes('sendgrid')) expect(reply.text).toContain('The element <script> was left out.')
    })
})

test('what was accepted while HTML was kept as given is written anew when it is sent', async () => {
  await using t = await testApp()
  const { id } = await t.post(
    '/compat/resend/emails',
    { ...mail('<p>a</p>'), scheduled_at: '2026-01-15T13:00:00.000Z' },
    200,
  )
  expect(id).toStartWith('msg_')
  const data = Buffer.from(JSON.stringify({ subject: 'Hi', html: attack }))
  await write(t.app, (tx) => tx.db.update(contentSources).set({ data }))
  await t.advance('2h')
  expect((await sentHtml(t)).map((one) => one?.trim())).toEqual([written(attack).html.trim()])
})

describe('the cost of reading it', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp()
  })
  afterAll(() => t[Symbol.asyncDispose]())

  test('holds nobody up, whatever it is', async () => {
    const large: (typeof hostileHtml)[number] = [
      'a whole mail',
      (chars) =>
        letters
          .map(([, html]) => html)
          .join('')
          .repeat(1 + chars / 50_000),
    ]
    for (const [name, make] of [...hostileHtml, ...hostileCss, large]) {
      const body = JSON.stringify(mail(make(500_000)))
      const { blockMs, result } = await longestBlock(`html of ${name}`, () =>
        t.request('POST', '/compat/resend/emails', body),
      )
      expect([200, 413, 422], result.text).toContain(result.status)
      expect(blockMs, name).toBeLessThanOrEqual(maxBlockMs)
    }
  })

  test('elements inside each other without end are refused by name', async () => {
    const refused = await t.post('/compat/resend/emails', mail('<div>'.repeat(60_000)), 422)
    expect(refused.message).toContain('html: has elements inside each other, more than 512 deep')
  })
})

const hostileCss = ['a{b:c}', '@media{', '{', '}', '/*', '"', 'url(', '(', '\\', 'a{', ';', ':', '@'].map(
  (piece): (typeof hostileHtml)[number] => [
    `a style sheet of ${piece}`,
    (chars) => `<style>${piece.repeat(Math.floor(chars / piece.length))}</style>`,
  ],
)
