// The numbers of an import before, during and after it, and the rows that it leaves out.

import { Facts } from '../../parts/facts.tsx'
import { Table } from '../../parts/table.tsx'
import { count } from '../../words.ts'
import { words } from './import-words.ts'

type Counted = { [Name in keyof typeof words.counts]?: number }

export function Counts({ title, of }: { title: string; of: Counted }) {
  const names = Object.keys(words.counts) as (keyof typeof words.counts)[]
  return <Facts title={title} facts={names.map((name) => [words.counts[name], of[name] && count(of[name])])} />
}

export function BadRows({ rows }: { rows: { line: number; reason: string; where?: string }[] }) {
  if (rows.length === 0) return null
  return (
    <section>
      <h2>{words.badRows}</h2>
      <Table
        caption={words.badRows}
        rows={rows}
        keyOf={({ line }) => String(line)}
        columns={[
          { name: words.line, show: ({ line, where }) => where ?? line, isFigure: true },
          { name: words.reason, show: ({ reason }) => reason },
        ]}
      />
    </section>
  )
}
