// What a preview finds in a mail: each finding has a code and a place, and our own components come out clean.

import { describe, expect, test } from 'bun:test'
import { caniemail } from 'caniemail'
import facts from '../node_modules/caniemail/data/caniemail.json'
import { clientGaps } from '../src/features/content/inspection/client-support.ts'
import { contrastFaults } from '../src/features/content/inspection/contrast.ts'
import { compileContent, type Source } from '../src/features/content/rendering/compile.ts'
import { fill } from '../src/features/content/rendering/fill.ts'
import { marksAsComments, withoutMarks } from '../src/features/content/rendering/marks.ts'
import { parseTree } from '../src/features/content/rendering/tree.ts'
import { createAside } from '../src/kit/aside.ts'
import { contrast } from '../src/kit/colour.ts'
import { marketingMail, orderMail, orderValues, receiptMail, rightToLeftMail } from './rendering/samples.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { drafted } from './support/campaign.ts'

const path = '/v1/transactional/preview'
const samples: [string, Source][] = [
  ['order', orderMail],
  ['marketing', marketingMail],
  ['receipt', receiptMail],
  ['right-to-left', rightToLeftMail],
]

async function shown(t: TestApp, content: object[], fields: object = {}): Promise<Json> {
  return await t.post(path, { subject: 'A subject', previewText: 'And more', content, ...fields }, 200)
}

/** `severity code path`, without what the brand of the test lacks. */
function found({ findings }: Json): string[] {
  const own = findings.filter(({ code }: Json) => code !== 'empty_variable')
  return own.map(({ severity, code, path }: Json) => `${severity} ${code} ${path}`)
}

function marked(source: Source): string {
  return fill(compileContent({ ...source, marks: true }).html, orderValues)
}

