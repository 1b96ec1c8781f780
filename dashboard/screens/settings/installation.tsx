// The installation: what is wrong with it, for its operators, and what only the command line on its server can do.

import { type Got, get, Refusal, toCall } from '../../api.ts'
import { Attention } from '../../parts/attention.tsx'
import { Code, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { ListRows, useList } from '../../parts/list.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma, moment, size } from '../../words.ts'
import { words } from './installation-words.ts'
import { Tabs } from './tabs.tsx'
import { words as settings } from './words.ts'

const path = '/v1/installation'

type Installation = Got<typeof path>

export default function InstallationPage() {
  const { workspace } = usePlace()
  return (
    <>
      <header class="title">
        <h1>{settings.tabs.installation}</h1>
        {workspace.role === 'owner' && <CopyCurl call={toCall('GET', path)} />}
      </header>
      <Tabs at="installation" />
      {workspace.role === 'owner' ? <State /> : <p class="notice">{settings.forOwners}</p>}
    </>
  )
}

function State() {
  const found = useLoaded('', async (signal) => {
    const [{ data }, installation] = await Promise.all([
      get('/v1/attention', {}, signal),
      get(path, {}, signal).catch(nullIfForbidden),
    ])
    return { items: data.filter(({ scope }) => scope === 'installation'), installation }
  })
  return (
    <>
      <p class="muted">{words.how}</p>
      <Show of={found}>
        {({ items, installation }) => (
          <>
            {installation && <InstallationFacts installation={installation} />}
            {items.length === 0 ? <p>{words.well}</p> : <Attention items={items} changed={found.reload} />}
            {items.some(({ code }) => code === 'sending_held') && <Waiting />}
          </>
        )}
      </Show>
      {commands.map(([title, how, command]) => (
        <section key={title}>
          <h2>{title}</h2>
          <p class="muted">{how}</p>
          <Code>{command}</Code>
        </section>
      ))}
    </>
  )
}

/** What waits in a database that is held, for a person to judge what of it has left already. */
function Waiting() {
  const { to } = usePlace()
  const mails = useList({
    screen: '/settings/installation',
    path: '/v1/held-mails',
    filters: [],
    load: (query, signal) => get('/v1/held-mails', { query }, signal),
  })
  return (
    <section>
      <header class="title">
        <h2>{words.waiting}</h2>
        <CopyCurl call={mails.call} />
      </header>
      <p class="muted">{words.waitingHow}</p>
      <ListRows of={mails} empty={<p>{words.noneWaits}</p>} emptyFiltered={words.noneWaits}>
        {({ data }) => (
          <Table
            caption={words.waiting}
            rows={data}
            keyOf={({ jobId }) => jobId}
            hrefOf={({ messageId, kind }) => to(messageId === null ? `/jobs?kind=${kind}` : `/activity/${messageId}`)}
            columns={[
              { name: words.subject, show: ({ subject, kind }) => subject || kind, isLink: true },
              { name: words.to, show: ({ email }) => email },
              { name: words.due, show: ({ dueAt }) => <Time at={dueAt} /> },
              { name: words.left, show: ({ mayHaveLeft }) => (mayHaveLeft ? words.mayHaveLeft : words.hasNotLeft) },
            ]}
          />
        )}
      </ListRows>
    </section>
  )
}

/** It is of owners of the first workspace. */
function nullIfForbidden(error: unknown): null {
  if (error instanceof Refusal && error.status === 403) return null
  throw error
}

function InstallationFacts({ installation: { version, backup: kept, held } }: { installation: Installation }) {
  const { last, schedule } = kept
  return (
    <Facts
      title={words.about}
      facts={[
        [words.version, version],
        [words.last, last === null ? words.none : `${moment(last.takenAt)}${comma}${size(last.sizeBytes)}`],
        [words.where, last?.path],
        [words.each, schedule ?? words.byHand],
        [words.sending, held === null ? words.sends : `${words.isHeld} ${moment(held.since)}${colon}${held.reason}`],
      ]}
    />
  )
}

const backup = `paquebot backup key > "$HOME/backup.key"
export BACKUP_RECIPIENT=$(sed -n 's/^# BACKUP_RECIPIENT=//p' "$HOME/backup.key")
paquebot backup "$HOME/backups"`

const commands = [
  [words.backup, words.backupHow, backup],
  [words.verify, words.verifyHow, 'paquebot verify "$HOME"/backups/*.age --identity "$HOME/backup.key"'],
  [words.resume, words.resumeHow, 'paquebot resume'],
  [words.doctor, words.doctorHow, 'paquebot doctor'],
] as const
