// The installation: what is wrong with it, for those whose it is, and what only the command line on its server does.

import { get } from '../../api.ts'
import { Attention } from '../../parts/attention.tsx'
import { Code } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { words } from './installation-words.ts'
import { Tabs } from './tabs.tsx'
import { words as settings } from './words.ts'

export default function Installation() {
  const { workspace } = usePlace()
  return (
    <>
      <header class="title">
        <h1>{settings.tabs.installation}</h1>
      </header>
      <Tabs at="installation" />
      {workspace.role === 'owner' ? <State /> : <p class="notice">{settings.forOwners}</p>}
    </>
  )
}

function State() {
  const found = useLoaded('', (signal) => get('/v1/attention', {}, signal))
  return (
    <>
      <p class="muted">{words.how}</p>
      <Show of={found}>
        {({ data }) => {
          const items = data.filter(({ scope }) => scope === 'installation')
          return items.length === 0 ? <p>{words.well}</p> : <Attention items={items} />
        }}
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

const backup = `paquebot backup key > "$HOME/backup.key"
export BACKUP_RECIPIENT=$(sed -n 's/^# BACKUP_RECIPIENT=//p' "$HOME/backup.key")
paquebot backup "$HOME/backups"`

const commands = [
  [words.backup, words.backupHow, backup],
  [words.verify, words.verifyHow, 'paquebot verify "$HOME"/backups/*.age --identity "$HOME/backup.key"'],
  [words.resume, words.resumeHow, 'paquebot resume'],
  [words.doctor, words.doctorHow, 'paquebot doctor'],
] as const
