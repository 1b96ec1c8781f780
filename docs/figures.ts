// What pages say of speed, memory and size is drawn from the last run of the benchmarks that was kept (performance.json): a figure that a page
// marks with its name, `15,000<!-- accepted -->`, and the tables between `<!-- figures: send -->` and `<!-- end -->`. `bun run docs:figures`
// writes pages and plots anew; a test compares. What is no measurement is marked as what it is, `40 s<!-- limit -->`, or before its table or block.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Benchmark, type Row, tables } from './figure-tables.ts'
import kept from './performance.json' with { type: 'json' }
import { plots } from './plots.ts'

export const pages = [
  'README.md',
  ...['sizing', 'scaling', 'comparison', 'operating', 'performance', 'million'].map((name) => `docs/${name}.md`),
]
const root = join(import.meta.dir, '..')
/** All others. */
export const otherPages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((path) => !pages.includes(path))

function find(benchmark: Benchmark, pattern: RegExp): string[] {
  const found = pattern.exec(kept[benchmark].join('\n'))
  if (!found) throw new Error(`performance.json has no line of "${benchmark}" for ${pattern}`)
  return found.map((one) => one ?? '')
}

const written = (value: number) => value.toLocaleString('en-US')
/** The next run is another one, so two digits are enough. */
const rate = (...line: Parameters<typeof find>) => Number(Number(find(...line)[1]).toPrecision(2))
const exact = (...line: Parameters<typeof find>) => Number(find(...line)[1])

/** On paper: 100 million mails a day, and a peak of five times their mean. */
const mean = Number((100e6 / 86_400).toPrecision(3))
const peak = 5 * mean

const delivered = rate('deliver', /: (\d+)\/s from the outbox/)
const numbers = {
  accepted: rate('send', /64 in flight: (\d+)\/s accepted/),
  delivered,
  'delivered an hour': Number((3_600 * delivered).toPrecision(2)),
  signed: rate('campaign', /signed \(RSA-2048 and Ed25519\): (\d+)\/s/),
  webhooks: rate('webhooks', /(\d+) delivered\/s/),
  'idle MiB': exact('process', /(\d+) MiB idle/),
  'busy MiB': exact('process', /(\d+) MiB while/),
  'near accepted': rate('server', /0 ms, 1 process: (\d+)\/s accepted/),
  'near delivered': rate('server', /0 ms, 1 process: .*?(\d+)\/s delivered/),
  'far accepted': rate('server', /5 ms, 1 process: (\d+)\/s accepted/),
  'far delivered': rate('server', /5 ms, 1 process: .*?(\d+)\/s delivered/),
  'far accepted by two': rate('server', /5 ms, 2 processes: (\d+)\/s accepted/),
  'far delivered by two': rate('server', /5 ms, 2 processes: .*?(\d+)\/s delivered/),
  'far accepted by four': rate('server', /5 ms, 4 processes: (\d+)\/s accepted/),
  'far delivered by four': rate('server', /5 ms, 4 processes: .*?(\d+)\/s delivered/),
  mean,
  peak,
}
const figures = new Map(Object.entries(numbers).map(([name, value]) => [name, written(value)]))

function figure(name: string): string {
  const found = figures.get(name)
  if (found === undefined) throw new Error(`there is no figure "${name}" (docs/figures.ts)`)
  return found
}

/** What a day of 100 million mails takes, by the rates of one process. */
function paper(): string[][] {
  const { signed, accepted, webhooks } = numbers
  const share = (of: number) => [mean, peak].map((mails) => written(Math.ceil((mails / of) * 10) / 10))
  const megabytes = [mean, peak].map((mails) => `${Math.round(mails * 0.015)} MB/s`)
  return [
    ['', 'mean', 'peak of 5'],
    ['mails a second', written(mean), written(peak)],
    [
      `processes for delivery, signed, at ${written(signed)} mails a second each, with a core for signing beside each`,
      ...share(signed),
    ],
    [`cores for accepting, at ${written(accepted)} sends a second`, ...share(accepted)],
    ['to the relay, at 15 KB a mail', ...megabytes],
    [`cores for webhooks, one for each mail, at ${written(webhooks)} a second`, ...share(webhooks)],
  ]
}

const plain = (text: string) => Number(text.replaceAll(',', ''))
/** `{1.8 >= 2.2}` is `2.2: missed`; whole numbers are grouped. */
function cellOf(cell: string, found: string[]): string {
  return cell
    .replace(/\$(\d)/g, (_, at: string) =>
      /^\d{4,}$/.test(found[Number(at)] ?? '') ? written(Number(found[Number(at)])) : (found[Number(at)] ?? ''),
    )
    .replace(/\{([\d.,]+) ([<>])= ([\d.,]+)\}(.*)/, (_, value: string, sign: string, goal: string, unit: string) => {
      const isMet = sign === '<' ? plain(value) <= plain(goal) : plain(value) >= plain(goal)
      return `${goal}${unit}${isMet ? '' : ': missed'}`
    })
}

