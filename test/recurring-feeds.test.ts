// Feeds: what of RSS and Atom reaches a mail, and that no feed costs more than its share.

import { expect, test } from 'bun:test'
import { feedReading, type ParsedFeed } from '../src/features/campaigns/recurring/parse-feed.ts'
import { testApp } from './support/app.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'

const at = 'https://blog.example.net/feed.xml'

async function read(xml: string, contentType = 'application/xml'): Promise<ParsedFeed> {
  return await feedReading.run({ bytes: Buffer.from(xml), url: at, contentType })
}

async function itemsOf(xml: string) {
  const parsed = await read(xml)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return parsed.feed.items.map(({ marks: _, ...item }) => item)
}

const rss = (items: string) => `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog</title>
<link>https://blog.example.net/</link>${items}</channel></rss>`

test('RSS 2.0: title, link, text of the description, date', async () => {
  const item = `<item><guid isPermaLink="false">1</guid><title>Fish &amp;amp; chips</title><link>/a?b=1&amp;c=2</link>
    <pubDate>Thu, 15 Jan 2026 09:00:00 +0100</pubDate>
    <description><![CDATA[<p>One <b>two</b></p><script>alert(1)</script><p>three</p>]]></description></item>`
  expect(await itemsOf(rss(item))).toEqual([
    {
      title: 'Fish & chips',
      link: 'https://blog.example.net/a?b=1&c=2',
      summary: 'One two three',
      date: '2026-01-15T08:00:00.000Z',
    },
  ])
})

test('Atom: the link that a reader opens, text that is no HTML, XHTML as its words', async () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link href="https://blog.example.net/"/>
    <entry><id>urn:1</id><title>a &lt;b&gt; c</title><link rel="edit" href="/edit"/><link href="/one"/>
    <updated>2026-01-15T08:00:00Z</updated>
    <summary type="xhtml"><div><p>One</p><p>two</p></div></summary></entry></feed>`
  expect(await itemsOf(atom)).toEqual([
    { title: 'a <b> c', link: 'https://blog.example.net/one', summary: 'One two', date: '2026-01-15T08:00:00.000Z' },
  ])
})

const named = (name: string) => `<rss><channel><title>${name}</title></channel></rss>`
const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}
const declared = '<?xml version="1.0" encoding="UTF-16"?>'
const sets: [says: string, bytes: Buffer, contentType: string][] = [
  ['UTF-16 with its mark', utf16(`\ufeff${declared}${named('Käse')}`, 'le'), 'text/xml'],
  ['UTF-16 the other way round', utf16(`\ufeff${named('Käse')}`, 'be'), 'text/xml; charset=utf-16'],
  ['UTF-16 without a mark', utf16(`${declared}${named('Käse')}`, 'be'), 'text/xml'],
  ['UTF-8 that says it is UTF-16', Buffer.from(declared + named('Käse')), 'text/xml'],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${named('Käse')}`), 'text/xml'],
  ['a set of the header', Buffer.from(named('Käse'), 'latin1'), 'text/xml; charset="iso-8859-1"'],
  ['a set that is none', Buffer.from(named('Käse')), 'text/xml; charset=klingon'],
]
test.each(sets)('it is read as %s', async (_, bytes, contentType) => {
  expect(await feedReading.run({ bytes, url: at, contentType })).toMatchObject({ feed: { title: 'Käse' } })
})

test('dates: in the future, of another kind, of no day, none', async () => {
  const dates = ['2099-01-01T00:00:00Z', 'Tue, 31 Dec 2025 25:00:00 GMT', 'yesterday', '', '2026-01-15T09:00+05:30']
  const items = dates.map((date, n) => `<item><title>${n}</title><pubDate>${date}</pubDate></item>`).join('')
  const read = (await itemsOf(rss(items))).map(({ date }) => date)
  expect(read).toEqual(['2099-01-01T00:00:00.000Z', null, null, null, '2026-01-15T03:30:00.000Z'])
})

test('of a long feed the newest 200 can be new, and 2,000 are known again', async () => {
  const item = (n: number) =>
    `<item><guid>${n}</guid><title>${n}</title><pubDate>${new Date(n * 60_000).toISOString()}</pubDate></item>`
  const parsed = await read(rss(Array.from({ length: 10_000 }, (_, n) => item(n)).join('')))
  if ('fault' in parsed) throw new Error(parsed.fault)
  const { items, marks } = parsed.feed
  expect([items.length, items[0]?.title, marks.length]).toEqual([200, '1999', 4_000])
})

test('RSS 1.0, and a character set that is not UTF-8', async () => {
  const rdf = `<?xml version="1.0" encoding="ISO-8859-1"?><rdf:RDF><channel><title>B</title></channel>
    <item><title>caf\xe9</title><link>https://a.example/</link><dc:date>2026-01-15</dc:date></item></rdf:RDF>`
  const parsed = await feedReading.run({ bytes: Buffer.from(rdf, 'latin1'), url: at, contentType: 'text/xml' })
  expect(parsed).toMatchObject({ feed: { items: [{ title: 'café', link: 'https://a.example/' }] } })
})

