// Deliverability: the domains that mail is from, each with the DNS records to publish, their state, and what the last check found.

import { get, type Listed, post, remove, toCall, toCurl } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Code, CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { LinkDomainSection } from './link-domain.tsx'
import { AddDomain, LastCheck, Records, State } from './records.tsx'
import { words } from './words.ts'

const path = '/v1/sending-domains'
const first = { method: 'POST', path, body: { domain: 'mail.example.com' } }

type Domain = Listed<typeof path>
type DnsRecord = Domain['dnsRecords'][number]

export default function Domains() {
  const { workspace } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  const mayChange = workspace.role !== 'viewer'
  const add = async (domain: string) => {
    await post(path, { body: { domain } })
    page.reload()
  }
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <p class="muted">{words.how}</p>
      {mayChange && <AddDomain name="domain" label={words.add} example="mail.example.com" add={add} />}
      <Show of={page}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty says={words.empty} act={{ field: 'domain', says: words.add }}>
              <Code>{toCurl(first)}</Code>
            </Empty>
          ) : (
            data.map((domain) => (
              <DomainEntry key={domain.id} domain={domain} mayChange={mayChange} reload={page.reload} />
            ))
          )
        }
      </Show>
      <LinkDomainSection />
    </>
  )
}

interface Props {
  domain: Domain
  mayChange: boolean
  reload: () => void
}

const tones = { verified: 'good', failed: 'bad', pending: '' } as const

function DomainEntry({ domain, mayChange, reload }: Props) {
  const act = useAct()
  const { to } = usePlace()
  const params = { domainId: domain.id }
  const doing = (work: () => Promise<unknown>) => async () => {
    await work()
    reload()
  }
  const check = doing(() => post(`${path}/:domainId/verify`, { params }))
  return (
    <section class="records">
      <header class="title">
        <h2>
          {domain.domain} <span class={`status ${tones[domain.status]}`}>{words.status[domain.status]}</span>
        </h2>
        {mayChange && (
          <div class="actions">
            <button type="button" disabled={act.isRunning} onClick={() => void act.run(check)}>
              {words.check}
            </button>
            <AskFirst
              act={act}
              does={words.remove}
              title={words.removeTitle(domain.domain)}
              how={words.removeHow}
              typed={domain.domain}
              run={doing(() => remove(`${path}/:domainId`, { params }))}
            />
          </div>
        )}
      </header>
      <p>
        <a href={to(`/domains/${domain.id}`)}>{words.receivers}</a>
      </p>
      <LastCheck at={domain.checkedAt} />
      <WhyNot act={act} />
      {domain.detail !== null && <p class="notice">{domain.detail}</p>}
      <Logo of={domain} />
      <Records
        domain={domain.domain}
        records={domain.dnsRecords}
        stateOf={(record) => stateOf(domain, record)}
        useOf={(record) => words.uses[recordUse(domain, record)]}
      />
    </section>
  )
}

/** What some receivers show beside the mail; nobody needs it. */
function Logo({ of: { bimi, bimiDetail } }: { of: Domain }) {
  if (bimi === null) return null
  return (
    <p class="muted">
      {words.logo} <State of={bimi === 'missing' ? 'optional' : bimi} />{' '}
      {bimi === 'missing' ? words.noLogo : bimiDetail}
    </p>
  )
}

/** Nobody asks for a record that only brings reports. */
function stateOf(domain: Domain, record: DnsRecord) {
  const use = recordUse(domain, record)
  return use === 'tls' || use === 'welcome' ? 'optional' : domain[use]
}

/** What a record is for stands in its name. */
function recordUse(
  { domain }: Domain,
  { name }: DnsRecord,
): 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'tls' | 'welcome' {
  if (name.startsWith('_dmarc.')) return 'dmarc'
  if (name.startsWith('_smtp._tls.')) return 'tls'
  if (name.includes('._report._dmarc.')) return 'welcome'
  if (name.includes('._domainkey.')) return 'dkim'
  return name === domain ? 'spf' : 'ownership'
}
