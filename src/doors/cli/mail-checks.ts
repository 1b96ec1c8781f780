// doctor's checks that need the network: would the relays accept ours, and do receivers trust our domain.

import { X509Certificate } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { sendingDomains } from '../../../db/tables/messages.ts'
import { relays } from '../../../db/tables/relays.ts'
import type { App } from '../../core/app.ts'
import { openRelayUrl, relayHosts } from '../../core/relays.ts'
import { dkimRecords } from '../../features/sending/domains/keys.ts'
import { day, second } from '../../kit/duration.ts'
import { type Bimi, checkBimi } from '../../mail/bimi.ts'
import { checkDkim, checkSpf, findDmarc } from '../../mail/dns-auth.ts'
import { causeTodo, toFaultCause } from '../../mail/fault-cause.ts'
import { isMxUrl } from '../../mail/mx/mx-url.ts'
import { aboutWhom } from '../../mail/refusal.ts'
import { type Failure, SmtpConnection } from '../../mail/smtp-connection.ts'
import { readSmtpUrl } from '../../mail/smtp-url.ts'
import { spfMechanisms } from '../../mail/spf-record.ts'
import { readPair } from '../../mail/tls-files.ts'
import { isCapturing } from '../../people/domain-owners.ts'
import type { Check } from './check.ts'
import { directSending } from './direct-checks.ts'

const withinMs = 5 * second
const timeouts = {
  connectMs: withinMs,
  greetingMs: withinMs,
  commandMs: withinMs,
  dataMs: withinMs,
  finalReplyMs: withinMs,
}

/** The checks that need the network: the mail servers and the DNS. */
export async function outsideChecks(app: App): Promise<Check[]> {
  const [ofRelays, sender] = await Promise.all([relayChecks(app), senderDomain(app)])
  return [...ofRelays, sender]
}

/** `id`: null for that of SMTP_URL. */
interface CheckedRelay {
  id: string | null
  name: string
  workspaceId: string | null
  url: string
}

/** One that fails while another carries its mail is no more than a warning, as in attention. */
async function relayChecks(app: App): Promise<Check[]> {
  const name = 'SMTP server'
  const { smtpUrl } = app.config
  const rows = await app.db.select().from(relays).where(eq(relays.state, 'active')).orderBy(asc(relays.id))
  const added = rows.map(async (row): Promise<CheckedRelay> => {
    return { ...row, name: `relay ${row.name}`, url: await openRelayUrl(app, row) }
  })
  const fixed = smtpUrl === undefined ? [] : [{ id: null, name, workspaceId: null, url: smtpUrl }]
  const all = [...fixed, ...(await Promise.all(added))]
  if (all.length === 0) return [{ name, ok: true, detail: 'SMTP_URL is unset: mail is captured, not sent' }]
  const checks = await Promise.all(all.map((relay) => checkRelay(app, relay)))
  return checks.map((check, at) => {
    const isCarried = checks.some((other, n) => other.ok && all[n]?.workspaceId === all[at]?.workspaceId)
    return !check.ok && isCarried ? { ...check, ok: true, warning: true } : check
  })
}

/** Everything up to the recipient: connection, STARTTLS, sign-in, MAIL FROM; then RSET. Sends nothing. */
async function checkRelay({ config, dns }: App, { id, name, url }: CheckedRelay): Promise<Check> {
  if (isMxUrl(url)) {
    const check = await directSending({ dns }, url)
    return id === null ? check : { ...check, name }
  }
  const options = readSmtpUrl(url)
  const { host, port, user } = options
  const place = `${host}:${port}`
  const connection = await SmtpConnection.open(options, { signal: new AbortController().signal, timeouts })
  if (!(connection instanceof SmtpConnection))
    return { name, ok: false, detail: `${place} ${failureText(connection, id)}` }
  const { isEncrypted } = connection
  const failure = await connection.tryOut(config.mailFrom.address)
  connection.close()
  if (failure) return { name, ok: false, detail: `${place} ${failureText(failure, id)}` }
  const how = [isEncrypted ? 'over TLS' : 'without TLS', ...(user === null ? [] : [`signed in as ${user}`])].join(', ')
  return { name, ok: true, detail: `${place} accepts mail from ${config.mailFrom.address} (${how})` }
}

