// The mails of a workspace with a link domain: no address in them is at the installation's own host, whatever made them; and where they have
// them when the domain fails.

import { expect, test } from 'bun:test'
import type { TestApp } from './support/app.ts'
import { draft, listOf, sendCampaign } from './support/campaign.ts'
import { makeRule } from './support/event-rules.ts'
import {
  checkLater,
  claim,
  house,
  inPerson,
  links,
  proved,
  publishLink,
  stage,
  unfolded,
  verify,
  visit,
} from './support/link-domain.ts'
import { form } from './support/opt-in.ts'
import { png } from './support/picture.ts'
import { publish, tell, templates } from './support/sequences.ts'

const base = `https://${links}`
const own = `https://${house}`

async function picture(t: TestApp): Promise<string> {
  const bytes = new Uint8Array(png({ width: 120, height: 40 }))
  const headers = { 'content-type': 'application/octet-stream' }
  return (await t.request('POST', '/v1/media', bytes, { headers })).body.url
}

/** Addresses of ours in a mail, without what is only of it. */
function addressesIn(raw: string): string[] {
  const found = unfolded(raw).matchAll(
    /https?:\/\/[a-z.-]+\.example(?::\d+)?\/(?:u|preferences|confirm|view|t\/[oc]|media)\//g,
  )
  return [...new Set([...found].map(([address]) => address))].sort()
}

/** A mail of each kind that recipients get: by its name, as it left. */
async function everyMail(t: TestApp): Promise<Record<string, string>> {
  const logoUrl = await picture(t)
  await t.patch('/v1/workspace', { brand: { logoUrl } }, 200)
  await templates(t, 'step')
  const content = [
    { type: 'header' },
    { type: 'image', src: logoUrl, alt: 'Logo' },
    { type: 'section', href: 'https://shop.example.com/', children: [{ type: 'text', text: 'Shop' }] },
    {
      type: 'if',
      variable: 'contact.firstName',
      operator: 'exists',
      children: [{ type: 'image', src: logoUrl, alt: 'Ours' }],
    },
    {
      type: 'text',
      text: '[In the browser]({{view_in_browser_url}}), [leave]({{unsubscribe_url}}), [choose]({{preferences_url}})',
    },
  ]
  await t.template({ content })
  const confirm = [...content.slice(0, 2), { type: 'button', label: 'Yes', href: '{{confirm_url}}' }]
  await t.template({ id: 'confirm', content: confirm })
  const mails: Record<string, string> = {}
  const seen = new Set<string>()
  const take = async (kind: string) => {
    await t.settle()
    const fresh = (await t.sent()).filter(({ messageId }) => !seen.has(messageId))
    for (const { messageId } of fresh) seen.add(messageId)
    if (fresh.length !== 1) throw new Error(`${fresh.length} mails of ${kind}`)
    mails[kind] = fresh[0]?.raw ?? ''
  }
  await t.mail()
  await take('transactional')
  await makeRule(t, { templateId: 'hello', delay: null, eventName: 'bought', variables: {} })
  await tell(t, 'bought')
  await take('rule')
  const definition = { start: { event: 'signup' }, steps: [{ id: 'hi', type: 'send', templateId: 'hello' }] }
  await t.patch('/v1/campaign-settings', { trackOpens: true, trackClicks: true }, 200, inPerson)
  await publish(t, definition)
  await tell(t, 'signup', { email: 'grace@example.net' })
  await take('sequence')
  await t.post('/v1/transactional/hello/test', { emails: ['owner@acme.test'] }, 200)
  await take('test')
  const { listId, sourceId } = await form(t, 'double', { confirmationTemplateId: 'confirm' })
  await t.post(
    '/v1/contact-subscriptions/opt-in',
    { email: 'linus@example.net', sourceId, mailingListIds: [listId] },
    202,
  )
  await take('confirmation')
  const { list } = await listOf(t, 1)
  const id = await draft(t, list, { content })
  await sendCampaign(t, id)
  await take('campaign')
  return mails
}

test('HTML and text of a caller show pictures of the library where the workspace is', async () => {
  await using s = await stage()
  const { t } = s
  const src = await picture(t)
  const own = { from: 'Paquebot <paquebot@paquebot.localhost>', to: ['ada@example.net'], subject: 'Hi' }
  const send = async () => {
    await t.post('/compat/resend/emails', { ...own, html: `<p><img src="${src}" alt="Ours"></p>`, text: src }, 200)
    await t.settle()
    return addressesIn((await t.sent()).at(-1)?.raw ?? '')
  }
  expect(await send()).toEqual([`https://${house}/media/`])
  await proved(s)
  expect(await send()).toEqual([`${base}/media/`])
})

const kinds = ['transactional', 'rule', 'sequence', 'test', 'confirmation', 'campaign']