describe('the findings of a preview', () => {
  test('name what is wrong with each link, and list them all with the values filled in', async () => {
    await using t = await testApp()
    const content = [
      { type: 'button', text: 'Pay', href: '{{pay}}' },
      { type: 'button', text: 'Later', href: '{{later}}' },
      {
        type: 'section',
        children: [
          { type: 'text', format: 'markdown', text: 'See [the *old* shop](http://a.example/{{n}}) or [it](b)' },
        ],
      },
      { type: 'link', text: 'Nothing', href: '#' },
      { type: 'list', items: ['x', { type: 'link', text: 'Long', href: `https://a.example/${'x'.repeat(2_000)}` }] },
      { type: 'image', src: 'https://a.example/x.png', alt: 'A boat', href: 'https://a.example/ok' },
    ]
    const answer = await shown(t, content, { dataVariables: { pay: 'javascript:alert(1)', later: '', n: 'a b' } })
    expect(found(answer).sort()).toEqual(
      [
        'error unsafe_href content[0].href',
        'warning missing_href content[1].href',
        'warning insecure_href content[2].children[0].text',
        'warning invalid_href content[2].children[0].text',
        'warning missing_href content[3].href',
        'warning long_href content[4].items[1].href',
      ].sort(),
    )
    expect(answer.links.map(({ text, href, problems }: Json) => [text, href.slice(0, 30), ...problems])).toEqual([
      ['Pay', '', 'unsafe_href'],
      ['Later', '', 'missing_href'],
      ['the old shop', 'http://a.example/a%20b', 'insecure_href'],
      ['it', '', 'invalid_href'],
      ['Nothing', '', 'missing_href'],
      ['Long', 'https://a.example/xxxxxxxxxxxx', 'long_href'],
      ['A boat', 'https://a.example/ok'],
    ])
    expect(answer.hasUnsubscribeLink).toBe(false)
    // What is missing is one finding, and not one of the link that needs it.
    const { findings } = await shown(t, [{ type: 'button', text: 'Pay', href: '{{pay}}' }])
    expect(found({ findings })).toEqual(['error missing_variable dataVariables.pay'])
  })

  test('name text that is hard to read, by day and in the dark, at its place', async () => {
    await using t = await testApp()
    const answer = await shown(t, [
      { type: 'text', text: 'Faint', color: '#aaaaaa' },
      { type: 'heading', text: 'Large', color: '#8a8a8a' },
      { type: 'container', backgroundColor: '#134e4a', children: [{ type: 'text', text: 'Dark', color: '#202020' }] },
      { type: 'button', text: 'Go', href: 'https://a.example', backgroundColor: '#ffff00', textColor: '#ffffff' },
      { type: 'text', text: 'Readable' },
    ])
    expect(found(answer)).toEqual([
      'warning low_contrast content[0]',
      'info low_contrast_large content[1]',
      'warning low_contrast content[2].children[0]',
      'warning low_contrast content[3]',
    ])
    expect(answer.findings.find(({ path: at }: Json) => at === 'content[0]').message).toBe(
      '#aaaaaa on #ffffff is 2.3 : 1 by day; 4.5 : 1 is what most people can read.',
    )
    expect(contrast('#aaaaaa', '#ffffff')).toBeCloseTo(2.32, 2)
  })

  test('name pictures without words or that clients do not show, and what a list of mails cuts off', async () => {
    await using t = await testApp()
    const content = [
      { type: 'image', src: 'https://a.example/x.svg?v=1', alt: 'x' },
      { type: 'image', src: 'https://a.example/x.png' },
      { type: 'text', text: 'First words of the mail' },
    ]
    const subject = `${'A long subject '.repeat(6)}👩‍👩‍👧`
    const answer = await shown(t, content, { subject, previewText: '' })
    expect(found(answer).sort()).toEqual([
      'info missing_preview_text previewText',
      'warning missing_alt content[1].alt',
      'warning unsupported_picture content[0].src',
    ])
    expect(answer.inbox.map(({ client, isSubjectCut }: Json) => [client, isSubjectCut])).toEqual([
      ['gmail_desktop', true],
      ['gmail_phone', true],
      ['apple_mail_phone', true],
    ])
    for (const row of answer.inbox) {
      expect(row.subject).toEndWith('…')
      expect(row.previewText).toBe('[x] First words of the mail')
    }
    const short = await shown(t, content, { subject: 'Hi', previewText: 'Seen' })
    for (const row of short.inbox)
      expect(row).toMatchObject({ subject: 'Hi', previewText: 'Seen', isSubjectCut: false, isPreviewCut: false })
  })

  test('tell what Gmail cuts, which locale stands in, and what was supplied for nothing', async () => {
    await using t = await testApp()
    const content = [{ type: 'list', itemsVariable: 'rows', items: ['{{item.name}} of {{place|here}}'] }]
    await t.template({ id: 'long', subject: 'L {{contact.firstName}}', content })
    const at = '/v1/transactional/long/preview'
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ name: `${n} ${'x'.repeat(200)}` }))
    const answer = await t.post(at, { locale: 'de-AT', dataVariables: { rows, other: 1 } }, 200)
    expect(answer).toMatchObject({
      locale: 'en',
      requestedLocale: 'de-AT',
      isClipped: true,
      unusedVariables: ['other'],
    })
    expect(found(answer)).toEqual([
      'info locale_fallback locale',
      'info unused_variable dataVariables.other',
      'info missing_preview_text previewText',
      'warning html_too_large content',
    ])
    expect(answer.variables).toEqual(
      expect.arrayContaining([
        { name: 'contact.firstName', dataType: 'string', state: 'automatic' },
        { name: 'rows', dataType: 'list', state: 'given' },
        { name: 'place', dataType: 'string', state: 'fallback' },
      ]),
    )
    const named = answer.findings.find(({ code }: Json) => code === 'empty_variable')
    expect(named).toMatchObject({ severity: 'info', path: 'content' })
    expect(named.message).toContain('contact.firstName')
    // A mail that nobody could read is not made.
    const huge = rows.map(() => ({ name: 'x'.repeat(3_000) }))
    const refused = await t.post(at, { dataVariables: { rows: huge } }, 422)
    expect(refused.errors).toMatchObject([{ path: 'dataVariables', code: 'too_large' }])
  })

  test('of a campaign tell that it has its link to leave; of values nothing can pose as a place in the tree', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 1, {
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'footer', showUnsubscribe: false },
      ],
    })
    const answer = await t.post(`/v1/campaigns/${id}/preview`, {}, 200)
    expect(answer.hasUnsubscribeLink).toBe(true)
    expect(found(answer)).toContain('warning unsubscribe_kept content')
    const forged = await shown(t, [{ type: 'text', text: '{{a}}', color: '#aaaaaa' }], {
      dataVariables: { a: '\x01elsewhere\x02<b>\x03' },
    })
    expect(found(forged)).toEqual(['warning low_contrast content[0]'])
    expect(forged.html).not.toMatch(/[\x01\x02\x03]/)
  })
})

