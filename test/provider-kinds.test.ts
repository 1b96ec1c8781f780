// What each provider reports, in the form that it documents: bounces, complaints and unsubscribes of mails of this workspace count once,
// and whatever is not authentic, not known or not ours changes nothing.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { providerHooks } from '../db/tables/campaigns.ts'
import { write } from '../src/core/app.ts'
import { noteReport } from '../src/features/campaigns/feedback.ts'
import { messageAddress } from '../src/features/sending/activity/message-address.ts'
import { takeMessageMail } from '../src/features/sending/feedback/bounces.ts'
import { relayHeaders } from '../src/features/sending/relay-id.ts'
import { readBounceReport } from '../src/mail/bounce-report.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { type TestApp, testApp } from './support/app.ts'
import { sentCampaign } from './support/campaign.ts'
import { hook, post, secret, signed } from './support/provider-reports.ts'

/** `hard`, `soft`, `complaint`, `left` or `sent`. */
async function fateOf(t: TestApp, id: string): Promise<string> {
  const { status, to, email } = await t.get(`/v1/activity/${id}`, 200)
  const address = email ?? to
  const { reason } = await t.get(`/v1/contacts/suppression-status?email=${address}`, 200)
  if (status === 'bounced') return reason === 'hardBounce' ? 'hard' : 'soft'
  if (status === 'complained') return 'complaint'
  const [contact] = await t.get(`/v1/contacts/find?email=${address}`, 200)
  return Object.values(contact.mailingLists ?? {}).some(Boolean) ? status : 'left'
}

type Kind = 'hard' | 'soft' | 'complaint' | 'left' | 'unknown'
const reports: Record<string, { prefix?: string; batch: boolean; of: (kind: Kind, id: string) => unknown }> = {
  brevo: {
    batch: true,
    of: (kind, id) => ({
      event: {
        hard: 'hard_bounce',
        soft: 'soft_bounce',
        complaint: 'spam',
        left: 'unsubscribed',
        unknown: 'proxy_open',
      }[kind],
      email: 'r@example.net',
      'message-id': '<202411220000.1@smtp-relay.mailin.fr>',
      'X-Mailin-custom': id,
      reason: '550 no such user',
      ts_event: 1_700_000_000,
    }),
  },
  mailjet: {
    batch: true,
    of: (kind, id) => ({
      event: { hard: 'bounce', soft: 'bounce', complaint: 'spam', left: 'unsub', unknown: 'click' }[kind],
      time: 1_433_103_519,
      MessageID: 19_421_777_396_190_490,
      email: 'r@example.net',
      CustomID: id,
      hard_bounce: kind === 'hard',
      error_related_to: kind === 'soft' ? 'domain' : 'recipient',
      error: 'user unknown',
    }),
  },
  sparkpost: {
    batch: true,
    of: (kind, id) => ({
      msys: {
        [kind === 'left' ? 'unsubscribe_event' : 'message_event']: {
          type: {
            hard: 'bounce',
            soft: 'out_of_band',
            complaint: 'spam_complaint',
            left: 'list_unsubscribe',
            unknown: 'delay',
          }[kind],
          bounce_class: kind === 'hard' ? '10' : '20',
          error_code: '554',
          raw_reason: 'mailbox is full',
          rcpt_meta: { message_id: id },
        },
      },
    }),
  },
  resend: {
    prefix: 'svix',
    batch: false,
    of: (kind, id) => ({
      type: {
        hard: 'email.bounced',
        soft: 'email.bounced',
        complaint: 'email.complained',
        left: '',
        unknown: 'email.opened',
      }[kind],
      created_at: '2026-11-22T23:41:12.126Z',
      data: {
        email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
        headers: [{ name: 'Message-ID', value: `<${id}@acme.test>` }],
        bounce: { type: kind === 'hard' ? 'Permanent' : 'Transient', subType: 'General', message: 'no such user' },
      },
    }),
  },
  generic: {
    prefix: 'webhook',
    batch: false,
    of: (kind, id) => ({
      type: { hard: 'bounce', soft: 'bounce', complaint: 'complaint', left: 'unsubscribe', unknown: 'opened' }[kind],
      bounceType: kind === 'hard' ? 'hard' : 'soft',
      messageId: id,
      code: '5.1.1',
    }),
  },
}

