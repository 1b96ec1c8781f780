// Pictures that a source of HTML or MJML has in itself: saved, they are pictures of the library, once; whoever only looks stores nothing; and a
// save that is refused leaves nothing.

import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { media, mediaUnowned } from '../db/tables/media.ts'
import { writeZip } from '../src/kit/zip.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { listOf } from './support/campaign.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { mcpClient } from './support/mcp.ts'
import { gif, png } from './support/picture.ts'
import { recurring } from './support/recurring.ts'

const logo = png({ width: 12, height: 4 })
const inline = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`
const html = (body: string) => ({ kind: 'html', source: `<!doctype html><html><body>${body}</body></html>` })
const letter = html(
  `<p>Hello</p><img src="${inline(logo)}" alt="Logo"><img src='${inline(logo)}' alt="Again"><table background="${inline(gif, 'image/gif')}"><tr><td style="background-image:url(${inline(gif, 'image/gif')})">x</td></tr></table>`,
)
const address = (t: TestApp) => new RegExp(`^${t.app.config.baseUrl}/media/[0-9a-f]{32}\\.(png|gif)$`)

function filesOf(t: TestApp): string[] {
  const { to } = t.app.config.media
  return existsSync(to) ? readdirSync(to) : []
}

async function stored(t: TestApp) {
  const [rows, unowned] = [await t.app.db.select().from(media), await t.app.db.select().from(mediaUnowned)]
  return { rows: rows.length, unowned: unowned.length, files: filesOf(t).length }
}

const nothing = { rows: 0, unowned: 0, files: 0 }
const contentOf = async (t: TestApp, id: string) => (await t.get(`/v1/transactional/${id}/content/en`, 200)).content
const pictures = async (t: TestApp): Promise<Json[]> => (await t.get('/v1/media', 200)).data

describe('saved', () => {
  test('each is a picture of the library, once, with what shows it; the source and the mail have its address', async () => {
    await using t = await testApp()
    await t.template({ id: 'letter', content: letter })
    const found = await pictures(t)
    expect(found.map(({ contentType, width, url }) => [contentType, width, address(t).test(url)]).sort()).toEqual([
      ['image/gif', 1, true],
      ['image/png', 12, true],
    ])
    const { source } = await contentOf(t, 'letter')
    expect(source).not.toContain('data:')
    const png = found.find(({ contentType }) => contentType === 'image/png')
    expect(source.split(png?.url)).toHaveLength(3)
    const { usedBy } = await t.get(`/v1/media/${png?.id}`, 200)
    expect(usedBy).toMatchObject([{ kind: 'template', id: 'letter' }])
    const reply = await fetch(t.url + new URL(png?.url).pathname)
    expect(Buffer.from(await reply.arrayBuffer()).equals(logo)).toBe(true)
    await t.mail({ templateId: 'letter' })
    await t.settle()
    expect((await t.sent()).at(-1)?.raw.replaceAll('=\r\n', '')).toContain(png?.url)

    const { warnings = [] } = await t.put('/v1/transactional/letter/content/de', { content: letter }, 200)
    expect(warnings).toEqual([])
    expect(await stored(t)).toEqual({ rows: 2, unowned: 0, files: 2 })
  })

  test('those of MJML, in several lines, encoded, and in url() with or without quotes', async () => {
    await using t = await testApp()
    const wrapped = inline(logo).replace(/(.{40})/g, '$1\n')
    const encoded = inline(gif, 'image/gif').replaceAll('+', '%2B').replaceAll('=', '%3D')
    const mjml = (body: string) => ({ kind: 'mjml', source: `<mjml><mj-body>${body}</mj-body></mjml>` })
    const content = mjml(
      `<mj-section background-url="${encoded}"><mj-column><mj-image src="${wrapped}" /></mj-column></mj-section>`,
    )
    await t.template({ id: 'letter', content })
    expect(await stored(t)).toEqual({ rows: 2, unowned: 0, files: 2 })
    const styles = html(
      `<p style="background:url('${inline(logo)}')">a</p><p style='background:url(&quot;${inline(gif, 'image/gif')}&quot;)'>b</p><img src=${inline(logo)} width=3>`,
    )
    await t.template({ id: 'styles', content: styles })
    expect((await contentOf(t, 'styles')).source).not.toContain('data:')
    expect((await contentOf(t, 'styles')).source).toContain(' width=3>')
    expect(await stored(t)).toEqual({ rows: 2, unowned: 0, files: 2 })
  })

  test('of a campaign, one of its locales, one that recurs, a tool, a test mail, an export', async () => {
    await using t = await testApp()
    const many = Array.from({ length: 7 }, (_, n) => inline(png({ width: n + 1, height: 1 })))
    const shows = (n: number) => html(`<p>Hi</p><img src="${many[n]}" alt=""><a href="{{unsubscribe_url}}">Leave</a>`)
    const rows = async () => (await stored(t)).rows
    const { list } = await listOf(t, 1)
    const { id } = await t.post(
      '/v1/campaigns',
      { name: 'C', subject: 'S', mailingListId: list.id, content: shows(0) },
      201,
    )
    expect(await rows()).toBe(1)
    await t.put(`/v1/campaigns/${id}/content/de`, { content: shows(1) }, 200)
    expect(await rows()).toBe(2)
    const made = await recurring(t, { content: shows(2) })
    expect(await rows()).toBe(3)
    expect(JSON.stringify(made.content)).not.toContain('data:')
    await using client = await mcpClient('2026-07-28 (stateless)', `${t.url}/mcp`, t.apiKey)
    const { source } = shows(3)
    const tool = { name: 'import_template', arguments: { name: 'Tool', subject: 'S', kind: 'html', source } }
    const { isError } = await client.callTool(tool)
    expect([isError ?? false, await rows()]).toEqual([false, 4])
    await t.template({ id: 'tested' })
    const member = await t.person('owner')
    const emails = [member.email]
    await t.post('/v1/transactional/tested/test', { emails, content: shows(4) }, 200)
    expect(await rows()).toBe(5)
    const templates = [5, 6].map((n) => {
      const body =
        n === 5
          ? `<p>Hello</p><img src="${many[n]}" alt="A">`
          : `<table><tr><td><img src="${many[n]}" alt="B"></td><td>x</td></tr></table>`
      return { id: n, name: `Export ${n}`, type: 'tx', subject: 'Hello', body }
    })
    const zip = writeZip([{ name: 'templates.json', bytes: Buffer.from(JSON.stringify({ data: templates })) }])
    const octets = { headers: { 'content-type': 'application/octet-stream' } }
    const seen = await t.unchanged(() => t.request('POST', '/v1/imports/preview?format=listmonk', zip, octets))
    expect(seen.body.report.templates.map(({ converted }: Json) => converted)).toEqual([true, true])
    expect(await rows()).toBe(5)
    await t.request('POST', '/v1/imports?format=listmonk', zip, octets)
    await t.settle()
    expect(await rows()).toBe(7)
    expect(JSON.stringify(await contentOf(t, 'export-5'))).toContain('/media/')
    expect(await stored(t)).toEqual({ rows: 7, unowned: 0, files: 7 })
  })
})

describe('what is no picture for a mail', () => {
  test.each<[string, string, string]>([
    ['SVG', 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=', 'SVG'],
    ['one that is cut off', inline(logo.subarray(0, 20)), 'the PNG is damaged or not whole'],
    ['one that says it is base64, and is not', 'data:image/png;base64,a*b', 'it is no base64'],
    ['one without bytes', 'data:image/png', 'it has no bytes'],
    ['one of too many pixels', inline(png({ width: 20_000, height: 2, hasPixels: false })), 'a side may have at most'],
  ])('%s is left out, with the reason, and the mail is saved', async (_, src, reason) => {
    await using t = await testApp()
    const content = html(`<p>Hello</p><img src="${src}" alt="x">`)
    const made = await t.post('/v1/transactional/create', { id: 'a', name: 'A', subject: 'S', content }, 201)
    expect(made.warnings.map(({ code, message }: Json) => [code, message])).toContainEqual([
      'picture_refused',
      expect.stringContaining(reason),
    ])
    expect(await contentOf(t, 'a')).toEqual(content)
    expect(await stored(t)).toEqual(nothing)
  })

  test('of more than fifty the first fifty are taken', async () => {
    await using t = await testApp()
    const all = Array.from({ length: 53 }, (_, n) => `<img src="${inline(png({ width: n + 1, height: 1 }))}" alt="">`)
    const made = await t.post(
      '/v1/transactional/create',
      { id: 'a', name: 'A', subject: 'S', content: html(all.join('')) },
      201,
    )
    expect(made.warnings.filter(({ code }: Json) => code === 'picture_refused')).toMatchObject([
      { message: expect.stringContaining('a mail may have at most 50') },
    ])
    expect((await stored(t)).rows).toBe(50)
  })
})

describe('nothing is stored', () => {
  test('by who only looks: a preview shows it, an import gives it back, a difference knows it', async () => {
    await using t = await testApp()
    await t.template({ id: 'letter' })
    const { revisionId } = await t.get('/v1/transactional/letter/content/en', 200)
    const shown = await t.post('/v1/transactional/preview', { content: letter, subject: 'S' }, 200)
    expect(shown.html).toContain(`src="${inline(logo)}"`)
    expect(shown.htmlBytes).toBeLessThan(2_000)
    const marked = await t.post('/v1/transactional/letter/preview', { content: letter, marks: true }, 200)
    expect(marked.html).toContain(`src="${inline(logo)}"`)
    const [, from = '', to = ''] = /<!--content@(\d+)-(\d+)--><td/.exec(marked.html) ?? []
    expect(letter.source.slice(Number(from), Number(to))).toMatch(/^<td style="background-image.*>x<\/td>$/)
    const read = await t.post('/v1/transactional/import', letter, 200)
    expect(read.content).toEqual(letter)
    const plain = html(`<p>Hello</p><img src="${inline(logo)}" alt="Logo">`)
    expect((await t.post('/v1/transactional/import', plain, 200)).content).toEqual(plain)
    await t.post(`/v1/transactional/letter/revisions/${revisionId}/diff`, { content: letter }, 200)
    expect(await stored(t)).toEqual(nothing)
  })

  test('by a save that is refused, for whatever reason', async () => {
    await using t = await testApp({ environment: { MEDIA_WORKSPACE_MB: '1' } })
    await t.template({ id: 'letter' })
    const taken = { id: 'letter', name: 'A', subject: 'S', content: letter }
    await t.post('/v1/transactional/create', taken, 409)
    const stale = { content: letter, expectedRevisionId: 'rev_old' }
    await t.put('/v1/transactional/letter/content/en', stale, 409)
    await t.put('/v1/transactional/nothing/content/en', { content: letter }, 404)
    expect(await stored(t)).toEqual(nothing)
    for (const [width, status] of [
      [1, 201],
      [2, 201],
      [3, 413],
    ] as const) {
      const content = html(`<img src="${inline(png({ width, height: 9, bytes: 350_000 }))}" alt="">`)
      await t.post('/v1/transactional/create', { id: `t${width}`, name: 'A', subject: 'S', content }, status)
    }
    expect(await stored(t)).toEqual({ rows: 2, unowned: 0, files: 2 })
  })
})

test('a source costs its length, whatever stands in it', async () => {
  await using t = await testApp()
  const places = [
    'src="data:image/',
    'url(data:image/',
    'src=data:image/png;base64,',
    "src='data:image/a&",
    'src   =   ',
  ]
  for (const one of places) {
    const content = html(one.repeat((500 * 1024) / one.length))
    const preview = () => t.request('POST', '/v1/transactional/preview', { content, subject: 'S' })
    const { blockMs } = await longestBlock(one, preview)
    expect(blockMs, one).toBeLessThan(maxBlockMs)
  }
})
