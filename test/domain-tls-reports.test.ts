// Reports about TLS, and complaints, at the report address of a sending domain.

import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Json } from './support/app.ts'
import {
  type ReportRow,
  type ReportStage,
  reportStage,
  reportXml,
  sendingDomain,
  unsigned,
  zipped,
} from './support/reporter.ts'

const day = 86_400_000

function tlsReport(stage: ReportStage, { id = 'tls-1', domain = sendingDomain, failures = 5 } = {}): Json {
  const begins = Math.floor(stage.t.app.clock.now().getTime() / day - 1) * day
  const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
  return {
    'organization-name': 'Receiver',
    'date-range': { 'start-datetime': at(begins), 'end-datetime': at(begins + day - 1000) },
    'contact-info': 'tls@receiver.example',
    'report-id': id,
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-domain': domain, 'mx-host': ['mx.news.example'] },
        summary: { 'total-successful-session-count': 100, 'total-failure-session-count': failures },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'receiving-mx-hostname': 'mx.news.example',
            'failed-session-count': 3,
          },
        ],
      },
    ],
  }
}

function tlsPart(report: Json | string) {
  const json = typeof report === 'string' ? report : JSON.stringify(report)
  const content = `--T\r\nContent-Type: text/plain\r\n\r\nA report about TLS.\r\n--T\r\nContent-Type: application/tlsrpt+gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${gzipSync(json).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--T--`
  return { type: 'multipart/report; report-type="tlsrpt"; boundary=T', content }
}

test('a report about TLS counts sessions by their result, once', async () => {
  await using stage = await reportStage()
  const { t, domain, address } = stage
  const reporter = await stage.reporter('receiver.example')
  const mail = await reporter.mail(address, tlsPart(tlsReport(stage)))
  expect(await stage.bring(mail)).toStartWith('250 2.0.0 taken')
  expect(await stage.bring(mail)).toStartWith('250 2.0.0 this report is known')
  expect((await stage.days()).data.at(-2)).toMatchObject({ tlsSessions: 105, tlsFailures: 5 })
  const { data } = await t.get(`/v1/sending-domains/${domain.id}/reports/received`, 200)
  expect(data).toMatchObject([{ kind: 'tls', reporter: 'receiver.example', verified: true, total: 105 }])
  expect(data[0].lines).toEqual([
    { source: 'successful', name: '', verdict: null, count: 100 },
    { source: 'certificate-expired', name: 'mx.news.example', verdict: null, count: 3 },
    { source: 'unspecified', name: '', verdict: null, count: 2 },
  ])
})

test('a report about TLS that is forged, broken or about another domain counts nowhere', async () => {
  await using stage = await reportStage()
  const { t, address } = stage
  const reporter = await stage.reporter('receiver.example')
  const forged = unsigned(await reporter.mail(address, tlsPart(tlsReport(stage))))
  expect(await stage.bring(forged)).toStartWith('250 2.0.0 kept, but not counted')
  const refusals: [report: Json | string, says: string][] = [
    [tlsReport(stage, { domain: 'victim.example' }), 'it is not about news.example'],
    ['{ "report-id": ', 'it is no JSON'],
    [{ ...tlsReport(stage), 'date-range': null }, 'which report it is'],
    [{ ...tlsReport(stage), policies: 'none' }, 'it is not about news.example'],
    [`{"x":"${'y'.repeat(9_000_000)}"}`, 'bytes unpacked'],
  ]
  for (const [report, says] of refusals) {
    const mail = await reporter.mail(address, tlsPart(report))
    await t.unchanged(async () => expect(await stage.bring(mail)).toContain(says))
  }
  expect((await stage.days()).data.at(-2)).toMatchObject({ tlsSessions: 0, tlsFailures: 0 })
})

function complaintPart(about: string, type = 'abuse') {
  const content = `--B\r\nContent-Type: text/plain\r\n\r\nA complaint.\r\n--B\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nUser-Agent: Receiver/1\r\nVersion: 1\r\n--B\r\nContent-Type: message/rfc822\r\n\r\nFrom: hello@news.example\r\n${about}\r\nSubject: News\r\n\r\nNews\r\n--B--`
  return { type: 'multipart/report; report-type=feedback-report; boundary=B', content }
}