test('no mail to a recipient names the host of BASE_URL', async () => {
  await using s = await stage()
  await proved(s)
  const mails = await everyMail(s.t)
  expect(Object.keys(mails)).toEqual(kinds)
  for (const [kind, raw] of Object.entries(mails)) {
    expect(unfolded(raw), kind).not.toContain(house)
    expect(addressesIn(raw), kind).toContain(`${base}/media/`)
  }
  const of = (kind: string) => addressesIn(mails[kind] ?? '').map((address) => address.slice(base.length))
  expect(of('confirmation')).toEqual(['/confirm/', '/media/'])
  expect(of('transactional')).toEqual(['/media/', '/view/'])
  expect(of('rule')).toEqual(['/media/', '/preferences/', '/u/', '/view/'])
  expect(of('sequence')).toEqual(['/media/', '/preferences/', '/t/c/', '/t/o/', '/u/', '/view/'])
  expect(of('campaign')).toEqual(['/media/', '/preferences/', '/t/c/', '/t/o/', '/u/', '/view/'])
  expect(unfolded(mails.campaign ?? '')).toMatch(new RegExp(`^List-Unsubscribe: <${base}/u/`, 'm'))
})

test('without a proved domain every one of them is at BASE_URL', async () => {
  await using s = await stage()
  await claim(s.t, links)
  const mails = await everyMail(s.t)
  for (const raw of Object.values(mails)) expect(unfolded(raw)).not.toContain(links)
  for (const kind of kinds) expect(addressesIn(mails[kind] ?? ''), kind).toContain(`${own}/media/`)
})

test('mail to members of the installation stays at BASE_URL', async () => {
  await using s = await stage()
  const { t } = s
  await proved(s)
  const invited = await t.post('/v1/invitations', { email: 'new@acme.test', role: 'member' }, 201, inPerson)
  expect(invited.url).toStartWith(own)
})

test('where the domain fails, new mails are at BASE_URL again, and old links work at both', async () => {
  await using s = await stage()
  const { t, dns } = s
  await t.template({ content: [{ type: 'text', text: '[In the browser]({{view_in_browser_url}})' }] })
  await proved(s)
  const viewOf = async () => {
    await t.mail()
    await t.settle()
    return /https:\/\/[a-z.]+\/view\/[\w-]+/.exec(unfolded((await t.sent()).at(-1)?.raw ?? ''))?.[0] ?? ''
  }
  const before = await viewOf()
  expect(before).toStartWith(base)
  dns.names.delete(links)
  await checkLater(t, 2)
  expect(await viewOf()).toStartWith(base)
  await checkLater(t)
  const after = await viewOf()
  expect(after).toStartWith(own)
  for (const address of [before, after])
    for (const host of [links, house]) {
      const { status, text } = await visit(t, host, new URL(address).pathname)
      expect([status, text.includes('In the browser')]).toEqual([200, true])
    }
  dns.names.set(links, { cname: house })
  await checkLater(t)
  expect(await viewOf()).toStartWith(base)
})

test('a domain that another one replaces goes on answering, as long as it is proved', async () => {
  await using s = await stage()
  const { t, dns } = s
  await t.template({ content: [{ type: 'text', text: '[In the browser]({{view_in_browser_url}})' }] })
  await proved(s)
  await t.mail()
  await t.settle()
  const path = /\/view\/[\w-]+/.exec(unfolded((await t.sent())[0]?.raw ?? ''))?.[0] ?? ''
  await proved(s, 'mail.globex.example')
  const statuses = () =>
    Promise.all([links, 'mail.globex.example'].map(async (host) => (await visit(t, host, path)).status))
  expect(await statuses()).toEqual([200, 200])
  // Back again: it needs no new proof.
  expect(await claim(t, links)).toMatchObject({ status: 'verified' })
  const changed = await t.patch('/v1/workspace', { linkDomain: 'mail.globex.example' }, 200)
  expect(changed).toMatchObject({ publicUrl: 'https://mail.globex.example', linkDomain: { status: 'verified' } })
  dns.names.delete(`_paquebot.${links}`)
  await checkLater(t, 143)
  expect(await statuses()).toEqual([200, 200])
  await checkLater(t)
  expect(await t.get('/v1/workspace', 200)).toMatchObject({ linkDomain: { domain: 'mail.globex.example' } })
  // It is a name like any other now, at which the installation itself answers.
  expect((await visit(t, links, '/healthz')).status).toBe(200)
  expect((await visit(t, 'mail.globex.example', '/healthz')).status).toBe(404)
})

test('of the domains that it had before the last five answer', async () => {
  await using s = await stage()
  const { t } = s
  const names = Array.from({ length: 8 }, (_, n) => `l${n}.globex.example`)
  for (const name of names) {
    await proved(s, name)
    t.clock.advance(1_000)
  }
  const answering = async () => {
    const statuses = await Promise.all(names.map(async (name) => (await visit(t, name, '/healthz')).status))
    return names.filter((_, n) => statuses[n] === 404)
  }
  expect(await answering()).toEqual(names.slice(2))
  // The oldest of them is the current one again.
  expect(await claim(t, 'l2.globex.example')).toMatchObject({ status: 'verified' })
  expect(await answering()).toEqual(names.slice(2))
})

test('a workspace shows previews with the addresses that its mails will have', async () => {
  await using s = await stage()
  const { t } = s
  publishLink(s, await claim(t, links))
  const content = [{ type: 'text', text: '[Leave]({{unsubscribe_url}}) [See]({{view_in_browser_url}})' }]
  const preview = () => t.post('/v1/transactional/preview', { subject: 'Hi', content }, 200)
  expect((await preview()).html).toContain(`${own}/u/preview`)
  await verify(t)
  const { html } = await preview()
  expect(html).toContain(`${base}/u/preview`)
  expect(html).toContain(`${base}/view/preview`)
  expect(html).not.toContain(house)
})