describe('a report of each provider', () => {
  for (const [provider, { prefix, batch, of }] of Object.entries(reports))
    test(`${provider}: bounces, complaints and unsubscribes count once, and nothing else changes anything`, async () => {
      await using t = await testApp()
      const kinds = (['hard', 'soft', 'complaint', 'left'] as const).filter(
        (kind) => provider !== 'resend' || kind !== 'left',
      )
      const { messageIds: ids } = await sentCampaign(t, kinds.length + 1)
      const untouched = ids.at(-1) ?? ''
      const verifyWith = prefix === undefined ? {} : { verifyWith: secret }
      const path = await hook(t, { provider, ...verifyWith })
      const headers = (body: unknown, key?: string) => (prefix === undefined ? {} : signed(t, body, prefix, key))
      const entries = kinds.map((kind, at) => of(kind, ids[at] ?? ''))
      const bodies: unknown[] = batch ? [entries] : provider === 'generic' ? [{ events: entries }] : entries
      // Forged, of somebody else, of no known kind, or no report.
      const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
      const { workspace } = await t.stranger('other')
      const moveHook = (to: string) =>
        write(t.app, (tx) =>
          tx.db
            .update(providerHooks)
            .set({ workspaceId: to })
            .where(eq(providerHooks.provider, provider as 'brevo')),
        )
      for (const body of bodies) {
        if (prefix !== undefined) await t.unchanged(() => post(t, path, body, headers(body, other)))
        if (prefix !== undefined) await t.unchanged(() => post(t, path, body))
        await t.unchanged(() => post(t, `${path}x`, body, headers(body)))
      }
      // The same address, of another workspace.
      await moveHook(workspace.id)
      if (prefix === undefined) for (const body of bodies) await t.unchanged(() => post(t, path, body))
      await moveHook(t.workspace.id)
      for (const body of [
        of('unknown', untouched),
        of('hard', 'msg_ffffffffffffffffffffffffffffffff'),
        null,
        [[]],
        { events: 1 },
      ])
        await t.unchanged(() => post(t, path, body, headers(body)))
      for (const body of bodies) await post(t, path, body, headers(body))
      const fates = [...kinds, 'sent']
      expect(await Promise.all(ids.map((id) => fateOf(t, id)))).toEqual(fates)
      for (const body of bodies) await t.unchanged(() => post(t, path, body, headers(body)))
      const mails = (await t.sent()).length
      await t.settle()
      expect((await t.sent()).length).toBe(mails)
    })

  test('an unsubscribe that somebody caught ends no later consent', async () => {
    await using t = await testApp()
    const [id = ''] = (await sentCampaign(t, 1)).messageIds
    const { email } = await t.get(`/v1/activity/${id}`, 200)
    const path = await hook(t, { provider: 'generic', verifyWith: secret })
    const body = { events: [{ type: 'unsubscribe', messageId: id }] }
    const headers = signed(t, body, 'webhook')
    await post(t, path, body, headers)
    expect(await fateOf(t, id)).toBe('left')
    const [list] = (await t.get('/v1/mailing-lists', 200)).data
    await t.put('/v1/contacts/update', { email, mailingLists: { [list.id]: true }, subscribed: true }, 200)
    expect(await fateOf(t, id)).toBe('sent')
    await t.unchanged(() => post(t, path, body, headers))
    t.clock.advance(60_000)
    await post(
      t,
      path,
      { events: [...body.events, ...body.events] },
      signed(t, { events: [...body.events, ...body.events] }, 'webhook'),
    )
    expect(await fateOf(t, id)).toBe('left')
  })

  test('a secret that is none is refused, and a signature that is too old counts no more', async () => {
    await using t = await testApp()
    for (const verifyWith of ['whsec_', 'secret', `whsec_${Buffer.alloc(8).toString('base64')}`])
      await t.put('/v1/provider-hooks', { provider: 'generic', verifyWith }, 422, { as: 'session' })
    const [id = ''] = (await sentCampaign(t, 1)).messageIds
    const path = await hook(t, { provider: 'generic', verifyWith: secret })
    const body = reports.generic?.of('hard', id)
    const headers = signed(t, body, 'webhook')
    await t.advance('16m')
    await t.unchanged(() => post(t, path, body, headers))
  })
})

test('a mail names its id in the header that the reports of its relay repeat', () => {
  const named = (host: string) => relayHeaders(host, 'msg_1')
  expect(named('in-v3.mailjet.com')).toEqual([['X-MJ-CustomID', 'msg_1']])
  expect(named('smtp-relay.brevo.com')).toEqual([['X-Mailin-custom', 'msg_1']])
  expect(named('smtp.sparkpostmail.com')).toEqual([['X-MSYS-API', '{"metadata":{"message_id":"msg_1"}}']])
  expect(named('smtp.eu.sparkpostmail.com')).toHaveLength(1)
  expect(named('smtp.postmarkapp.com')).toEqual([['X-PM-Metadata-message_id', 'msg_1']])
  for (const host of ['mail.example.com', 'mailjet.com.example.net']) expect(named(host)).toEqual([])
})