/** How soon a certificate is to be renewed: those that renew themselves do it a month before their end. */
const renewWithinMs = 14 * day

/** Where applications hand over mail, and how long its certificate is good; nothing when that is off. */
export function submission({ config, clock }: Pick<App, 'config' | 'clock'>): Check[] {
  const { port, tlsPort, tls } = config.submission
  const places = [port === undefined ? [] : `port ${port}`, tlsPort === undefined ? [] : `port ${tlsPort} (TLS)`].flat()
  if (places.length === 0) return []
  const name = 'SMTP submission'
  const where = places.join(', ')
  if (tls === undefined) return [{ name, ok: true, detail: `${where}, without TLS, for this machine only` }]
  const { validTo } = new X509Certificate(readPair(tls).cert)
  const leftMs = new Date(validTo).getTime() - clock.now().getTime()
  const detail = `${where}; the certificate is good until ${new Date(validTo).toISOString().slice(0, 10)}`
  return [{ name, ok: leftMs > 0, ...(leftMs < renewWithinMs && { warning: true }), detail }]
}

function failureText(failure: Failure, relayId: string | null): string {
  if (failure.outcome === 'refused') {
    const about = aboutWhom({ ...failure, text: failure.reply })
    const cause = toFaultCause({ about, reply: failure.reply })
    const hint = cause === 'sender' ? '' : `. ${causeTodo(cause, relayId)}`
    return `refused at ${failure.stage.toUpperCase()}: ${failure.reply}${hint}`
  }
  const certificate = failure.reason === 'tls' && /certificate|altname/i.test(failure.detail)
  const url = relayId === null ? 'SMTP_URL' : 'its URL'
  const way = `every mail waits; install a trusted one, or add ?tls.rejectUnauthorized=false to ${url}`
  const hint = causeTodo(toFaultCause({ about: 'relay', reply: `${failure.stage}: ${failure.detail}` }), relayId)
  const what = certificate ? ` (its certificate is not trusted: ${way})` : `. ${hint}`
  return `failed at ${failure.stage}: ${failure.detail}${what}`
}

/** SPF and DMARC for the domain of MAIL_FROM, and DKIM if we sign for it. */
async function senderDomain(app: App): Promise<Check> {
  const name = 'sender'
  const { domain, address } = app.config.mailFrom
  if (isCapturing(app)) return { name, ok: true, detail: `${address}; mail is captured, not sent` }
  if (/(^|\.)(localhost|test|example|invalid|local|internal)$/.test(domain)) {
    const detail = `${domain} is not a name in the public DNS: no receiver accepts mail from it`
    return { name, ok: true, warning: true, detail }
  }
  const rows = await app.db.select().from(sendingDomains).where(eq(sendingDomains.domain, domain))
  const mechanisms = spfMechanisms(await relayHosts(app, null))
  const [spf, dmarc, dkim, bimi] = await Promise.all([
    checkSpf(app.dns, domain, mechanisms),
    findDmarc(app.dns, domain),
    rows.length > 0 ? checkDkim(app.dns, rows.flatMap(dkimRecords)) : unsigned(domain),
    checkBimi({ ...app, now: app.clock.now() }, domain),
  ])
  const logo = describeLogo(bimi)
  const faults = [spf, dkim, dmarc].flatMap(({ detail }) => detail ?? [])
  if (faults.length === 0) return { name, ok: true, detail: `${domain} has SPF, DKIM and DMARC${logo}` }
  const detail = `receivers may not trust mail from ${domain}: ${faults.join('; ')}${logo}`
  return { name, ok: true, warning: true, detail }
}

/** Nobody needs one, so it is never a warning. */
function describeLogo({ verdict, detail }: Bimi): string {
  if (verdict === 'missing') return ''
  const said = detail === null ? '' : `: ${detail}`
  return `. ${verdict === 'ok' ? 'Its logo (BIMI) may be shown' : 'Its logo (BIMI) is not shown, which harms no mail'}${said}`
}

function unsigned(domain: string) {
  return {
    verdict: 'missing' as const,
    detail: `no DKIM key for ${domain} here: add it as a sending domain, or sign at the relay`,
  }
}
