import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileContent, type Source } from '../../src/features/content/rendering/compile.ts'
import { fill, type Values } from '../../src/features/content/rendering/fill.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { hostileUrls } from '../lib/hostile-urls.ts'
import { orderMail, orderValues } from './samples.ts'

function mail(content: unknown, values: Values, more: Partial<Source> = {}) {
  const compiled = compileContent({
    content: parseTree(content).content,
    subject: 'Hello',
    locale: 'en',
    kind: 'transactional',
    ...more,
  })
  return {
    html: fill(compiled.html, values),
    text: fill(compiled.text, values),
    subject: fill(compiled.subject, values),
    previewText: fill(compiled.previewText, values),
  }
}

/** Tags with their attribute names, as a browser reads them: what a value must never change. */
function structure(html: string): string[] {
  const tags: string[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      if (element.tagName !== 'br')
        tags.push(`${element.tagName}[${[...element.attributes].map(([name]) => name).join(' ')}]`)
    },
  })
  rewriter.transform(html)
  return tags
}

/** href values of the real links, conditional comments apart. */
const hrefs = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1])

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '--><script>alert(1)</script><!--',
  '<![endif]--><script>',
  '&quot;&lt;script&gt;',
  '{{b}}',
  '**bold** [x](javascript:alert(1))',
  'a\0b\x1bc',
]

describe('a value is harmless wherever it lands (M11)', () => {
  const places = [
    { type: 'text', text: 'in text {{v}}' },
    { type: 'text', format: 'markdown', text: '**{{v}}** [{{v}}](https://a.example/{{v}})' },
    { type: 'heading', text: '{{v}}' },
    { type: 'image', src: '{{v}}', alt: '{{v}}', href: '{{v}}' },
    { type: 'button', text: '{{v}}', href: 'https://a.example/?q={{v}}' },
    { type: 'link', text: '{{v}}', href: '{{v}}' },
    { type: 'list', items: ['{{v}}', '{{item.v}}'], itemsVariable: 'rows' },
    { type: 'header', logoUrl: '{{v}}', logoAlt: '{{v}}', text: '{{v}}' },
    { type: 'footer', text: '{{v}}', companyName: '{{v}}', address: '{{v}}' },
  ]
  const more = { subject: '{{v}}', previewText: '{{v}}' }
  const render = (v: string) => mail(places, { v, rows: [{ v }], b: 'SECOND PASS' }, more)
  const harmless = structure(render('harmless').html)

  test.each(attacks)('%p', (value) => {
    const { html, text } = render(value)
    expect(structure(html)).toEqual(harmless)
    expect(html).not.toContain('SECOND PASS')
    expect(text).toContain(value.replace(/[\0\x1b]/g, ''))
  })

  test('a template is data too: its own text never becomes markup', () => {
    const tree = (text: string) => [
      { type: 'text', text },
      { type: 'button', text, href: 'https://a.example' },
      { type: 'image', src: 'https://a.example/x.png', alt: text },
    ]
    const clean = structure(mail(tree('a'), {}).html)
    for (const attack of attacks.filter((one) => !one.includes('\0')))
      expect(structure(mail(tree(attack), {}).html)).toEqual(clean)
  })

  test('a fallback is escaped like a value', () => {
    expect(mail([{ type: 'text', text: '{{v|<b>"&}}' }], {}).html).toContain('&lt;b&gt;&quot;&amp;')
  })

  test('no value at all adds a tag, an attribute or a header line', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...attacks),
      fc.string().map((text) => `"'><${text}`),
    )
    fc.assert(
      fc.property(value, (v) => {
        const { html, subject, previewText } = render(v)
        expect(structure(html)).toEqual(harmless)
        expect(subject + previewText).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/)
        for (const href of hrefs(html)) expect(href).toMatch(/^(?:https?:\/\/|mailto:|tel:|#$)/i)
      }),
      { numRuns: 500 },
    )
  })
})

describe('addresses (M12)', () => {
  test.each(hostileUrls.filter((url) => !url.startsWith(' ')))('%p as a value is sent as #', (url) => {
    const { html, text } = mail(
      [
        { type: 'link', text: 'Go', href: '{{url}}' },
        { type: 'image', src: '{{url}}', alt: 'a' },
      ],
      { url },
    )
    // Control characters are taken out of a value first; what is left must be safe by itself.
    expect(
      hrefs(html).every((href) => href === '#' || href?.startsWith('https://') || href?.startsWith('http://')),
    ).toBe(true)
    expect(html).not.toMatch(/(?:href|src)="[^"]*(?:script|data:|evil\.example@|@evil)/i)
    expect(text).not.toContain('script')
  })

  test.each([
    ['{{url}}', { url: ' https://a.example/x y?b="1"&c=2 ' }, 'https://a.example/x%20y?b=&quot;1&quot;&amp;c=2'],
    ['{{base}}/u/{{id}}', { base: 'https://a.example', id: 'a/b?c' }, 'https://a.example/u/a%2Fb%3Fc'],
    ['https://a.example/{{v}}?q={{v}}', { v: 'ä&b=c#d' }, 'https://a.example/%C3%A4%26b%3Dc%23d?q=%C3%A4%26b%3Dc%23d'],
    ['https://a.example{{v}}', { v: '@evil.example' }, '#'],
    ['mailto:{{v}}?subject={{v}}', { v: 'a@b.example' }, 'mailto:a@b.example?subject=a%40b.example'],
    ['mailto:{{v}}', { v: 'a@b.example?bcc=c@d.example' }, 'mailto:a@b.example%3Fbcc%3Dc@d.example'],
    ['{{scheme}}:alert(1)', { scheme: 'javascript' }, '#'],
    ['{{a}}{{b}}', { a: 'java', b: 'script:alert(1)' }, '#'],
    ['{{url}}', {}, '#'],
    ['{{url|https://a.example}}', {}, 'https://a.example'],
    ['https://a.example/{{v}}', { v: '\ud800' }, 'https://a.example/%EF%BF%BD'],
    ['shop.example/x', {}, undefined],
  ])('%p with %p leads to %p', (href, values, expected) => {
    expect(hrefs(mail([{ type: 'link', text: 'Go', href }], values).html)[0]).toBe(expected)
  })
})

