// The figures that pages draw from the last run of the benchmarks that was kept (performance.json). A page marks each of its own by the
// name: `15,000<!-- accepted -->`; a test holds them to it, and writes them anew with UPDATE_DOCS=1.

import kept from './performance.json' with { type: 'json' }

type Benchmark = keyof typeof kept

const drawn: Record<string, [benchmark: Benchmark, pattern: RegExp]> = {
  accepted: ['send', /64 in flight: (\d+)\/s accepted/],
  delivered: ['deliver', /: (\d+)\/s from the outbox/],
  signed: ['campaign', /signed \(RSA-2048 and Ed25519\): (\d+)\/s/],
  webhooks: ['webhooks', /(\d+) delivered\/s/],
  'idle MiB': ['process', /(\d+) MiB idle/],
  'busy MiB': ['process', /(\d+) MiB while/],
  'near accepted': ['server', /0 ms, 1 process: (\d+)\/s accepted/],
  'near delivered': ['server', /0 ms, 1 process: .*?(\d+)\/s delivered/],
  'far accepted': ['server', /5 ms, 1 process: (\d+)\/s accepted/],
  'far delivered': ['server', /5 ms, 1 process: .*?(\d+)\/s delivered/],
  'far accepted by two': ['server', /5 ms, 2 processes: (\d+)\/s accepted/],
  'far delivered by two': ['server', /5 ms, 2 processes: .*?(\d+)\/s delivered/],
  'far accepted by four': ['server', /5 ms, 4 processes: (\d+)\/s accepted/],
  'far delivered by four': ['server', /5 ms, 4 processes: .*?(\d+)\/s delivered/],
}

/** Rates are said with two digits: the next run is another one. Memory is said as it is. */
export const figures: Record<string, string> = Object.fromEntries(
  Object.entries(drawn).map(([name, [benchmark, pattern]]) => {
    const found = pattern.exec(kept[benchmark].join('\n'))?.[1]
    if (found === undefined) throw new Error(`performance.json has no line for "${name}"`)
    const value = Number(found)
    const said = name.endsWith('MiB') ? value : Number(value.toPrecision(2))
    return [name, said.toLocaleString('en-US')]
  }),
)

const marked = /([\d,]+)<!-- ([\w ]+) -->/g

/** The page with its marked figures as they are. Throws for a name that is none. */
export function withFigures(page: string): string {
  return page.replaceAll(marked, (_, __, name: string) => {
    const figure = figures[name]
    if (figure === undefined) throw new Error(`there is no figure "${name}" (docs/figures.ts)`)
    return `${figure}<!-- ${name} -->`
  })
}

/** Lines that tell what the product reaches in numbers of their own. */
export function unmarkedFigures(page: string): string[] {
  const measured =
    /(?<![\d,.])[\d,]*\d (?:sends|mails|webhooks|requests)? ?(?:accepted |delivered )?(?:a second)|\d (?:MiB|accepted\b|delivered\b)/
  return page.split('\n').filter((line) => measured.test(line.replaceAll(marked, '')))
}