describe('the address for complaints (RFC 9477)', () => {
  const headersOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')

  test('a signed mail names it where it is at the domain of the sender or below it, and the signature covers it', async () => {
    for (const [inbound, names] of [
      ['in.house.example', true],
      ['in.other.test', false],
    ] as const) {
      await using t = await testApp({
        environment: { INBOUND_DOMAIN: inbound, MAIL_FROM: 'House <hello@house.example>' },
      })
      await t.post('/v1/sending-domains', { domain: 'house.example' }, 201)
      const [id = ''] = (await sentCampaign(t, 1)).messageIds
      const [mail] = await t.sent()
      const headers = headersOf(mail?.raw.toString() ?? '')
      if (!/^DKIM-Signature:/m.test(headers)) throw new Error('the mail is not signed')
      expect(headers.includes(`CFBL-Address: ${messageAddress(t.app, 'bounce', id)}; report=arf`)).toBe(names)
      expect(headers.includes(`CFBL-Feedback-ID: ${id}`)).toBe(names)
      const covered = /h=([^;]*);/.exec(headers)?.[1]?.replaceAll(' ', '').split(':') ?? []
      expect(covered.filter((name) => name.startsWith('cfbl-'))).toEqual(
        names ? ['cfbl-address', 'cfbl-feedback-id'] : [],
      )
    }
  })

  const report = (id: string) =>
    Buffer.from(
      `Content-Type: multipart/report; report-type=feedback-report; boundary="B"\r\n\r\n--B\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nVersion: 1\r\n\r\n--B\r\nContent-Type: text/rfc822-headers\r\n\r\nCFBL-Feedback-ID: ${id}\r\n--B--\r\n`,
    )

  const inJson = (given: object) =>
    Buffer.from(
      `Content-Type: multipart/mixed; boundary="B"\r\nX-XARF: PLAIN\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\nSomebody complained.\r\n--B\r\nContent-Type: application/json; name="xarf.json"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(JSON.stringify(given)).toString('base64')}\r\n--B--\r\n`,
    )

  test('a report in XARF counts as one in ARF, whichever version it is of; another JSON counts for nothing', () => {
    const mail = 'From: shop@house.example\r\nCFBL-Feedback-ID: msg_1\r\n\r\nHello'
    const payload = Buffer.from(mail).toString('base64')
    const third = {
      Version: '3',
      ReporterInfo: { ReporterOrg: 'Mail', ReporterOrgEmail: 'abuse@mail.example' },
      Report: {
        ReportClass: 'Activity',
        ReportType: 'Spam',
        Samples: [{ ContentType: 'message/rfc822', Payload: mail }],
      },
    }
    const fourth = { xarf_version: '4.0.0', category: 'messaging', type: 'spam', evidence: [{ payload }] }
    const complaint = { kind: 'abuse', feedbackType: 'abuse', feedbackId: 'msg_1', messageId: null }
    for (const given of [third, fourth]) expect(readBounceReport(inJson(given))).toEqual(complaint as never)
    expect(readBounceReport(inJson({ ...fourth, type: 'phishing' }))).toMatchObject({ feedbackType: 'fraud' })
    const others = [
      { ...fourth, type: 'port_scan' },
      { type: 'spam' },
      { Report: { ReportType: 'Spam' } },
      [],
      'spam',
      null,
    ]
    for (const given of others) expect(readBounceReport(inJson(given as object))).toBeNull()
  })

  test('a report to it is a complaint, once; of another mail, or to an address that is not ours, it changes nothing', async () => {
    await using t = await testApp({ environment: { INBOUND_DOMAIN: 'in.paquebot.localhost' } })
    const [first = '', second = ''] = (await sentCampaign(t, 2)).messageIds
    const address = messageAddress(t.app, 'bounce', first) ?? ''
    const take = async (to: string, raw: Buffer) => takeMessageMail(t.app, to, await toRawMail([raw]), noteReport)
    const [, domain] = address.split('@')
    expect(await t.unchanged(() => take(address, report(second)))).toBe(false)
    const forged = `b+${second.slice(4)}-${'0'.repeat(20)}@${domain}`
    expect(await t.unchanged(() => take(forged, report(second)))).toBe(false)
    expect(await take(address, report(first))).toBe(true)
    expect(await fateOf(t, first)).toBe('complaint')
    await t.unchanged(() => take(address, report(first)))
  })
})
