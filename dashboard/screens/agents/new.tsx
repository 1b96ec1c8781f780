// A new agent: what it opens and what it may do there. Its secret is shown this once, within what its client needs.

import { useState } from 'preact/hooks'
import { get, post } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Once } from '../../parts/once.tsx'
import { usePlace } from '../../place.ts'
import type { Mailbox } from './agents.ts'
import { Connect } from './connect.tsx'
import { Danger } from './powers.tsx'
import { words } from './words.ts'

const mailboxScopes = ['read', 'reply'] as const
/** Of the routes that tools stand for. */
const workspaceScopes = [
  'activity.read',
  'campaigns.read',
  'contacts.read',
  'mailboxes.read',
  'campaigns.write',
  'contacts.write',
  'transactional.write',
  'campaigns.send',
] as const
const dayMs = 86_400_000

interface CreatedAgent {
  id: string
  secret: string
  scopes: string[]
  airlock: boolean
  mailbox: Mailbox | null
}

export default function NewAgent() {
  const { to } = usePlace()
  const mailboxes = useLoaded('', (signal) => get('/v1/mailboxes', {}, signal))
  const [made, setMade] = useState<CreatedAgent | null>(null)
  return (
    <>
      <p>
        <a class="back" href={to('/agents')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.create}</h1>
      </header>
      {made === null ? (
        <Show of={mailboxes}>{({ data }) => <Fields mailboxes={data} done={setMade} />}</Show>
      ) : (
        <Secret made={made} />
      )}
    </>
  )
}

function Secret({ made }: { made: CreatedAgent }) {
  const { to } = usePlace()
  const { secret, mailbox } = made
  return (
    <>
      <Once title={`${words.secret}.`} how={words.secretOnce}>
        {secret}
      </Once>
      <Danger agent={made} />
      <h2>{words.connect}</h2>
      <Connect path={mailbox === null ? '/mcp' : '/mailbox/mcp'} secret={secret} />
      <p>
        <a class="button" href={to(`/agents/${made.id}`)}>
          {words.go}
        </a>
      </p>
    </>
  )
}

function Fields({ mailboxes, done }: { mailboxes: Mailbox[]; done: (made: CreatedAgent) => void }) {
  const act = useAct()
  const [opens, setOpens] = useState(mailboxes[0]?.id ?? '')
  const mailbox = mailboxes.find(({ id }) => id === opens) ?? null
  const create = (form: FormData) =>
    act.run(async () => {
      const name = String(form.get('name')).trim()
      const chosen = form.getAll('scopes').map(String)
      const airlock = form.get('airlock') !== null
      if (mailbox === null) {
        const scopes = ['mcp' as const, ...workspaceScopes.filter((scope) => chosen.includes(scope))]
        const { id, apiKey } = await post('/v1/api-keys', { body: { name, scopes, airlock } })
        done({ id, secret: apiKey, scopes, airlock, mailbox })
        return
      }
      const days = Number(form.get('days'))
      const { id, token, scopes } = await post('/v1/mailboxes/:mailboxId/tokens', {
        params: { mailboxId: mailbox.id },
        body: {
          name,
          airlock,
          scopes: mailboxScopes.filter((scope) => chosen.includes(scope)),
          ...(days > 0 && { expiresAt: new Date(Date.now() + days * dayMs).toISOString() }),
        },
      })
      done({ id, secret: token, scopes, airlock, mailbox })
    })
  return (
    <Form act={act} says={words.make} submit={create}>
      <label>
        {words.name}
        <input name="name" required maxLength={100} autocomplete="off" placeholder={words.nameHint} />
      </label>
      <label>
        {words.opens}
        <select value={opens} onChange={(event) => setOpens(event.currentTarget.value)}>
          {mailboxes.map(({ id, address }) => (
            <option key={id} value={id}>
              {address}
            </option>
          ))}
          <option value="">{words.workspace}</option>
        </select>
        <span>{mailbox === null ? words.workspaceHow : words.mailboxHow}</span>
      </label>
      <fieldset key={opens}>
        <legend>{words.powers}</legend>
        {(mailbox === null ? workspaceScopes : mailboxScopes).map((scope) => (
          <label key={scope} class="check">
            <input type="checkbox" name="scopes" value={scope} defaultChecked={/read$|^reply$/.test(scope)} />{' '}
            <code>{scope}</code> {words.scopeWords[scope]}
          </label>
        ))}
      </fieldset>
      <label class="check">
        <input type="checkbox" name="airlock" defaultChecked />
        <span>
          {words.airlock} <span class="muted">{mailbox === null ? words.airlockKeyHow : words.airlockTokenHow}</span>
        </span>
      </label>
      {mailbox !== null && (
        <label>
          {words.days}
          <input name="days" type="number" min={1} max={3650} />
          <span>{words.daysHow}</span>
        </label>
      )}
    </Form>
  )
}
