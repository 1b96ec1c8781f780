// On what kinds of devices people opened a campaign's mails and followed their links, as far as that can be told.

import type { Campaign } from '../../nouns.ts'
import { Table } from '../../parts/table.tsx'
import { count, inLanguage, language } from '../../words.ts'
import { words as ofCampaigns } from './words.ts'

const words = inLanguage(catalogue.campaigns.devices)

const percent = new Intl.NumberFormat(language, { style: 'percent' })
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
          {
            name: ofCampaigns.opened,
            isFigure: true,
            show: ({ opened, ofPeople }) => figure(opened, ofPeople ? totals.opened : null),
          },
          {
            name: ofCampaigns.clicked,
            isFigure: true,
            show: ({ clicked, ofPeople }) => figure(clicked, ofPeople ? totals.clicked : null),
          },
        ]}
      />
    </section>
  )
}