test('a complaint counts where its reporter signed it, and names a mail of this workspace', async () => {
  await using stage = await reportStage()
  const { t, address } = stage
  await t.template()
  const ids: string[] = []
  for (const email of ['a@example.net', 'b@example.net', 'c@example.net']) ids.push((await t.mail({ email })).messageId)
  await t.settle()
  const headers = (await t.sent()).map(({ raw }) => /^Message-ID: <(.*)>\r$/im.exec(raw)?.[1] ?? '')
  const headerOf = (id: string) => headers.find((one) => one.startsWith(id)) ?? ''
  const [byHeader = '', byFeedback = '', spared = ''] = ids
  const reporter = await stage.reporter('receiver.example')
  const statusOf = async (id: string) => (await t.get(`/v1/activity/${id}`, 200)).status
  const bring = async (about: string, type?: string) =>
    await stage.bring(await reporter.mail(address, complaintPart(about, type)))

  // Nobody vouches for it: kept, and nobody is unsubscribed.
  const forged = unsigned(await reporter.mail(address, complaintPart(`Message-ID: <${headerOf(spared)}>`)))
  expect(await stage.bring(forged)).toStartWith('250 2.0.0 kept, but not counted')
  expect(await statusOf(spared)).toBe('sent')
  expect(await t.get('/v1/contacts/suppression-status?email=c@example.net', 200)).toMatchObject({ isSuppressed: false })

  expect(await bring(`Message-ID: <${headerOf(byHeader)}>`)).toStartWith('250 2.0.0 taken')
  expect(await statusOf(byHeader)).toBe('complained')
  expect(await t.get('/v1/contacts/suppression-status?email=a@example.net', 200)).toMatchObject({ reason: 'complaint' })
  expect(await bring(`Message-ID: <${headerOf(byHeader)}>`)).toStartWith('250 2.0.0 this report is known')
  expect(await bring(`CFBL-Feedback-ID: ${byFeedback}`)).toStartWith('250 2.0.0 taken')
  expect(await statusOf(byFeedback)).toBe('complained')

  expect(await bring(`Message-ID: <${headerOf(spared)}>`, 'not-spam')).toStartWith('250')
  expect(await statusOf(spared)).toBe('sent')
  for (const about of ['Message-ID: <x@example.org>', `Message-ID: <${spared}@another.example>`, 'X-Nothing: here']) {
    const mail = await reporter.mail(address, complaintPart(about))
    await t.unchanged(async () => expect(await stage.bring(mail)).toContain('about no mail that was sent here'))
  }
  const { data } = await t.get(`/v1/sending-domains/${stage.domain.id}/reports/received`, 200)
  expect(data.map(({ kind, verified }: Json) => `${kind} ${verified}`).toSorted()).toEqual([
    'abuse false',
    'abuse true',
    'abuse true',
    'abuse true',
  ])
})

test('what was handed over stands beside what is reported, and a receiver that got all of it counts the same', async () => {
  await using stage = await reportStage({ environment: { MAIL_FROM: `News <hello@${sendingDomain}>` } })
  const { t, address } = stage
  await t.template()
  for (let n = 0; n < 100; n++) await t.mail({ email: `p${n}@example.net` })
  await t.settle()
  expect((await stage.days()).data.at(-1)).toMatchObject({ handedOver: 100, complaints: 0 })
  // As a receiver writes it, of the signatures that it saw.
  const rows = (await t.sent()).map(({ raw }): ReportRow => {
    const tags = [...raw.matchAll(/^DKIM-Signature:[\s\S]*?\r\n(?![ \t])/gim)].map(([field]) =>
      field.replaceAll(/\s/g, ''),
    )
    const signatures = tags.map((field): [string, string, string] => {
      return [/;d=([^;]+)/.exec(field)?.[1] ?? '', /;s=([^;]+)/.exec(field)?.[1] ?? '', 'pass']
    })
    return { dkim: 'pass', signatures }
  })
  await t.advance('1d')
  const reporter = await stage.reporter('receiver.example')
  const report = zipped(reportXml(t.app.clock.now(), rows))
  expect(await stage.bring(await reporter.mail(address, report))).toStartWith('250 2.0.0 taken')
  expect((await stage.days()).data.at(-2)).toMatchObject({
    handedOver: 100,
    yoursAligned: 100,
    yoursBroken: 0,
    stranger: 0,
  })
})

test('reports of another workspace are not there', async () => {
  await using stage = await reportStage()
  const { apiKey } = await stage.t.stranger()
  for (const path of ['reports', 'reports/days', 'reports/received'])
    await stage.t.get(`/v1/sending-domains/${stage.domain.id}/${path}`, 404, { as: { apiKey } })
})
