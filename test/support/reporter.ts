// A receiver that reports: its reports are signed with a key of its own that a resolver of the test knows, and brought by SMTP.

import { gzipSync } from 'node:zlib'
import { write } from '../../src/core/app.ts'
import { listenForMail } from '../../src/features/mailboxes/listen.ts'
import { dkimRecord, generateDkimKeys, importDkimKey, signDkim } from '../../src/mail/dkim.ts'
import type { ResolveDns } from '../../src/mail/verdicts.ts'
import { vouchFor } from '../../src/people/domain-owners.ts'
import { type Json, type TestApp, type TestAppOptions, testApp } from './app.ts'
import { smtpClient } from './smtp-client.ts'

export const sendingDomain = 'news.example'
const second = 1_000
const day = 86_400 * second

export interface Part {
  type?: string
  content: Buffer | string
}

interface Reporter {
  domain: string
  /** A signed mail with this as its only part. */
  mail(to: string, part: Part, from?: string): Promise<string>
}

export interface ReportStage extends AsyncDisposable {
  t: TestApp
  /** The sending domain `news.example`, as the API shows it. */
  domain: Json
  /** Its report address. */
  address: string
  /** TXT records that the resolver knows. */
  records: Map<string, string>
  reporter(domain: string): Promise<Reporter>
  /** Brings a mail; returns the last reply. */
  bring(raw: string, to?: string): Promise<string>
  days(): Promise<Json>
}

/** An installation that takes reports about a domain of its workspace. */
export async function reportStage(options: TestAppOptions = {}): Promise<ReportStage> {
  const records = new Map<string, string>()
  const resolveDns: ResolveDns = async (name, type) => {
    const text = records.get(name)
    if (type === 'TXT' && text !== undefined) return [[text]]
    throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  const t = await testApp({
    resolveDns,
    ...options,
    environment: { INBOUND_DOMAIN: 'in.example.net', ...options.environment },
  })
  const listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1' })
  const { id } = await t.post('/v1/sending-domains', { domain: sendingDomain }, 201)
  await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: sendingDomain }))
  const { data } = await t.get('/v1/sending-domains', 200)
  const { address } = await t.get(`/v1/sending-domains/${id}/reports/days`, 200)
  return {
    t,
    domain: data[0],
    address,
    records,
    async reporter(domain) {
      const { rsa } = await generateDkimKeys()
      const key = importDkimKey(rsa.privateKey, { algorithm: 'rsa-sha256', domain, selector: 's1' })
      records.set(`s1._domainkey.${domain}`, dkimRecord('rsa-sha256', rsa.publicKey))
      return {
        domain,
        mail: (to, part, from = `reports@${domain}`) => signed(key, { to, from, part, at: t.app.clock.now() }),
      }
    },
    async bring(raw, to = address) {
      using client = await smtpClient(listener.port)
      await client.toData(to)
      client.write(`${raw}\r\n.\r\n`)
      return await client.reply()
    },
    days: () => t.get(`/v1/sending-domains/${id}/reports/days`, 200),
    async [Symbol.asyncDispose]() {
      await listener.close()
      await t[Symbol.asyncDispose]()
    },
  }
}

async function signed(
  key: ReturnType<typeof importDkimKey>,
  { to, from, part, at }: { to: string; from: string; part: Part; at: Date },
): Promise<string> {
  const { type = 'application/gzip', content } = part
  const isMime = typeof content === 'string'
  const headers: [string, string][] = [
    ['From', from],
    ['To', to],
    ['Subject', 'Report Domain: news.example'],
    ['Date', at.toUTCString()],
    ['Message-ID', `<${crypto.randomUUID()}@reports.example>`],
    ['MIME-Version', '1.0'],
    ['Content-Type', type],
    ...(isMime ? [] : ([['Content-Transfer-Encoding', 'base64']] as [string, string][])),
  ]
  const text = isMime ? content : content.toString('base64').replace(/.{76}/g, '$&\r\n')
  const mime = await signDkim({ headers, body: [`${text}\r\n`] }, [key], at)
  const head = mime.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${head}\r\n${mime.body.join('')}`.trimEnd()
}

/** The same mail without its signature. */
export function unsigned(raw: string): string {
  return raw.replace(/^DKIM-Signature:.*(?:\r\n[ \t].*)*\r\n/im, '')
}

export interface ReportRow {
  ip?: string
  count?: number
  /** Of the policy. */
  dkim?: 'pass' | 'fail'
  spf?: 'pass' | 'fail'
  disposition?: string
  from?: string
  /** Signatures: domain, selector, result. */
  signatures?: [string, string, string][]
  /** SPF: domain, result. */
  envelope?: [string, string]
}

export function reportXml(
  at: Date,
  rows: (ReportRow | string)[],
  {
    id = crypto.randomUUID() as string,
    domain = sendingDomain,
    organization = 'Receiver',
    daysAgo = 1,
    root = '<feedback>',
  } = {},
): string {
  const begins = (Math.floor(at.getTime() / day) - daysAgo) * day
  const end = root.replace(/^<(\w+).*$/, '</$1>')
  return `<?xml version="1.0" encoding="UTF-8"?>
${root}
  <version>1.0</version>
  <report_metadata><org_name>${organization}</org_name><email>reports@${organization}.example</email><report_id>${id}</report_id>
    <date_range><begin>${begins / second}</begin><end>${(begins + day) / second - 1}</end></date_range></report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><pct>100</pct></policy_published>
${rows.map((row) => (typeof row === 'string' ? row : rowXml(row))).join('\n')}
${end}`
}

export function rowXml({
  ip = '192.0.2.1',
  count = 1,
  dkim = 'fail',
  spf = 'fail',
  disposition = 'none',
  from = sendingDomain,
  signatures = [],
  envelope,
}: ReportRow): string {
  const keys = signatures.map(
    ([domain, selector, result]) =>
      `<dkim><domain>${domain}</domain><selector>${selector}</selector><result>${result}</result></dkim>`,
  )
  const sender = envelope ? `<spf><domain>${envelope[0]}</domain><result>${envelope[1]}</result></spf>` : ''
  return `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row><identifiers><header_from>${from}</header_from></identifiers><auth_results>${keys.join('')}${sender}</auth_results></record>`
}

export const zipped = (xml: string): Part => ({
  type: 'application/gzip; name="report.xml.gz"',
  content: gzipSync(xml),
})

/** Of the keys of a sending domain, as the API shows it. */
export function selectorOf({ dnsRecords }: Json): string {
  return dnsRecords.find(({ name }: Json) => name.includes('._domainkey.')).name.split('.')[0]
}