/** Of a benchmark of which no run was kept yet. */
const blankOf = (cell: string) => (cell.includes('{') ? '' : cell.includes('$') ? '–' : cell)

const rowOf = ([benchmark, line, ...cells]: Row) =>
  kept[benchmark].length === 0 ? cells.map(blankOf) : cells.map((cell) => cellOf(cell, find(benchmark, line)))

function tableOf(name: string): string {
  const table = tables[name]
  if (!table && name !== 'paper') throw new Error(`there is no table "${name}" (docs/figure-tables.ts)`)
  const [head = [], ...rows] = table ? [table.head, ...table.rows.map(rowOf)] : paper()
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

const marked = /[\d,]+<!-- (?!(?:limit|setting|goal|example|assumption|storm) -->)([\w ]+) -->/g
const drawn = /(<!-- figures: ([\w ]+) -->\n).*?(<!-- end -->)/gs

/** The page with its figures as they are. Throws for a name that is none. */
export function withFigures(page: string): string {
  return page
    .replaceAll(drawn, (_, begin: string, name: string, end: string) => `${begin}${tableOf(name)}${end}`)
    .replaceAll(marked, (_, name: string) => `${figure(name)}<!-- ${name} -->`)
}

const count = String.raw`(?:\d(?:[\d,.]*\d)?|(?:half an?|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|hundred|thousand|million)(?!\w))`
const unit = String.raw`(?:%|×|µs|us|ms|s|min|h|[KMGT]i?B(?:/s)?|(?:kilo|mega|giga)?bytes|per ?cent|microseconds?|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times)(?!\w)`
const per = String.raw`(?:(?:[\w-]+ ){0,2}[\w-]*/(?:s|sec|second|min|minute)|(?:[\w-]+ ){0,3}(?:an?|per) (?:second|minute|hour|day|month|mail|send))\b`
const share = String.raw`(?:half|an? (?:third|quarter|fifth|sixth|seventh|eighth|tenth|twelfth)|(?:two|three) (?:thirds|quarters|fifths|tenths))(?=<!--| (?:of|as|more|less)\b)`
const measure = new RegExp(
  String.raw`(?<![\w.,-])(?:${count}(?: ?(?:million|to|and|or|–|→|,) ?${count})*(?: million|k)?(?:[  -]|&nbsp;)?(?:${unit}|${per})|${share})`,
  'gi',
)

/** Of code only what is a figure and nothing else. */
const onlyMeasure = new RegExp(`^${measure.source}$`, 'i')

/** Stands behind a number, or alone before a table, a paragraph or a block of code. */
const kinds = '<!-- (?:limit|setting|goal|example|assumption|storm) -->'
const notMeasured = new RegExp(
  String.raw`^${kinds}\n(?:\`\`\`.*?^\`\`\`$|(?:.+\n)+)|(?:\`?${measure.source}\`?|[\d,.]+)${kinds}`,
  'gims',
)

/** Every number of time, rate, size or ratio that a page says neither by the name of a figure nor as something else, with its line. */
export function unmarkedFigures(page: string): string[] {
  const rest = page
    .replaceAll(drawn, '')
    .replaceAll(notMeasured, '')
    .replaceAll(marked, '')
    .replaceAll(/\]\([^)\s]*\)/g, ']')
    .replaceAll(/(?<!`)`([^`\n]+)`/g, (_, code: string) => (onlyMeasure.test(code) ? code : ''))
  return rest.split('\n').flatMap((line) => Array.from(line.matchAll(measure), ([found]) => `${found}: ${line}`))
}

const speedOrMemory = /(?:µs|us|ms|[KMGT]iB|microseconds?|milliseconds?|\/(?:s|sec|second)|(?:an?|per) second)$/i

/** The same of speed and of memory alone: elsewhere sizes and waits are limits and settings. */
export function unmarkedSpeeds(page: string): string[] {
  return unmarkedFigures(page).filter((found) => speedOrMemory.test(found.slice(0, found.indexOf(': '))))
}

interface Drawn {
  path: string
  /** As it is, and as it is drawn. */
  is: string
  becomes: string
}

/** Every page and plot. */
export function drawings(): Drawn[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const lines = Object.values(kept).flat().join('\n')
  return [
    ...pages.map((path) => ({ path, is: read(path), becomes: withFigures(read(path)) })),
    ...plots(lines).map(({ path, svg }) => ({ path, is: read(path), becomes: svg })),
  ]
}

if (import.meta.main) for (const { path, becomes } of drawings()) writeFileSync(join(root, path), becomes)
