// What a process counts and times about itself, in the text format of Prometheus (0.0.4). Counting is an addition to a number in a map: it
// is done for each request and each job. https://prometheus.io/docs/instrumenting/exposition_formats/

/** By the names of the labels. Their values are few: a lane, an outcome, an operation; never an address or an id. */
type Labels = Record<string, string>

interface Family {
  name: string
  says: string
}

/** Only grows. */
export class Counter {
  readonly #family: Family
  readonly #values = new Map<string, { value: number }>()

  constructor(name: string, says: string) {
    this.#family = { name, says }
  }

  add(labels: Labels, by = 1): void {
    this.of(labels).value += by
  }

  /** What is counted under these labels, for those who count often. */
  of(labels: Labels): { value: number } {
    return this.#values.getOrInsertComputed(labelText(labels), () => ({ value: 0 }))
  }

  lines(): string[] {
    const { name } = this.#family
    return [
      ...head(this.#family, 'counter'),
      ...[...this.#values].map(([labels, { value }]) => `${name}${braced(labels)} ${value}`),
    ]
  }
}

interface Observations {
  counts: number[]
  sum: number
  count: number
}

/** How long things take, in seconds: how many took at most as long as each bound. */
export class Histogram {
  readonly #family: Family
  readonly #bounds: number[]
  readonly #seen = new Map<string, Observations>()

  constructor(name: string, says: string, bounds: number[]) {
    this.#family = { name, says }
    this.#bounds = bounds
  }

  observe(labels: Labels, seconds: number): void {
    this.of(labels)(seconds)
  }

  /** Observes under these labels, for those who do it often. */
  of(labels: Labels): (seconds: number) => void {
    const seen = this.#seen.getOrInsertComputed(labelText(labels), () => ({
      counts: this.#bounds.map(() => 0),
      sum: 0,
      count: 0,
    }))
    return (seconds) => {
      const at = this.#bounds.findIndex((bound) => seconds <= bound)
      if (at !== -1) seen.counts[at] = (seen.counts[at] ?? 0) + 1
      seen.sum += seconds
      seen.count++
    }
  }

  lines(): string[] {
    return [
      ...head(this.#family, 'histogram'),
      ...[...this.#seen].flatMap(([labels, seen]) => this.#linesOf(labels, seen)),
    ]
  }

  #linesOf(labels: string, { counts, sum, count }: Observations): string[] {
    const { name } = this.#family
    const before = labels === '' ? '' : `${labels},`
    let upTo = 0
    const buckets = this.#bounds.map((bound, at) => {
      upTo += counts[at] ?? 0
      return `${name}_bucket{${before}le="${bound}"} ${upTo}`
    })
    return [
      ...buckets,
      `${name}_bucket{${before}le="+Inf"} ${count}`,
      `${name}_sum${braced(labels)} ${sum}`,
      `${name}_count${braced(labels)} ${count}`,
    ]
  }
}

/** A value that is read when it is asked for. */
export function gauge(name: string, says: string, values: [labels: Labels, value: number][]): string[] {
  return [
    ...head({ name, says }, 'gauge'),
    ...values.map(([labels, value]) => `${name}${braced(labelText(labels))} ${value}`),
  ]
}

/** A number that something else keeps, and that only grows. */
export function total(name: string, says: string, value: number): string[] {
  return [...head({ name, says }, 'counter'), `${name} ${value}`]
}

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const patient = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200, 43_200]

/** For `app.own()`. */
export function measures() {
  return {
    requests: new Counter('paquebot_http_requests_total', 'Requests by operation and status.'),
    submissions: new Counter('paquebot_smtp_submissions_total', 'Mails handed over by SMTP, by the code of the reply.'),
    submissionSignIns: new Counter('paquebot_smtp_sign_ins_total', 'Sign-ins over SMTP by outcome.'),
    requestSeconds: new Histogram('paquebot_http_request_seconds', 'From a request to its response.', quick),
    jobs: new Counter('paquebot_jobs_total', 'Attempts of jobs by lane, kind and outcome.'),
    jobSeconds: new Histogram('paquebot_job_seconds', 'How long an attempt of a job took.', patient),
    jobWaitSeconds: new Histogram(
      'paquebot_job_wait_seconds',
      'How long a job that was due waited for its turn.',
      patient,
    ),
    rescued: new Counter('paquebot_jobs_rescued_total', 'Jobs taken over from a process that ended.'),
    loopSeconds: new Histogram('paquebot_event_loop_delay_seconds', 'How late the event loop was.', quick),
  }
}

export type Measures = ReturnType<typeof measures>

const loopEveryMs = 250

/** Watches how late the event loop is, until the process ends. */
export function watchLoop({ loopSeconds }: Measures): void {
  let dueAt = performance.now() + loopEveryMs
  setInterval(() => {
    loopSeconds.observe({}, Math.max(0, performance.now() - dueAt) / 1_000)
    dueAt = performance.now() + loopEveryMs
  }, loopEveryMs).unref()
}

function head({ name, says }: Family, type: 'counter' | 'gauge' | 'histogram'): string[] {
  return [`# HELP ${name} ${says}`, `# TYPE ${name} ${type}`]
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

function labelText(labels: Labels): string {
  let text = ''
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escaped(labels[name] ?? '')}"`
  return text
}

function escaped(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value
}
