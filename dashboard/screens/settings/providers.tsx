// Mail providers that report bounces and complaints here: each has an address of its own, shown once, with the secret in it.

import { useState } from 'preact/hooks'
import type { Provider } from '../../../src/features/sending/feedback/provider-signatures.ts'
import { type Got, get, put, toCall } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Once } from '../../parts/once.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { keys, names, words } from './provider-words.ts'
import { Tabs } from './tabs.tsx'
import { words as settings } from './words.ts'

const path = '/v1/provider-hooks'

type Hook = Got<typeof path>['data'][number]

export default function Providers() {
  const { mayChange } = usePlace()
  return (
    <>
      <header class="title">
        <h1>{settings.tabs.providers}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="providers" />
      <p class="muted">{words.how}</p>
      {mayChange ? <Hooks /> : <p class="notice">{words.forMembers}</p>}
    </>
  )
}

function Hooks() {
  const hooks = useLoaded('', (signal) => get(path, {}, signal))
  return (
    <>
      <Show of={hooks}>
        {({ data }) =>
          data.length === 0 ? <Empty says={words.empty} act={{ field: 'provider' }} /> : <HookTable hooks={data} />
        }
      </Show>
      <NewHook made={hooks.reload} />
    </>
  )
}

function HookTable({ hooks }: { hooks: Hook[] }) {
  return (
    <Table
      caption={settings.tabs.providers}
      rows={hooks}
      keyOf={({ provider }) => provider}
      columns={[
        { name: words.provider, show: ({ provider }) => names[provider as Provider] ?? provider },
        { name: words.topic, show: ({ topicArn }) => topicArn },
        { name: words.toDo, show: ({ confirmUrl }) => confirmUrl !== null && <a href={confirmUrl}>{words.confirm}</a> },
        { name: words.made, isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}

function NewHook({ made }: { made: () => void }) {
  const act = useAct()
  const [provider, setProvider] = useState<Provider>('ses')
  const [url, setUrl] = useState<string | null>(null)
  const create = (form: FormData) =>
    act.run(async () => {
      const given = (name: string) => String(form.get(name) ?? '').trim()
      const body = {
        provider,
        ...(given('verifyWith') && { verifyWith: given('verifyWith') }),
        ...(given('topicArn') && { topicArn: given('topicArn') }),
      }
      setUrl((await put(path, { body })).url)
      announce(words.madeIt)
      made()
    })
  return (
    <section>
      <h2>{words.add}</h2>
      {url !== null && (
        <Once title={words.address} how={words.addressHow}>
          {url}
        </Once>
      )}
      <Form key={url ?? ''} act={act} says={words.create} submit={create}>
        <label>
          {words.provider}
          <select
            name="provider"
            value={provider}
            onChange={(event) => setProvider(event.currentTarget.value as Provider)}
          >
            {Object.entries(names).map(([value, says]) => (
              <option key={value} value={value}>
                {says}
              </option>
            ))}
          </select>
        </label>
        {keys[provider] !== undefined && (
          <label>
            {words.verifyWith}
            <textarea name="verifyWith" rows={3} required spellcheck={false} />
            <small>{keys[provider]}</small>
          </label>
        )}
        {provider === 'ses' && (
          <label>
            {words.topicArn}
            <input
              name="topicArn"
              required
              autocomplete="off"
              placeholder="arn:aws:sns:eu-central-1:123456789012:mail"
            />
          </label>
        )}
      </Form>
    </section>
  )
}
