// Payments: the URL that the provider reports to, what it reported, and the result of each report: an event of a contact, or the reason why
// not.

import { useState } from 'preact/hooks'
import { type Got, get, type Listed, patch, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Code, Copy, CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { ChooseBy, type List, ListRows, useList } from '../../parts/list.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Status, statusWord } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { words } from './words.ts'

const settingsPath = '/v1/settings/integrations/payments'
const path = '/v1/payment-events'
const statuses = ['processed', 'ignored'] as const

type Settings = Got<typeof settingsPath>
type Received = Listed<typeof path>

export default function Payments() {
  const settings = useLoaded('', (signal) => get(settingsPath, {}, signal))
  const list = useList({
    screen: '/payments',
    path,
    filters: ['status'],
    load: ({ status, ...query }, signal) => {
      const chosen = statuses.find((one) => one === status)
      return get(path, { query: { ...query, ...(chosen && { status: chosen }) } }, signal)
    },
  })
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={list.call} />
      </header>
      <p class="muted">{words.how}</p>
      <Show of={settings}>
        {(one) => (
          <>
            <Connection settings={one} reload={settings.reload} />
            <Archive of={list} webhookUrl={one.webhook_url} />
          </>
        )}
      </Show>
    </>
  )
}

function Connection({ settings, reload }: { settings: Settings; reload: () => void }) {
  const { workspace } = usePlace()
  const { enabled, has_signing_secret: hasSecret, webhook_url: url, supported_events: types } = settings
  return (
    <section>
      <header class="title">
        <h2>
          {words.connection} <Status status={enabled ? 'active' : 'disabled'} />
        </h2>
      </header>
      <p>{words.address}</p>
      <Code>{url}</Code>
      <p class="muted">{hasSecret ? words.hasSecret : words.noSecret}</p>
      {workspace.role !== 'viewer' && <Change settings={settings} reload={reload} />}
      <details>
        <summary>{words.types(types.length)}</summary>
        <p>
          <code>{types.join(comma)}</code>
        </p>
      </details>
    </section>
  )
}

function Change({ settings, reload }: { settings: Settings; reload: () => void }) {
  const act = useAct()
  const [secret, setSecret] = useState('')
  const save = (form: FormData) =>
    act.run(async () => {
      const body = { enabled: form.has('enabled'), create_contacts: form.has('createContacts') }
      await patch(settingsPath, { body: secret === '' ? body : { ...body, signing_secret: secret.trim() } })
      setSecret('')
      announce(words.saved)
      reload()
    })
  return (
    <Form act={act} says={words.save} submit={save}>
      <label>
        {settings.has_signing_secret ? words.newSecret : words.secret}
        <input
          type="password"
          name="signingSecret"
          value={secret}
          maxLength={300}
          autocomplete="off"
          placeholder="whsec_…"
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
        <span>{words.secretHow}</span>
      </label>
      <label class="check">
        <input type="checkbox" name="enabled" defaultChecked={settings.enabled || !settings.has_signing_secret} />{' '}
        {words.enabled}
      </label>
      <label class="check">
        <input type="checkbox" name="createContacts" defaultChecked={settings.create_contacts} /> {words.makesContacts}
      </label>
    </Form>
  )
}

function Archive({ of, webhookUrl }: { of: List<Received>; webhookUrl: string }) {
  const { to, workspace } = usePlace()
  const act = useAct()
  const mayChange = workspace.role !== 'viewer'
  const again = (work: () => Promise<string>) => () =>
    void act.run(async () => {
      announce(await work())
      of.page.reload()
    })
  const one = async (paymentEventId: string) => {
    const { status } = await post(`${path}/:paymentEventId/reprocess`, { params: { paymentEventId } })
    return words.became(statusWord(status))
  }
  const all = async () => {
    const { tried, processed } = await post(`${path}/reprocess`)
    return words.tried({ tried, processed })
  }
  const action: Column<Received> = {
    name: words.action,
    show: ({ eventId, status }) =>
      status === 'ignored' && (
        <button type="button" class="quiet" disabled={act.isRunning} onClick={again(() => one(eventId))}>
          {words.again}
        </button>
      ),
  }
  const choices = statuses.map((status): [string, string] => [status, statusWord(status)])
  return (
    <section>
      <header class="title">
        <h2>{words.received}</h2>
        {mayChange && (
          <button type="button" disabled={act.isRunning} onClick={again(all)}>
            {words.allAgain}
          </button>
        )}
      </header>
      <ChooseBy of={of} name="status" label={words.status} choices={[['', words.any], ...choices]} />
      <WhyNot act={act} />
      <ListRows
        of={of}
        emptyFiltered={words.emptyFiltered}
        empty={
          <Empty says={words.empty} act={{ field: 'signingSecret', says: words.setUp }}>
            <Code>{tryOut(webhookUrl)}</Code>
          </Empty>
        }
      >
        {({ data }) => (
          <Table
            caption={words.received}
            rows={data}
            keyOf={({ eventId }) => eventId}
            columns={[
              { name: words.status, show: ({ status }) => <Status status={status} /> },
              { name: words.type, show: ({ type }) => type },
              { name: words.becameWhat, show: (row) => <Became received={row} to={to} /> },
              { name: words.id, show: ({ eventId }) => <Copy text={eventId} label={eventId} /> },
              { name: words.when, isFigure: true, show: ({ receivedAt }) => <Time at={receivedAt} /> },
              ...(mayChange ? [action] : []),
            ]}
          />
        )}
      </ListRows>
    </section>
  )
}

function Became({ received, to }: { received: Received; to: (path: string) => string }) {
  const { contactId, reason, conflict } = received
  return (
    <>
      {contactId !== null && <a href={to(`/contacts/${contactId}`)}>{words.event}</a>}
      {reason === 'no_contact' && words.noContact}
      {reason === 'unsupported_type' && words.unsupported}{' '}
      {conflict && <span class="status warn">{words.conflict}</span>}
    </>
  )
}

/** As the provider signs; the secret is theirs to fill in. */
function tryOut(url: string): string {
  return `BODY='{"id":"evt_1","type":"invoice.payment_failed","created":'$(date +%s)',"livemode":false,"data":{"object":
{"id":"in_1","customer":"cus_1","customer_email":"ada@example.net","amount_due":1500,"currency":"eur"}}}'
T=$(date +%s)
V=$(printf '%s.%s' "$T" "$BODY" | openssl dgst -sha256 -hmac "$SIGNING_SECRET" -r | cut -d' ' -f1)
curl -s '${url}' -H "Payments-Signature: t=$T,v1=$V" --data-binary "$BODY"`
}