describe('values are found by own keys only, in one pass (M13)', () => {
  const text = (template: string, values: Values) => mail([{ type: 'text', text: template }], values).text.trim()

  test.each<[string, Values, string]>([
    ['{{a}}', { a: '{{b}}', b: 'no' }, '{{b}}'],
    ['{{a}}', { a: '{{contact.secret}}', contact: { secret: 'no' } }, '{{contact.secret}}'],
    ['{{toString}}|{{hasOwnProperty}}', {}, '|'],
    ['{{a.length}}|{{a.constructor.name}}', { a: 'text' }, '|'],
    ['{{contact.__proto__}}{{__proto__.x}}{{constructor.name}}', { contact: {} }, ''],
    ['{{contact.toString}}', { contact: {} }, ''],
    ['{{contact.firstName}}', { contact: { firstName: 'Ada' } }, 'Ada'],
    ['{{contact.firstName}}', { 'contact.firstName': 'Ada' }, 'Ada'],
    ['{{contact.first_name}}', { contact: { firstName: 'Ada' } }, 'Ada'],
    ['{{contact.first_name}}', { contact: { first_name: 'Ada' } }, 'Ada'],
    ['{{a}} {{b}} {{c}}', { a: 0, b: false, c: 1.5 }, '0 false 1.5'],
    ['{{a}}{{b}}{{c}}{{d}}', { a: null, b: {}, c: [1], d: () => 'x' }, ''],
    ['{{a|x}}{{b|y}}', { a: '', b: null }, 'xy'],
    ['[{{unknown}}]', {}, '[]'],
  ])('%p with %p is %p', (template, values, expected) => expect(text(template, values)).toBe(expected))

  test('inherited values are never shown', () => {
    const values: Values = Object.create({ secret: 'inherited', contact: { firstName: 'inherited' } })
    expect(text('{{secret}}{{contact.firstName}}', values)).toBe('')
  })

  test('a list shows objects only, by own keys, and numbers them from its start', () => {
    const tree = [
      {
        type: 'list',
        ordered: true,
        start: 3,
        itemsVariable: '{{rows}}',
        items: ['{{item.a}} {{item.toString}}{{shared}}'],
      },
    ]
    const rows = [{ a: '<1>' }, 'text', null, ['x'], { a: '{{shared}}' }]
    const { html, text } = mail(tree, { rows, shared: 's' })
    expect(text.trim()).toBe('3. <1> s\n4. {{shared}} s')
    expect(html).toContain('<ol start="3"')
    expect(html.match(/<li/g)).toHaveLength(2)
    expect(html).toContain('&lt;1&gt;')
    expect(mail(tree, {}).html).not.toContain('<li')
  })
})

describe('headers', () => {
  test.each(['\r\nBcc: e@evil.example', '\nX: y', '\rX', 'a\0b', 'a\u2028b', 'a\u0085b', 'tab\there'])(
    '%p stays on one line of the subject',
    (v) => {
      const { subject, previewText } = mail(
        [{ type: 'text', text: 'a' }],
        { v },
        { subject: `Hi {{v}}${v.replace('\0', '')}`, previewText: '{{v}}' },
      )
      expect(subject + previewText).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/)
    },
  )

  test('the subject is not HTML', () => {
    expect(mail([{ type: 'text', text: 'a' }], { v: 'Tom & <Ann>' }, { subject: '{{v}} & co' }).subject).toBe(
      'Tom & <Ann> & co',
    )
  })
})

test('line breaks of a value are kept in HTML, and carriage returns are not', () => {
  const { html, text } = mail([{ type: 'text', text: '{{v}}' }], { v: 'a\r\nb\rc' })
  expect(html).toContain('a<br>b<br>c')
  expect(text).toBe('a\nb\nc\n')
})

test('a compiled mail survives being stored as JSON', () => {
  const compiled = compileContent(orderMail)
  const stored = JSON.parse(JSON.stringify(compiled))
  expect(stored).toEqual(compiled)
  expect(fill(stored.html, orderValues)).toBe(fill(compiled.html, orderValues))
})
