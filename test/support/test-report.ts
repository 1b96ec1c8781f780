// Reads what `bun test --reporter=junit` writes: how many tests passed, how long each file took, and what each failure says.

export interface TestReport {
  passed: number
  failed: number
  failures: Failure[]
  files: { name: string; seconds: number }[]
}

export interface Failure {
  /** The file and line, the groups and the test. */
  title: string
  message: string
}

const wholeReport = /<testsuites[^>]* tests="(\d+)"[^>]* failures="(\d+)"[^>]* skipped="(\d+)"/
const eachFile = /^ {2}<testsuite name="([^"]+)"[^>]* time="([\d.]+)"/gm
const eachFailure = /<testcase ([^>]*[^>/])>\s*<failure([^>]*?)(?:\/>|>([\s\S]*?)<\/failure>)/g

/** Null when there is none: the run ended before it was written. */
export function readReport(text: string): TestReport | null {
  const [, ran, failed, skipped] = wholeReport.exec(text) ?? []
  if (ran === undefined) return null
  return {
    passed: Number(ran) - Number(failed) - Number(skipped),
    failed: Number(failed),
    failures: [...text.matchAll(eachFailure)].map(([, test = '', failure = '', content]) => {
      const [name, group, file, line] = ['name', 'classname', 'file', 'line'].map((one) => attribute(test, one))
      const place = line === '' ? file : `${file}:${line}`
      return {
        title: [place, group, name].filter((one) => one !== '').join(' > '),
        message: unescaped(content ?? '').trim() || attribute(failure, 'message'),
      }
    }),
    files: [...text.matchAll(eachFile)].map(([, name = '', seconds]) => ({ name, seconds: Number(seconds) })),
  }
}

function attribute(attributes: string, name: string): string {
  return unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string | undefined) =>
    code === undefined ? (entities[name ?? ''] ?? all) : String.fromCodePoint(Number(code)),
  )
}
