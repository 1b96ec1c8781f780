// Whose a link domain is: what may be asked for, what proves it, what a check that fails changes, and who takes over a name.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { RequestOptions } from './support/app.ts'
import {
  checkLater,
  claim,
  house,
  inPerson,
  links,
  proved,
  publishLink,
  stage,
  verify,
  verifyPath,
} from './support/link-domain.ts'

const path = '/v1/workspace'

describe('a workspace asks for a link domain', () => {
  test('and is told what to publish; null gives it up', async () => {
    await using s = await stage()
    const { t } = s
    expect(await t.get(path, 200)).toMatchObject({ linkDomain: null, publicUrl: `https://${house}` })
    await t.post(verifyPath, {}, 404)
    const asked = await claim(t, ' Links.Globex.Example ')
    expect(asked).toMatchObject({ domain: links, status: 'pending', ownership: null, target: null, checkedAt: null })
    expect(asked.dnsRecords).toEqual([
      { type: 'TXT', name: `_paquebot.${links}`, value: expect.stringMatching(/^paquebot-workspace=[0-9a-f]{32}$/) },
      { type: 'CNAME', name: links, value: house },
    ])
    expect((await t.get(path, 200)).linkDomain).toEqual(asked)
    expect(await claim(t, null)).toBeNull()
    expect((await t.get(path, 200)).linkDomain).toBeNull()
  })

  test.each([
    ['the host of BASE_URL', house],
    ['a domain of the operator', 'in.house.example'],
    ['an IPv4 address', '192.0.2.1'],
    ['an IPv6 address', '2001:db8::1'],
    ['a number', '1.2.3'],
    ['a name of one label', 'localhost'],
    ['a public suffix', 'co.uk'],
    ['a suffix that many use', 'github.io'],
    ['a name with a port', 'links.globex.example:8080'],
    ['an address of a page', 'https://links.globex.example/'],
    ['a wildcard', '*.globex.example'],
    ['nothing', ''],
  ])('not for %s', async (_, linkDomain) => {
    await using s = await stage({ environment: { INBOUND_DOMAIN: 'in.house.example' } })
    const refused = await s.t.unchanged(() => s.t.patch(path, { linkDomain }, 422))
    expect(refused.errors[0].path).toBe('linkDomain')
  })

  test('a name in another script is kept as the DNS has it', async () => {
    await using s = await stage()
    expect((await claim(s.t, 'links.bücher.example')).domain).toBe('links.xn--bcher-kva.example')
  })

  test('only as its owner, or with a key that may do all', async () => {
    await using s = await stage()
    const { t } = s
    const { apiKey } = await t.post('/v1/api-keys', { scopes: ['workspace.write'] }, 201)
    const { apiKey: testKey } = await t.post('/v1/api-keys', { test: true }, 201)
    const member = await t.person('member')
    const asMember: RequestOptions = { as: 'nobody', headers: { cookie: member.sessionCookie, ...inPerson.headers } }
    for (const as of [{ as: { apiKey } }, { as: { apiKey: testKey } }, asMember] as RequestOptions[])
      await t.unchanged(() => t.patch(path, { linkDomain: links }, 403, as))
    await t.patch(path, { timeZone: 'Europe/Paris' }, 200, { as: { apiKey } })
    expect((await claim(t, links, inPerson)).domain).toBe(links)
  })
})

