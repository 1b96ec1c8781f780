// Shapes of what reports say, and the words for it.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { type domainReports, reportKinds, reportVerdicts } from '../../../../db/tables/reports.ts'
import { nullableText, oneOf, time } from '../../../core/http/wire.ts'
import { requirements, requiringReceivers } from '../../../mail/requirements.ts'
import { adviceCodes, type PolicyAdvice, type ReportDay, type ReportSource } from './days.ts'
import { evidenceKinds, type JudgedRequirement, requirementStates } from './requirements.ts'

const date = t.String({ format: 'date' })
export const verdict = oneOf(
  reportVerdicts,
  'yours_aligned: handed over here, and DMARC passed. yours_broken: handed over here, and DMARC did not pass. other_service: not handed over here, and DMARC passed: another service that the domain lets send. stranger: neither.',
)
const count = (description: string) => Type.Integer({ description })

export const daysView = t.Object({
  address: t.Union([t.String(), t.Null()], {
    description: 'Where reports about this domain are taken; null without `INBOUND_DOMAIN`.',
  }),
  data: t.Array(
    t.Object({
      day: date,
      handedOver: count('Mails from this domain that a server took on this day.'),
      complaints: count('Of these mails, those of which a complaint came.'),
      yoursAligned: count('Messages that receivers report.'),
      yoursBroken: Type.Integer(),
      otherService: Type.Integer(),
      stranger: Type.Integer(),
      tlsSessions: count('Sessions with which other servers brought mail to this domain.'),
      tlsFailures: count('Of these, those that were not encrypted as they should.'),
    }),
  ),
  advice: t.Object({
    code: oneOf(adviceCodes),
    text: t.String(),
    current: nullableText,
    record: t.Union([t.Object({ type: t.Literal('TXT'), name: t.String(), value: t.String() }), t.Null()], {
      description: 'What could be published instead. Nothing is changed by itself.',
    }),
  }),
})

export const sourceView = t.Object({
  day: date,
  reporter: t.String({ description: 'The domain that signed the report.' }),
  source: t.String({
    description: 'Address of the sending server; empty for those beyond the most that a day tells apart.',
  }),
  signer: t.String({ description: 'The key of its DKIM signature: `selector._domainkey.domain`; empty without one.' }),
  verdict,
  messages: Type.Integer(),
  quarantined: Type.Integer(),
  rejected: Type.Integer(),
})

export const receivedView = t.Object({
  id: t.String(),
  kind: oneOf(reportKinds, 'dmarc: aggregate report. tls: report about encryption. abuse: a complaint.'),
  reporter: t.String({
    description: 'The domain that signed it; of an unverified one, the domain that it says it is from.',
  }),
  verified: t.Boolean({
    description: 'Its DKIM signature is valid and aligned. Without that a report is kept and counts nowhere.',
  }),
  organization: t.String({ description: 'As the report says.' }),
  reportId: t.String(),
  beginsAt: time,
  endsAt: time,
  policy: t.Union([t.String(), t.Null()], { description: 'The policy of DMARC that the receiver found.' }),
  total: count('Messages, or sessions of TLS.'),
  others: count('Of these, those of other domains, which are not counted here.'),
  rows: Type.Integer(),
  lines: t.Array(
    t.Object({ source: t.String(), name: t.String(), verdict: t.Union([verdict, t.Null()]), count: Type.Integer() }),
    { description: 'Its largest lines: server and key of messages, result and server of sessions.' },
  ),
  createdAt: time,
})

export const requirementsView = t.Object({
  data: t.Array(
    t.Object({
      receiver: oneOf(requiringReceivers),
      requirement: oneOf(
        requirements,
        'authentication: SPF and DKIM. dmarc: a record of DMARC. alignment: From has the domain that SPF or DKIM vouches for. ptr: the sending address has a name that leads back to it. tls: mail is encrypted on its way. one_click: List-Unsubscribe with one click. complaints: under 0.1 %, never 0.3 %.',
      ),
      state: oneOf(requirementStates),
      since: t.Union([time, t.Null()], { description: 'Since when it is not met, as far as that is known.' }),
      evidence: oneOf(
        evidenceKinds,
        'refusal: a receiver said so within the last week; the detail is its last reply. dns: the last check of the records. reports: how many of your messages are aligned. complaints: their share of the mail of 30 days. built_in: every mail that needs it has it. none: nothing tells.',
      ),
      detail: nullableText,
    }),
  ),
})

export function toRequirement({ since, ...judged }: JudgedRequirement) {
  return { ...judged, since: since?.toISOString() ?? null }
}

const dateOf = (at: Date) => at.toISOString().slice(0, 10)

export function toDay({ day, handedOver, complaints, messages, tlsSessions, tlsFailures }: ReportDay) {
  return {
    day: dateOf(day),
    handedOver,
    complaints,
    yoursAligned: messages.yours_aligned,
    yoursBroken: messages.yours_broken,
    otherService: messages.other_service,
    stranger: messages.stranger,
    tlsSessions,
    tlsFailures,
  }
}

export function toAdvice({ code, text, current, record }: PolicyAdvice, domain: string) {
  const published = record === null ? null : { type: 'TXT' as const, name: `_dmarc.${domain}`, value: record }
  return { code, text, current, record: published }
}

export function toSource({ day, reporter, source, signer, verdict, messages, quarantined, rejected }: ReportSource) {
  return { day: dateOf(day), reporter, source, signer, verdict, messages, quarantined, rejected }
}

export function toReceived({
  workspaceId: _,
  domainId: __,
  beginsAt,
  endsAt,
  createdAt,
  ...report
}: typeof domainReports.$inferSelect): typeof receivedView.static {
  return {
    ...report,
    beginsAt: beginsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    createdAt: createdAt.toISOString(),
  }
}