test('the newest come first; items without a date stay as they stand', async () => {
  const dated = (day: number) => `<item><title>${day}</title><pubDate>2026-01-0${day}T00:00:00Z</pubDate></item>`
  const titles = async (items: string) => (await itemsOf(rss(items))).map(({ title }) => title)
  expect(await titles(dated(1) + dated(3) + dated(2))).toEqual(['3', '2', '1'])
  expect(await titles(`${dated(1)}<item><title>none</title></item>${dated(3)}`)).toEqual(['1', 'none', '3'])
})

const links = [
  ['javascript:alert(1)', 'https://blog.example.net/'],
  ['data:text/html,x', 'https://blog.example.net/'],
  ['mailto:a@example.net', 'https://blog.example.net/'],
  ['https://user:secret@example.net/', 'https://blog.example.net/'],
  ['https://example.net/a(b){{contact.email}}', 'https://example.net/a%28b%29%7B%7Bcontact.email%7D%7D'],
  ['https://example.net/?a={{contact.email|x}}', 'https://example.net/?a=%7B%7Bcontact.email%7Cx%7D%7D'],
] as const
for (const [given, link] of links)
  test(`a link is http or https, and no placeholder: ${given}`, async () => {
    expect((await itemsOf(rss(`<item><title>T</title><link>${given}</link></item>`)))[0]?.link).toBe(link)
  })

test('what an item says is one line of words: no placeholder, no control character, no tag', async () => {
  const said = 'a {{contact.email}}\n\u0007 b &lt;img src=x onerror=alert(1)&gt; c'
  const [item] = await itemsOf(rss(`<item><title>${said}</title><description>${said}</description></item>`))
  expect(item).toMatchObject({ title: 'a ((contact.email)) b c', summary: 'a ((contact.email)) b c' })
})

const mb5 = 5 * 1024 * 1024
const filled = (part: string, bytes = mb5) => part.repeat(Math.floor(bytes / part.length))

/** Each is 5 MB, and what comes of it: a fault, or so many items. */
const hostile: Record<string, [xml: () => string, becomes: string | number]> = {
  'a bomb of entities': [
    () => `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${rss(filled('<item><title>&b;</title></item>'))}`,
    'it declares entities of its own',
  ],
  'an entity of a file': [
    () => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss('<item><title>&x;</title></item>')}`,
    'it declares entities of its own',
  ],
  'deep nesting': [() => rss(filled('<a>')), 'it is nested deeper than 64 elements'],
  'an item in an item': [() => rss(filled('<item>')), 'it is nested deeper than 64 elements'],
  'no feed': [() => filled('<html>'), 'it is neither RSS nor Atom'],
  'another root': [() => `<html>${filled('<p></p>')}</html>`, 'it is neither RSS nor Atom'],
  'text alone': [() => filled('x'), 'it ends before its end, or is no XML'],
  'brackets alone': [() => filled('<'), 'it ends before its end, or is no XML'],
  'a tag that never ends': [() => `<rss ${filled('a="b" ')}`, 'it ends before its end, or is no XML'],
  'cut off': [() => rss(filled('<item><title>x</title></item>')).slice(0, -20), 'it ends before its end, or is no XML'],
  'many items': [() => rss(filled('<item><title>x</title></item>')), 200],
  'many attributes': [() => rss(`<item ${filled('a="b" ')}><title>x</title></item>`), 1],
  'different attributes': [
    () => rss(`<item ${Array.from({ length: 400_000 }, (_, n) => `a${n}="b"`).join(' ')}><title>x</title></item>`),
    1,
  ],
  'a long title': [() => rss(`<item><title>${filled('x')}</title></item>`), 1],
  'a title of entities': [() => rss(`<item><title>${filled('&amp;')}</title></item>`), 1],
  'a title of tags that do not end': [() => rss(`<item><title>${filled('&lt;a')}</title></item>`), 0],
  'a description that is nested deeply': [
    () => rss(filled(`<item><title>x</title><description><![CDATA[${filled('<a>', 20_000)}]]></description></item>`)),
    200,
  ],
  'a description of closed tags': [
    () =>
      rss(filled(`<item><title>x</title><description><![CDATA[${filled('<a></b>', 20_000)}]]></description></item>`)),
    200,
  ],
  'a comment': [() => rss(`<!--${filled('-')}--><item><title>x</title></item>`), 1],
  'CDATA that never ends': [() => rss(`<item><title><![CDATA[${filled(']]')}`), 'it ends before its end, or is no XML'],
  'tags that close nothing': [() => rss(`${filled('</b>')}<item><title>x</title></item>`), 1],
}

for (const [name, [xml, becomes]] of Object.entries(hostile))
  test(`5 MB of a hostile feed are read in a moment, beside the loop: ${name}`, async () => {
    await using t = await testApp()
    const bytes = Buffer.from(xml())
    // The thread is started before it is measured.
    await t.app.aside.run(feedReading, { bytes: Buffer.from(' '), url: at, contentType: '' }, 10_000)
    const began = performance.now()
    const { result, blockMs } = await longestBlock(name, () =>
      t.app.aside.run(feedReading, { bytes, url: at, contentType: '' }, bytes.length),
    )
    expect('fault' in result ? result.fault : result.feed.items.length).toBe(becomes)
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
    expect(performance.now() - began).toBeLessThan(5_000)
  })
