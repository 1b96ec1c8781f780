// API keys: what each may do and when it was last used. A new one is shown once, with a call that works; a revoked one is refused at once.

import { useState } from 'preact/hooks'
import { ofInstallation, type Scope, scopes } from '../../../src/people/access/scopes.ts'
import { get, type Listed, type Posted, post, remove, toCall, toCurl } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Code, CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Maker } from '../../parts/maker.tsx'
import { Once } from '../../parts/once.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { words } from './key-words.ts'
import { Tabs } from './tabs.tsx'
import { words as settings } from './words.ts'

const path = '/v1/api-keys'
const first = { method: 'POST', path, body: { name: 'Shop', scopes: ['transactional.send'] } }

type Key = Listed<typeof path>

export default function Keys() {
  const { workspace } = usePlace()
  const keys = useLoaded('', (signal) => get(path, {}, signal))
  const mayChange = workspace.role !== 'viewer'
  return (
    <>
      <header class="title">
        <h1>{settings.tabs.keys}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="keys" />
      <p class="muted">{words.how}</p>
      <Show of={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty says={words.empty} act={{ field: 'name' }}>
              <Code>{toCurl(first)}</Code>
            </Empty>
          ) : (
            <KeyTable keys={data} mayChange={mayChange} reload={keys.reload} />
          )
        }
      </Show>
      {mayChange && <NewKey made={keys.reload} />}
    </>
  )
}

function KeyTable({ keys, mayChange, reload }: { keys: Key[]; mayChange: boolean; reload: () => void }) {
  const act = useAct()
  const revoke = async ({ id, name }: Key) => {
    await remove(`${path}/:keyId`, { params: { keyId: id } })
    announce(words.revoked(name))
    reload()
  }
  const action: Column<Key> = {
    name: settings.action,
    show: (key) => (
      <AskFirst
        act={act}
        does={words.revoke}
        title={words.revokeTitle(key.name)}
        how={words.revokeHow}
        run={() => revoke(key)}
      />
    ),
  }
  return (
    <>
      <WhyNot act={act} />
      <Table
        caption={settings.tabs.keys}
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          { name: words.name, show: ({ name }) => name },
          { name: words.begins, show: ({ prefix }) => <code>{prefix}…</code> },
          { name: words.kind, isFigure: true, show: ({ test }) => (test ? words.test : words.real) },
          { name: words.may, isFigure: true, show: ({ scopes: granted }) => granted.join(comma) },
          { name: words.madeBy, isFigure: true, show: (key) => <Maker of={key} /> },
          { name: words.made, isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: words.lastUsed,
            isFigure: true,
            show: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Time at={lastUsedAt} />),
          },
          ...(mayChange ? [action] : []),
        ]}
      />
    </>
  )
}

type CreatedKey = Posted<typeof path>
type Reach = 'full' | 'send' | 'chosen'

const single = scopes.filter((scope) => scope !== 'full')
/** What only keys of the first workspace may have. */
const singleOf = ({ operator }: { operator: boolean }) =>
  operator ? single : single.filter((scope) => scope !== ofInstallation)

function NewKey({ made }: { made: () => void }) {
  const { workspace, reload } = usePlace()
  const act = useAct()
  const [reach, setReach] = useState<Reach>('full')
  const [key, setKey] = useState<CreatedKey | null>(null)
  const create = (form: FormData) =>
    act.run(async () => {
      const name = String(form.get('name')).trim()
      const test = workspace.test || form.has('test')
      setKey(await post(path, { body: { name, scopes: chosenScopes(reach, form), test } }))
      announce(words.madeIt)
      setReach('full')
      made()
      // With its first test key a workspace gets a test workspace.
      if (test) reload()
    })
  return (
    <section>
      <h2>{words.new}</h2>
      {key && <NewSecret apiKey={key.apiKey} />}
      <Form key={key?.id ?? ''} act={act} says={words.create} submit={create}>
        <label>
          {words.name}
          <input name="name" required maxLength={100} autocomplete="off" placeholder={words.nameExample} />
        </label>
        <label>
          {words.may}
          <select value={reach} onChange={(event) => setReach(event.currentTarget.value as Reach)}>
            {Object.entries(words.reaches).map(([value, says]) => (
              <option key={value} value={value}>
                {says}
              </option>
            ))}
          </select>
        </label>
        {!workspace.test && (
          <label class="check">
            <input type="checkbox" name="test" /> {words.forTests}
          </label>
        )}
        {reach === 'chosen' && (
          <fieldset class="columns">
            <legend>{words.scopes}</legend>
            {singleOf(workspace).map((scope) => (
              <label key={scope} class="check">
                <input type="checkbox" name="scopes" value={scope} /> {scope}
              </label>
            ))}
          </fieldset>
        )}
      </Form>
    </section>
  )
}

function chosenScopes(reach: Reach, form: FormData): Scope[] {
  if (reach === 'full') return ['full']
  if (reach === 'send') return ['transactional.send']
  return single.filter((scope) => form.getAll('scopes').includes(scope))
}

function NewSecret({ apiKey }: { apiKey: string }) {
  const check = toCurl(toCall('GET', '/v1/api-key')).replace('$PAQUEBOT_API_KEY', apiKey)
  return (
    <>
      <Once title={words.secret} how={words.secretHow}>
        {apiKey}
      </Once>
      <p>{words.check}</p>
      <Code>{check}</Code>
    </>
  )
}
