// All that is known of the reliability of the server, from the long storms to the tests: `bun run test:storm` runs everything,
// `bun run test:storm R5 R16` what proves those. Each line says what was promised and what was seen; docs/reliability.md keeps one run.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Storm {
  proves: string[]
  file: string
  args: string[]
}

const storm = (proves: string, file: string, args = ''): Storm => ({
  proves: proves.split(' '),
  file,
  args: args.split(' ').filter(Boolean),
})

/** The long forms, on files and on a libSQL server. What has none is proven by its tests. */
export const storms: Storm[] = [
  storm('R2', 'kill-serve.ts', '--mails 2000 --kills 20'),
  storm('R2', 'kill-serve.ts', '--smtp --mails 2000 --kills 20'),
  storm('R8', 'kill-serve.ts', '--soft --mails 2000 --kills 20'),
  storm('R2 R5', 'kill-serve.ts', '--mails 2000 --kills 20 --processes 2 --freeze 45'),
  storm('R8', 'kill-serve.ts', '--soft --mails 2000 --kills 20 --processes 2'),
  storm('R2', 'kill-events.ts'),
  storm('R2', 'kill-imports.ts', '--rows 100000 --kills 4'),
  storm('R2 R7', 'kill-webhooks.ts', '--mails 1000 --kills 20'),
  storm('R1', 'kill-campaign.ts', '--people 10000 --kills 200'),
  storm('R1', 'kill-sequences.ts', '--people 20000 --kills 100'),
  storm('R4', 'simulate.ts', '--seeds 2000'),
  storm('R17', 'kill-archive.ts', '--rounds 200'),
  storm('R16', 'soak.ts', '--minutes 30 --rate 200'),
  storm('R18', 'crowd.ts', '--http 10000 --smtp 1000'),
  storm('R19', 'kill-relays.ts', '--kills 200'),
  storm('R20', 'power-cut.ts', '--cuts 20 --on file'),
  storm('R20', 'power-cut.ts', '--cuts 20 --on strong'),
  storm('R20', 'power-cut.ts', '--cuts 20 --on relaxed'),
  storm('R21', 'take-over.ts', '--rounds 60 --s3'),
  storm('R21', 'take-over.ts', '--rounds 40'),
  storm('R22', 'move-live.ts', '--rounds 40'),
]

/** What each is about, in the order in which they are run. */
export const promises: Record<string, string> = {
  R1: 'A campaign or a sequence whose server is killed again and again mails everybody at most once, and lists who is uncertain',
  R2: 'What was acknowledged is there after a crash, whole, and once for one key',
  R3: 'A crash at any named point of accepting, sending and ending loses nothing',
  R4: 'Thousands of seeded runs with crashes, faults and jumps of the clock end as they should',
  R5: 'A process that was frozen longer than its lease changes nothing of what others did since',
  R6: 'A slow webhook endpoint does not slow the others',
  R7: 'Webhooks are tried when their plan says, under one id, and skipped ones can be sent again',
  R8: 'A soft stop under load loses and repeats nothing',
  R9: 'A locked file, a full disk and a failing one: 503, nothing half-written, and it goes on',
  R10: 'Every way in which a mail server can refuse, break off or be late ends as the table says',
  R11: 'A job that throws, or kills its process, does not stop the others',
  R12: 'Jumps of the clock, a change of summer time, and delays of months',
  R13: 'Any sequence of calls about contacts leaves what a model in memory has',
  R14: 'Equal calls at the same moment have one effect and equal answers',
  R15: 'A migration that is killed at any statement is completed by the next start',
  R16: 'Half an hour of steady work with a backup each minute: flat memory, small log, every backup restored',
  R17: 'A server that keeps an archive is killed again and again: whatever was acknowledged before a point is in what is restored to it',
  R18: 'Ten thousand idle connections and a thousand of mail leave the server answering within 200 ms, and nothing open when they are gone',
  R19: 'Relays and the server that are killed at every step of SMTP lose no mail, and none changes its relay after its final dot',
  R20: 'A power cut takes no unsubscribe, suppression or erasure that was answered, on a file and on a libSQL server that syncs each commit',
  R21: 'A standby takes over from a server that was killed, frozen, cut off from the store or stopped: nothing is lost but the last two seconds, and who lost the lease mails nobody',
  R22: 'An installation moves to a libSQL server and back while mail is sent and callers write: nothing is lost, nothing leaves twice, and a command that is killed leaves it served',
}

/** The files with a test that is named after this. */
export function testsOf(id: string): string[] {
  const root = join(import.meta.dir, '..')
  const named = new RegExp(`['"\`](?:[A-Z0-9]+, )*${id}(?:, [A-Z0-9]+)*: `)
  const files = [...new Bun.Glob('**/*.test.ts').scanSync({ cwd: root })]
  return files.filter((file) => named.test(readFileSync(join(root, file), 'utf8'))).sort()
}

/** The command that runs the tests of this name. */
const testCommand = (id: string) => [
  'test',
  '--timeout=120000',
  '-t',
  `${id}(, [A-Z0-9]+)*: `,
  ...testsOf(id).map((file) => `./test/${file}`),
]

async function run(command: string[], { quiet }: { quiet: boolean }): Promise<{ ok: boolean; said: string }> {
  const child = Bun.spawn(['bun', ...command], {
    cwd: join(import.meta.dir, '../..'),
    stdout: 'pipe',
    stderr: quiet ? 'pipe' : 'inherit',
  })
  const [said, told] = await Promise.all([
    new Response(child.stdout).text(),
    child.stderr ? new Response(child.stderr).text() : '',
  ])
  return { ok: (await child.exited) === 0, said: said + told }
}

/** `12 pass, 0 fail`, of what bun test says. */
const countsIn = (said: string) => [...said.matchAll(/^ *(\d+ (?:pass|fail))$/gm)].map(([, count]) => count).join(', ')

async function prove(id: string): Promise<boolean> {
  process.stdout.write(`\n${id}: ${promises[id]}\n`)
  const tests = await run(testCommand(id), { quiet: true })
  process.stdout.write(tests.ok ? `  tests: ${countsIn(tests.said)}\n` : tests.said)
  let ok = tests.ok
  for (const { file, args, proves } of storms) {
    if (proves[0] !== id) continue
    const { ok: held, said } = await run([`test/crash/${file}`, ...args], { quiet: false })
    process.stdout.write(`  ${said.trim()}${held ? '' : ' FAILED'}\n`)
    ok &&= held
  }
  return ok
}

if (import.meta.main) {
  const wanted = process.argv.slice(2)
  const unknown = wanted.find((id) => !(id in promises))
  if (unknown !== undefined) throw new Error(`there is no ${unknown}: R1 to R${Object.keys(promises).length}`)
  const failed: string[] = []
  for (const id of wanted.length > 0 ? wanted : Object.keys(promises)) if (!(await prove(id))) failed.push(id)
  process.stdout.write(failed.length === 0 ? '\nAll held.\n' : `\nFailed: ${failed.join(', ')}\n`)
  process.exit(failed.length === 0 ? 0 : 1)
}
