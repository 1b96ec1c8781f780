// The plots of docs/images, made of the lines of the last run of the benchmarks that was kept (docs/figures.ts writes them).

interface Bar {
  label: string
  value: number
  /** `ours` is the product; what it stands beside is grey. */
  ours: boolean
}

interface Group {
  label: string
  bars: Bar[]
}

interface Plot {
  name: string
  title: string
  unit: string
  groups: (lines: string) => Group[]
}

const width = 760
const left = 250
const right = 90
const barHeight = 16
const groupGap = 14
const top = 44

const number = (text = '') => Number(text.replaceAll(',', ''))

/** The bars of one line: each capture of `pattern` is a value, in the order of the labels; a `*` marks what is not ours. */
function group(lines: string, label: string, pattern: RegExp, labels: string[]): Group {
  const found = pattern.exec(lines)
  if (!found) throw new Error(`no line of "${label}"`)
  const bars = labels.map((name, index) => ({
    label: name.replace('*', ''),
    value: number(found[index + 1]),
    ours: !name.startsWith('*'),
  }))
  return { label, bars }
}

/** What a libSQL server carries, for each distance: one bar for each number of processes. */
function byDistance(lines: string, what: 'accepted' | 'delivered'): Group[] {
  const found = [
    ...lines.matchAll(/libSQL server, (\d+) ms, (\d+) process\w*: ([\d.]+)\/s accepted.*?, ([\d.]+)\/s delivered/g),
  ]
  if (found.length === 0) throw new Error('no line of the libSQL server')
  const groups = Map.groupBy(found, ([, ms]) => ms)
  return [...groups].map(([ms, some]) => ({
    label: `${ms} ms away`,
    bars: some.map(([, , processes, accepted, delivered]) => ({
      label: processes === '1' ? '1 process' : `${processes} processes`,
      value: number(what === 'accepted' ? accepted : delivered),
      ours: true,
    })),
  }))
}

const drawn: Plot[] = [
  {
    name: 'accepting',
    title: 'Accepted a second, each committed and synced',
    unit: '/s',
    groups: (lines) => [
      ...[64, 200].map((inFlight) =>
        group(
          lines,
          `sends, ${inFlight} in flight`,
          new RegExp(`send, ${inFlight} in flight: (\\d+)/s .*?floor (\\d+)/s`),
          ['ours', '*one insert a request'],
        ),
      ),
      ...[0, 1].map((endpoints) =>
        group(
          lines,
          endpoints === 0 ? 'events with a rule' : 'the same, told to a webhook',
          new RegExp(
            `events, 64 in flight, ${endpoints} endpoints: \\D*(\\d+)/s.*?floor of the same rows \\D*(\\d+)/s`,
          ),
          ['ours', '*the same rows'],
        ),
      ),
    ],
  },
  {
    name: 'delivering',
    title: 'Delivered a second, every state journalled',
    unit: '/s',
    groups: (lines) => [
      group(lines, 'mails from the outbox', /deliver \(.*?: (\d+)\/s .*?nodemailer pool (\d+)\/s/, [
        'ours',
        '*nodemailer, 10',
      ]),
      group(lines, 'a campaign', /campaign \(\d+ recipients, .*?: (\d+)\/s .*?nodemailer pool of 10 (\d+)\/s/, [
        'ours',
        '*nodemailer, 10',
      ]),
      group(lines, 'the SMTP client alone', /smtp \(.*?ours (\d+)\/s, with DKIM (\d+)\/s, nodemailer (\d+)\/s/, [
        'ours',
        'ours, signed twice',
        '*nodemailer',
      ]),
    ],
  },
  {
    name: 'webhooks',
    title: 'Webhooks delivered a second, to 50 endpoints',
    unit: '/s',
    groups: (lines) => [
      group(lines, 'with log and attempts', /webhooks: (\d+) delivered\/s .*?, (\d+)\/s of bare fetch/, [
        'ours',
        '*bare fetch + HMAC',
      ]),
    ],
  },
  {
    name: 'claim',
    title: 'A claim of 250 jobs, by how many wait',
    unit: ' ms',
    groups: (lines) =>
      (['in order', 'random'] as const).map((order) =>
        group(
          lines,
          `due times ${order}`,
          new RegExp(`claim 250 \\(due times ${order}\\): ([\\d.]+) ms of 10,000, ([\\d.]+) ms of`),
          ['of 10,000', 'of 1,000,000'],
        ),
      ),
  },
  ...(['accepted', 'delivered'] as const).map((what) => ({
    name: `server-${what}`,
    title: `On a libSQL server: ${what} a second`,
    unit: '/s',
    groups: (lines: string) => byDistance(lines, what),
  })),
]

function draw({ title, unit, groups }: Plot, lines: string): string {
  const all = groups(lines)
  const most = Math.max(...all.flatMap(({ bars }) => bars.map(({ value }) => value)))
  const scale = (width - left - right) / most
  let y = top
  const parts: string[] = []
  for (const { label, bars } of all) {
    parts.push(`<text class="group" x="8" y="${y + 12}">${escaped(label)}</text>`)
    for (const { label: name, value, ours } of bars) {
      const long = Math.max(1, value * scale)
      const shown = value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
      parts.push(
        `<text class="name" x="${left - 8}" y="${y + 12}">${escaped(name)}</text>`,
        `<rect class="${ours ? 'ours' : 'other'}" x="${left}" y="${y}" width="${long.toFixed(1)}" height="${barHeight - 3}" rx="2"/>`,
        `<text class="value" x="${(left + long + 6).toFixed(1)}" y="${y + 12}">${shown}${unit}</text>`,
      )
      y += barHeight
    }
    y += groupGap
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="${escaped(title)}">
<style>
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .name { text-anchor: end; fill: #57606a }
  .ours { fill: #0f766e }
  .other { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .name { fill: #9da7b3 }
    .ours { fill: #2dd4bf }
    .other { fill: #6e7681 }
  }
</style>
<text class="title" x="8" y="22">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Throws where the lines of the benchmarks lack one. */
export function plots(lines: string): { path: string; svg: string }[] {
  return drawn.map((plot) => ({ path: `docs/images/plot-${plot.name}.svg`, svg: draw(plot, lines) }))
}
