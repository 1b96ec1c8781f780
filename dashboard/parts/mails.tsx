// A table of mails, each with its state.

import type { Listed } from '../api.ts'
import { usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'
import { Breakable } from './breakable.tsx'
import type { Sorting } from './column-head.tsx'
import { Status } from './status.tsx'
import { type Column, Table } from './table.tsx'
import { Time } from './time.tsx'

const words = inLanguage(catalogue.parts.mails)

type Mail = Listed<'/v1/activity'>

interface Props {
  caption: string
  mails: Mail[]
  sorting?: Sorting | undefined
  showsKind?: boolean
}

export function Mails({ caption, mails, sorting, showsKind = false }: Props) {
  const { to } = usePlace()
  const kind: Column<Mail> = { name: words.kind, show: (one) => one.kind }
  return (
    <Table
      caption={caption}
      sorting={sorting}
      rows={mails}
      keyOf={({ messageId }) => messageId}
      hrefOf={({ messageId }) => to(`/activity/${messageId}`)}
      columns={[
        { name: words.status, show: (one) => <Status status={one.status} /> },
        { name: words.subject, show: (one) => one.subject || words.noSubject, isLink: true },
        { name: words.to, show: ({ email }) => <Breakable text={email} /> },
        ...(showsKind ? [kind] : []),
        { name: words.when, sort: '-createdAt', show: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