test('what takes too long to look at is a finding, or a refusal, each time somebody looks', async () => {
  await using t = await testApp()
  const start = () => new Worker(new URL('./support/stuck-work.ts', import.meta.url).href)
  t.app.aside = createAside({ start, stallMs: 100 })
  const long = [{ type: 'text', text: 'Hello, and a lot more. '.repeat(300) }]
  expect(found(await shown(t, long))).toEqual(['warning not_inspected html'])
  await t.template({ id: 'long', name: 'Long', subject: 'Long', content: long })
  await t.mail({ templateId: 'long' })
  await t.settle()
  const captured = '/v1/activity/captured'
  const [{ capturedId }] = (await t.get(captured, 200)).data
  for (let look = 0; look < 2; look++) {
    const mail = await t.get(`${captured}/${capturedId}`, 200)
    expect(mail).toMatchObject({ subject: 'Long', findings: [{ code: 'not_inspected', severity: 'warning' }] })
  }
  const html = `<p>${'Hello. '.repeat(1_000)}</p>`
  const own = { from: 'shop@example.com', to: 'ada@example.net', subject: 'Hi', html }
  expect((await t.post('/compat/resend/emails', own, 422)).message).toContain('takes too long to read')
  const huge = { email: 'ada@example.net', firstName: 'a'.repeat(300_000) }
  expect((await t.post('/v1/contacts/create', huge, 400)).code).toBe('invalid_json')
  t.app.aside.close()
})

test('our own components are readable by day and in the dark', () => {
  for (const [name, source] of samples)
    expect([name, contrastFaults(marksAsComments(marked(source)))]).toEqual([name, []])
})

test('the dark is followed from the page down, as the style sheet says it', () => {
  const html =
    '<div class="m-card" style="background-color:#ffffff;"><!--content[0]--><p style="color:#13151a;">Words</p><!--/content[0]--></div>'
  expect(contrastFaults(html)).toEqual([
    {
      path: 'content[0]',
      code: 'low_contrast',
      message: '#13151a on #181a20 is 1.0 : 1 in the dark; 4.5 : 1 is what most people can read.',
    },
  ])
  expect(contrastFaults(html.replace('<p ', '<p class="m-h" '))).toEqual([])
})

test('HTML with marks is the HTML of a send and the marks', () => {
  for (const [, source] of samples)
    expect(withoutMarks(marked(source))).toBe(fill(compileContent(source).html, orderValues))
})

test('what clients do not know is told as caniemail.com has it', () => {
  const lacking = new Map<string, Set<string>>()
  const told = new Map<string, Set<string>>()
  for (const [, source] of samples) {
    const html = withoutMarks(marked(source))
    const { issues } = caniemail({ clients: ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*'], html })
    for (const [client, list] of issues.errors)
      for (const { title } of list) lacking.set(title, (lacking.get(title) ?? new Set()).add(client))
    for (const { feature, clients } of clientGaps(html)) {
      const title = facts.data.find(({ slug }) => slug === feature)?.title
      told.set(title ?? `nothing is known of ${feature}`, new Set(clients))
    }
  }
  expect(told).toEqual(lacking)
})

test('a picture that is said not to be shown is one of which caniemail.com says so', async () => {
  await using t = await testApp()
  for (const ending of ['svg', 'webp', 'avif', 'tiff', 'heic', 'ico']) {
    const { findings } = await shown(t, [{ type: 'image', src: `https://a.example/x.${ending}`, alt: 'x' }])
    const { message } = findings.find(({ code }: Json) => code === 'unsupported_picture')
    const feature = /image-\w+/.exec(message)?.[0]
    const stats: Json = facts.data.find(({ slug }) => slug === feature)?.stats
    const lacking = ['gmail', 'outlook', 'apple-mail', 'yahoo'].flatMap((family) =>
      Object.entries<Json>(stats[family]).flatMap(([platform, versions]) =>
        String(Object.values(versions).at(-1)).startsWith('n') ? `${family}.${platform}` : [],
      ),
    )
    expect([ending, message.split(' shows')[0]]).toEqual([ending, lacking.sort().join(', ')])
  }
  expect(found(await shown(t, [{ type: 'image', src: 'https://a.example/x.png', alt: 'x' }]))).toEqual([])
})

test('the tree of a preview is what parseTree() makes of it, marks or not', () => {
  const { content } = parseTree([
    { type: 'text', text: 'a' },
    { type: 'footer', children: [{ type: 'text', text: 'b' }] },
  ])
  const { html } = compileContent({ content, subject: 'S', locale: 'en', kind: 'marketing', marks: true })
  const paths = [...fill(html, {}).matchAll(/\x01([^\x02]*)\x02/g)].map(([, at]) => at)
  expect(paths).toEqual(['content[0]', 'content[1]', 'content[1].children[0]'])
})
