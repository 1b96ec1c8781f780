// Rules: what answers of receivers mean. Own ones are written in order and tried on what was answered, before they are saved.

import { useState } from 'preact/hooks'
import { get, post, put, toCall } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useActOfLists } from './issues.ts'
import { Ordered } from './ordered.tsx'
import { blank, type Rule, toDraft, toGiven } from './rule.ts'
import { RuleFields } from './rule-fields.tsx'
import { BuiltIn, type Tried, TriedRules } from './rule-tables.tsx'
import { words } from './rule-words.ts'
import { Tabs } from './tabs.tsx'

const path = '/v1/receiver-rules'

export default function Rules() {
  const page = useLoaded('', (signal) => get(path, {}, signal))
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Tabs at="rules" />
      <p class="muted">{words.how}</p>
      <Show of={page}>
        {({ rules, builtIn }) => (
          <>
            <OwnRules key={JSON.stringify(rules)} stored={rules} reload={page.reload} />
            <BuiltIn rules={builtIn} />
          </>
        )}
      </Show>
    </>
  )
}

function OwnRules({ stored, reload }: { stored: Rule[]; reload: () => void }) {
  const act = useActOfLists(useAct())
  const [rules, setRules] = useState(() => stored.map(toDraft))
  const [tried, setTried] = useState<Tried | null>(null)
  const save = () =>
    act.run(async () => {
      await put(path, { body: { rules: rules.map(toGiven) } })
      announce(words.saved)
      reload()
    })
  const tryThem = () =>
    act.run(async () => setTried(await post(`${path}/try`, { body: { rules: rules.map(toGiven) } })))
  return (
    <>
      <Form act={act} says={words.save} submit={save} drawn={{ value: rules, set: setRules }}>
        {rules.length === 0 && <p class="muted">{words.none}</p>}
        <Ordered items={rules} set={setRules} nameOf={words.rule}>
          {(rule, at, change) => <RuleFields rule={rule} at={at} set={change} />}
        </Ordered>
        <div class="actions">
          <button type="button" onClick={() => setRules([...rules, blank])}>
            {words.add}
          </button>
          <button type="button" disabled={act.isRunning} onClick={() => void tryThem()}>
            {words.try}
          </button>
        </div>
      </Form>
      {tried !== null && <TriedRules tried={tried} />}
    </>
  )
}
