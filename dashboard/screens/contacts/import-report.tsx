// What the export of another service contains besides people: lists, templates, properties, and what could not be read.

import type { Got } from '../../api.ts'
import { Facts } from '../../parts/facts.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { comma, count } from '../../words.ts'
import { words } from './import-words.ts'

type Import = Got<'/v1/contact-imports/:importId'>

export function Report({ of }: { of: NonNullable<Import['report']> }) {
  const { to } = usePlace()
  const { files, lists, templates, properties, refused, notes } = of
  return (
    <>
      <Facts
        title={words.holds}
        facts={[
          [words.read, files.map(({ name, entries }) => `${name} (${count(entries)})`).join(comma)],
          [words.properties, properties.map(({ name }) => name).join(comma)],
          [words.notes, notes.join('. ')],
        ]}
      />
      {lists.length > 0 && (
        <section>
          <h2>{words.lists}</h2>
          <Table
            caption={words.lists}
            rows={lists}
            keyOf={({ name }) => name}
            columns={[
              {
                name: words.name,
                show: ({ name, mailingListId }) =>
                  mailingListId === null ? name : <a href={to(`/lists/${mailingListId}`)}>{name}</a>,
              },
              { name: words.becomes, show: ({ isNew }) => (isNew ? words.newList : words.knownList) },
              { name: words.onIt, isFigure: true, show: ({ contacts }) => count(contacts) },
            ]}
          />
        </section>
      )}
      {templates.length > 0 && (
        <section>
          <h2>{words.templates}</h2>
          <Table
            caption={words.templates}
            rows={templates}
            keyOf={({ name }) => name}
            columns={[
              {
                name: words.name,
                show: ({ name, templateId }) =>
                  templateId === null ? name : <a href={to(`/templates/${templateId}`)}>{name}</a>,
              },
              { name: words.becomes, show: ({ converted }) => (converted ? words.draft : words.noDraft) },
              { name: words.reason, show: ({ problems }) => problems.join('; ') },
            ]}
          />
        </section>
      )}
      {refused.length > 0 && (
        <section>
          <h2>{words.refused}</h2>
          <Table
            caption={words.refused}
            rows={refused}
            keyOf={({ where, reason }) => where + reason}
            columns={[
              { name: words.where, show: ({ where }) => where },
              { name: words.reason, show: ({ reason }) => reason },
            ]}
          />
        </section>
      )}
    </>
  )
}
