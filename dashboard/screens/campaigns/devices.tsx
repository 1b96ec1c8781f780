// On what kinds of devices people opened a campaign's mails and followed their links, as far as that can be told.

import type { Campaign } from '../../nouns.ts'
import { Table } from '../../parts/table.tsx'
import { count, inLanguage, locale } from '../../words.ts'
import { words as ofCampaigns } from './words.ts'

const words = inLanguage(catalogue.campaigns.devices)

const percent = new Intl.NumberFormat(locale, { style: 'percent' })
const kinds = ['mobile', 'desktop', 'proxy', 'unknown'] as const

const sumOf = (counts: Record<(typeof kinds)[number], number>) => kinds.reduce((sum, kind) => sum + counts[kind], 0)

export function Devices({ campaign: { devices, stats } }: { campaign: Campaign }) {
  const { opened, clicked } = devices
  const totals = { opened: sumOf(opened), clicked: sumOf(clicked) }
  if (totals.opened + totals.clicked === 0) return null
  const people = kinds.map((kind) => ({ key: kind, opened: opened[kind], clicked: clicked[kind], ofPeople: true }))
  const programs = {
    key: 'programs',
    opened: stats.machineOpened,
    clicked: stats.machineClicked,
    ofPeople: false,
  } as const
  const rows = [...people, programs].filter((row) => row.opened + row.clicked > 0)
  const figure = (n: number, of: number | null) => (of ? `${count(n)} (${percent.format(n / of)})` : count(n))
  // A nought of what nobody counts is no figure.
  const counted = (['opened', 'clicked'] as const).filter((what) => rows.some((row) => row[what] > 0))
  return (
    <section>
      <h2>{words.title}</h2>
      <p class="muted">{words.how}</p>
      <Table
        caption={words.title}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { name: words.device, show: ({ key }) => words[key] },
          ...counted.map((what) => ({
            name: ofCampaigns[what],
            isFigure: true,
            show: (row: (typeof rows)[number]) => figure(row[what], row.ofPeople ? totals[what] : null),
          })),
        ]}
      />
    </section>
  )
}
