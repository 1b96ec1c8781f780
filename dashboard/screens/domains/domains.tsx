// Deliverability: the domains that mail is from, each with the DNS records to publish, their state, and what the last check found.

import { get, type Listed, post, remove, toCall, toCurl } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Code, Copy, CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { LinkDomainSection } from './link-domain.tsx'
import { State } from './verdict.tsx'
import { words } from './words.ts'

const path = '/v1/sending-domains'
const first = { method: 'POST', path, body: { domain: 'mail.example.com' } }

type Domain = Listed<typeof path>
type DnsRecord = Domain['dnsRecords'][number]

export default function Domains() {
  const { workspace } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  const act = useAct()
  const mayChange = workspace.role !== 'viewer'
  const add = (form: HTMLFormElement) =>
    act.run(async () => {
      await post(path, { body: { domain: String(new FormData(form).get('domain')).trim() } })
      form.reset()
      page.reload()
    })
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <p class="muted">{words.how}</p>
      {mayChange && (
        <form
          class="filter"
          onSubmit={(event) => {
            event.preventDefault()
            void add(event.currentTarget)
          }}
        >
          <label>
            {words.add}
            <input name="domain" required maxLength={253} placeholder="mail.example.com" autocomplete="off" />
          </label>
          <button type="submit" disabled={act.isRunning}>
            {words.addIt}
          </button>
        </form>
      )}
      <WhyNot act={act} />
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
      {domain.checkedAt !== null && (
        <p class="muted">
          {words.checked} <Time at={domain.checkedAt} />
        </p>
      )}
      <WhyNot act={act} />
      {domain.detail !== null && <p class="notice">{domain.detail}</p>}
      <Logo of={domain} />
      <Table
        caption={words.records(domain.domain)}
        rows={domain.dnsRecords}
        keyOf={({ name, value }) => name + value}
        columns={[
          { name: words.state, show: (record) => <State of={stateOf(domain, record)} /> },
          { name: words.what, show: (record) => words.uses[recordUse(domain, record)] },
          { name: words.name, show: ({ type, name }) => <code>{`${type} ${name}`}</code> },
          { name: words.value, show: ({ value }) => <code>{value}</code> },
          {
            name: words.action,
            show: ({ name, value }) => (
              <>
                <Copy text={name} label={words.copyName} />
                <Copy text={value} label={words.copyValue} />
              </>
            ),
          },
        ]}
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