describe('a link domain is proved', () => {
  test('by the record that names the workspace, and not by leading here', async () => {
    await using s = await stage()
    const { t } = s
    const asked = await claim(t, links)
    publishLink(s, asked, ['CNAME'])
    expect(await verify(t)).toMatchObject({ status: 'pending', ownership: 'missing', target: 'ok' })
    publishLink(s, asked, ['TXT'])
    const right = await verify(t)
    expect(right).toMatchObject({ status: 'verified', ownership: 'ok', target: 'ok' })
    expect(right.verifiedAt).toBe(t.clock.now().toISOString())
  })

  test('and leads here, by the addresses of BASE_URL and no other', async () => {
    await using s = await stage()
    const { t, dns } = s
    publishLink(s, await claim(t, links), ['TXT'])
    expect(await verify(t)).toMatchObject({ status: 'pending', ownership: 'ok', target: 'missing' })
    dns.names.set(links, { a: ['192.0.2.10', '198.51.100.7'] })
    expect(await verify(t)).toMatchObject({ status: 'pending', target: 'wrong' })
    dns.names.set(links, 'servfail')
    expect(await verify(t)).toMatchObject({ status: 'pending', target: 'unknown' })
    dns.names.set(links, { a: ['192.0.2.10'], aaaa: ['2001:db8::10'] })
    expect(await verify(t)).toMatchObject({ status: 'verified', target: 'ok' })
  })

  test('by itself within ten minutes of publishing', async () => {
    await using s = await stage()
    const { t } = s
    publishLink(s, await claim(t, links))
    await checkLater(t)
    expect((await t.get(path, 200)).linkDomain).toMatchObject({ status: 'verified' })
  })

  test('three checks in a row that fail end it, one that is right begins it anew', async () => {
    await using s = await stage()
    const { t, dns } = s
    await proved(s)
    const { verifiedAt } = (await t.get(path, 200)).linkDomain
    expect((await t.get(path, 200)).publicUrl).toBe(`https://${links}`)
    dns.names.delete(links)
    // Whoever asks three times within a minute has seen one fault.
    for (let n = 0; n < 3; n++) expect(await verify(t)).toMatchObject({ status: 'verified', target: 'missing' })
    await checkLater(t)
    expect((await t.get(path, 200)).linkDomain).toMatchObject({ status: 'verified', target: 'missing' })
    const codes = async () => (await t.get('/v1/attention', 200)).data.map(({ code }: { code: string }) => code)
    expect(await codes()).not.toContain('link_domain_failing')
    await checkLater(t)
    expect((await t.get(path, 200)).linkDomain).toMatchObject({ status: 'failing', target: 'missing', verifiedAt })
    expect(await codes()).toContain('link_domain_failing')
    expect((await t.get(path, 200)).publicUrl).toBe(`https://${house}`)
    dns.names.set(links, { cname: house })
    await checkLater(t)
    expect((await t.get(path, 200)).linkDomain).toMatchObject({ status: 'verified', target: 'ok', verifiedAt })
    expect(await codes()).not.toContain('link_domain_failing')
  })
})

describe('two workspaces ask for one name', () => {
  test('and who proves it has it', async () => {
    await using s = await stage()
    const { t } = s
    const { apiKey } = await t.stranger()
    const other = { as: { apiKey } }
    const [mine, theirs] = [await claim(t, links), await claim(t, links, other)]
    expect(mine.dnsRecords[0].value).not.toBe(theirs.dnsRecords[0].value)
    publishLink(s, mine)
    expect(await verify(t, other)).toMatchObject({ status: 'pending', ownership: 'missing', target: 'ok' })
    expect(await verify(t)).toMatchObject({ status: 'verified' })
    // Also with a record of theirs beside it.
    publishLink(s, theirs, ['TXT'])
    expect(await verify(t, other)).toMatchObject({ status: 'pending', ownership: 'wrong' })
    expect(await verify(t)).toMatchObject({ status: 'verified' })
  })

  test('one that another has proved is refused by name, until its proof is gone', async () => {
    await using s = await stage()
    const { t, dns } = s
    const { apiKey, workspace } = await t.stranger()
    const other = { as: { apiKey } }
    await proved(s)
    const refused = await t.unchanged(() => t.patch(path, { linkDomain: links }, 409, other))
    expect(refused.detail).toBe(`${links} is the link domain of another workspace, which has proved it.`)
    dns.names.delete(`_paquebot.${links}`)
    await checkLater(t, 3)
    expect((await t.get(path, 200)).linkDomain).toMatchObject({ status: 'failing', ownership: 'missing' })
    await proved(s, links, other)
    expect((await t.get(path, 200)).linkDomain).toMatchObject({ status: 'pending', verifiedAt: null })
    expect(await t.app.db.all(sql`SELECT id FROM workspaces WHERE link_host = ${links}`)).toEqual([
      { id: workspace.id },
    ])
  })
})
