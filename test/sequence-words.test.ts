// What the dashboard says of somebody in a sequence: every code that the API may answer has words, in English and in German.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { runStates } from '../db/tables/sequences.ts'
import { signalOf } from '../src/features/signals.ts'

const root = join(import.meta.dir, '..')

/** Where the functions of sequences say why: what ends or puts off a run, and what a step did. */
const places = [
  /'(?:completed|exited)', '(\w+)'/g,
  /(?:postpone|putOff|skip)\([^\n]*'(\w+)'\)/g,
  /(?:outcome|detail|reason): '(\w+)'/g,
  /skipped\('(\w+)'\)/g,
  /return '(was_in|already_in|too_soon|too_many_runs)'/g,
  /\['(?:unsubscribed|suppressed|failed|rate_guardrail|unconfirmed)', '(\w+)'\]/g,
]
const sources = ['sequences/*.ts', 'events/effects.ts', 'campaigns/eligibility.ts']
/** Outcomes of jobs, which no run has. */
const ofJobs = new Set(['hold', 'cancelled', 'defer'])

async function codes(): Promise<string[]> {
  const found = new Set<string>()
  for (const pattern of sources)
    for await (const path of new Bun.Glob(pattern).scan(join(root, 'src/features')))
      for (const place of places)
        for (const [, code = ''] of (await Bun.file(join(root, 'src/features', path)).text()).matchAll(place))
          found.add(code)
  return [...found].filter((code) => !ofJobs.has(code)).sort()
}

/** As a browser of that language has them. */
async function inWords(
  language: 'en' | 'de',
  asked: string[],
): Promise<{ reasons: string[]; outcomes: string[]; whys: string[] }> {
  const runs = runStates.flatMap((state) =>
    [null, 'goal', 'daily_cap', 'event:left'].flatMap((reason) =>
      [null, '2027-01-15T09:00:00.000Z'].map((dueAt) => ({ state, stepId: 'tips', reason, dueAt })),
    ),
  )
  const script = `
    const { textsOf } = await import('./languages/catalogue.ts')
    const { parseTree } = await import('./languages/parse.ts')
    globalThis.spoken = { language: '${language}', languages: {} }
    globalThis.catalogue = parseTree(textsOf('${language}', 'dashboard'))
    const { reasonInWords, outcomeInWords, whyInWords } = await import('./dashboard/screens/sequences/people-words.ts')
    const { asked, runs } = JSON.parse(process.env.ASKED)
    const whys = runs.flatMap((run) => [true, false].map((isPaused) => whyInWords(run, isPaused)))
    console.log(JSON.stringify({ reasons: asked.map(reasonInWords), outcomes: asked.map(outcomeInWords), whys }))`
  const env = { ...process.env, ASKED: JSON.stringify({ asked, runs }) }
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: root, env, stdout: 'pipe' })
  return (await new Response(child.stdout).json()) as Awaited<ReturnType<typeof inWords>>
}

test('every code of a run and of a step has words in both languages', async () => {
  const signals = [
    signalOf.event('left'),
    signalOf.joined('lst_1'),
    signalOf.left('lst_1'),
    signalOf.property('plan'),
    signalOf.segment('joined', 'seg_1'),
    signalOf.segment('left', 'seg_1'),
    signalOf.mail('clicked'),
    signalOf.mail('bounced'),
  ]
  const asked = [
    ...(await codes()),
    ...signals,
    'hardBounce',
    'complaint',
    'manual',
    'unsubscribe',
    'no_final_reply',
    'branch 2',
  ]
  expect(asked.length).toBeGreaterThan(40)
  for (const language of ['en', 'de'] as const) {
    const { reasons, outcomes } = await inWords(language, asked)
    const isCode = (code: string) => language === 'de' || /[_:.A-Z]/.test(code)
    const wordless = asked.filter((code, at) => reasons[at] === code && outcomes[at] === code && isCode(code))
    expect(wordless, language).toEqual([])
  }
})

test('in German nobody reads English of where they are', async () => {
  const { whys } = await inWords('de', [])
  for (const why of whys) expect(why).not.toMatch(/\b(the|they|until|step|goal)\b/i)
})
