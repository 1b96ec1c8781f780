// Rules as sentences, each with a switch.

import { get, patch, toCall, toCurl } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListPage, useList } from '../../parts/list.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import type { Rule } from './draft.ts'
import { type Names, Read } from './sentence.tsx'
import { words } from './words.ts'

const path = '/v1/event-rules'
const lookAgainMs = 3_000
const first = toCall('POST', path, {
  body: { eventName: 'upgraded', action: 'update_contact', contactProperties: { plan: '{{event.plan|pro}}' } },
})

export async function namesOf(signal: AbortSignal): Promise<Names> {
  const [templates, lists] = await Promise.all([
    all((query) => get('/v1/transactional', { query }, signal)),
    all((query) => get('/v1/mailing-lists', { query }, signal)),
  ])
  const byId = (rows: { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]))
  return { templates: byId(templates), lists: byId(lists) }
}

const noNames: Names = { templates: new Map(), lists: new Map() }

export default function RuleList() {
  const { to, workspace } = usePlace()
  const act = useAct()
  const list = useList({
    screen: '/rules',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  useRepeat(list.cursor === '' ? lookAgainMs : null, list.page.reload)
  const names = useLoaded('names', namesOf).value ?? noNames
  const put = async (rule: Rule, enabled: boolean) => {
    await patch(`${path}/:ruleId`, { params: { ruleId: rule.id }, body: { enabled } })
    list.page.reload()
  }
  const turn = (rule: Rule) =>
    act.run(async () => {
      await put(rule, !rule.enabled)
      const says = rule.enabled ? words.switchedOff(rule.name) : words.switchedOn(rule.name)
      offerUndo(says, () => put(rule, rule.enabled))
    })
  const mayChange = workspace.role !== 'viewer'
  const state: Column<Rule> = {
    name: words.state,
    show: (rule) =>
      mayChange ? (
        <button
          type="button"
          role="switch"
          aria-checked={rule.enabled}
          aria-label={words.switchOf(rule.name)}
          disabled={act.isRunning}
          onClick={() => void turn(rule)}
        >
          {rule.enabled ? words.on : words.off}
        </button>
      ) : rule.enabled ? (
        words.on
      ) : (
        words.off
      ),
  }
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          {mayChange && (
            <p>
              <a class="button main" href={to('/rules/new')}>
                {words.create}
              </a>
            </p>
          )}
          <WhyNot act={act} />
        </>
      }
      emptyFiltered=""
      empty={
        <Empty says={words.empty} act={{ to: '/rules/new' }}>
          <Code>{toCurl(first)}</Code>
        </Empty>
      }
    >
      {({ data }) => (
        <Table
          caption={words.caption}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            state,
            {
              name: words.rule,
              show: (rule) => (
                <>
                  <a class="row-link" href={to(`/rules/${rule.id}`)}>
                    {rule.name}
                  </a>
                  <div>
                    <Read rule={rule} names={names} />
                  </div>
                </>
              ),
            },
            { name: words.changed, show: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}
