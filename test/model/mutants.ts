// What would go wrong in the engine if a line of it were wrong: each mutant is one, and something must find it: a trace that the model does not
// allow, or the test that is named. A text that is no longer in its file is an error, so the list stays that of the engine as it is.

import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshDirectory } from '../support/place.ts'
import { thisRoot } from './traces.ts'

export interface Mutant {
  /** What is broken. */
  name: string
  /** In src/features/sequences. */
  file: string
  text: string
  replacement: string
  /** For what no trace can show: the file of the test that does. */
  test?: string
}

const mutant = (file: string, name: string, text: string, replacement: string, test?: string): Mutant => {
  return { file, name, text, replacement, ...(test === undefined ? {} : { test }) }
}

export const mutants: Mutant[] = [
  mutant(
    'deliver.ts',
    'a mail that was told of a pause that is over waits for ever',
    "if (ending.state !== 'held' || states.get(id) === 'paused') continue",
    "if (ending.state !== 'held' || id !== '') continue",
    'sequence-order.test.ts',
  ),
  mutant(
    'deliver.ts',
    'the hand-over does not look at what happened',
    `const { stuck } = await takeSignalsFor(`,
    `const { stuck } = { stuck: new Set<string>() } as Awaited<ReturnType<typeof takeSignalsFor>>; void (`,
  ),
  mutant('deliver.ts', 'whoever has left is mailed', 'if (!run || run.endedAt !== null || run', 'if (!run || run'),
  mutant(
    'deliver.ts',
    'a paused sequence mails',
    `if (state === 'paused') return { outcome: 'hold'`,
    `if (state === 'never') return { outcome: 'hold'`,
    'sequence-order.test.ts',
  ),
  mutant(
    'deliver.ts',
    'a stopped sequence mails',
    `return state === 'active' ? null :`,
    `return state !== 'paused' ? null :`,
  ),
  mutant(
    'deliver.ts',
    'a mail that was sent does not move its person on',
    'if (run.endedAt === null) leave(run, situation, sent)',
    'if (run.endedAt === null) changes.line(run, now, sent)',
  ),
  mutant(
    'deliver.ts',
    'a mail that was sent after the end is not on the path',
    'else changes.line(run, now, sent)',
    'else void sent',
  ),
  mutant(
    'deliver.ts',
    'a lost answer counts as sent',
    `else if (state === 'ambiguous') {\n    run.reason = code`,
    `else if (state === 'ambiguous') {\n    return leave(run, situation, { outcome: 'sent', messageId: run.messageId })`,
  ),
  mutant(
    'deliver.ts',
    'a mail that is refused leaves its person where they are',
    `else if (code === hardBounce || code === suppressedCode) end(run, situation, 'exited', code)`,
    `else if (code === hardBounce || code === suppressedCode) return`,
  ),
  mutant(
    'take-signals.ts',
    'an exit does not end a run',
    'else if (exits.some(isFor)) end(',
    'else if (exits.length > 9) end(',
  ),
  mutant('take-signals.ts', 'a goal does not end a run', 'if (goals.some(isFor)) end(', 'if (goals.length > 9) end('),
  mutant(
    'take-signals.ts',
    'an event does not wake who waits for it',
    'run.dueAt = now\n    changes.change(run)',
    'changes.change(run)',
  ),
  mutant(
    'take-signals.ts',
    'an event that comes is not kept',
    'run.arrivedEventId = signal.eventId',
    'run.arrivedEventId = null',
  ),
  mutant(
    'take-signals.ts',
    'the event of one cart is for all',
    `return !('sameKey' in trigger && trigger.sameKey) || keyOf(of) === run.key`,
    `return run.key !== keyOf(of) || true`,
  ),
  mutant(
    'take-signals.ts',
    'nobody is woken for whom a signal moved',
    'await wakeDue(tx, moved)',
    'void wakeDue; void moved',
  ),
  mutant(
    'take-signals.ts',
    'signals are taken twice',
    'delete(sequenceSignals).where(sql`id IN ',
    'delete(sequenceSignals).where(sql`contact_id IS NULL AND id IN ',
  ),
  mutant(
    'begin.ts',
    'whoever is in a sequence begins it again',
    `if (alike.some(({ endedAt }) => endedAt === null)) return 'already_in'`,
    `if (alike.length > 9) return 'already_in'`,
  ),
  mutant(
    'begin.ts',
    'once is more than once',
    `if (alike.length > 0 && mode === 'never') return 'was_in'`,
    `if (alike.length > 9) return 'was_in'`,
  ),
  mutant('begin.ts', 'a run begins in the first version', 'version: sequence.version ?? 1,', 'version: 1,'),
  mutant(
    'begin.ts',
    'who begins by hand is not woken',
    "begun.filter((one) => typeof one === 'object'),\n  )",
    `begun.filter((one) => typeof one === 'string' && false) as never[],\n  )`,
  ),
  mutant(
    'advance.ts',
    'whoever is due goes on without a look at what happened',
    'const { anyTaken } = await takeSignalsFor(tx, page.workspace.id, contactIds)',
    'const anyTaken = contactIds.length > 1e9 && (await takeSignalsFor(tx, page.workspace.id, contactIds)).anyTaken',
    'sequence-order.test.ts',
  ),
  mutant(
    'advance.ts',
    'an event that came is not seen',
    `if (eventId !== null) leave(run, situation, { outcome: 'came'`,
    `if (eventId === '') leave(run, situation, { outcome: 'came'`,
  ),
  mutant(
    'advance.ts',
    'who waits in vain goes the wrong way',
    `{ outcome: 'did_not_come' }, 'otherwise')`,
    `{ outcome: 'did_not_come' })`,
  ),
  mutant(
    'moves.ts',
    'a step that is entered keeps the event of another',
    'run.arrivedEventId = null\n  run.postponedSince = null',
    'run.postponedSince = null',
  ),
  mutant(
    'moves.ts',
    'who is over is still due',
    'run.dueAt = null\n  run.postponedSince = null\n  run.gathered = null',
    'run.postponedSince = null\n  run.gathered = null',
  ),
  mutant(
    'moves.ts',
    'a wait takes no time',
    `if (step.type !== 'wait' && step.type !== 'digest') return now`,
    `if (step.type !== 'digest') return now`,
  ),
  mutant(
    'migrate.ts',
    'who is not named moves all the same',
    'return findStep(definition, stepId) === null ? undefined : stepId',
    'return findStep(definition, stepId) === null ? definition.steps[0]?.id : stepId',
  ),
  mutant('migrate.ts', 'who is taken out stays', `end(run, { changes, now }, 'exited', 'moved_out')`, `void end`),
  mutant('migrate.ts', 'who stays at a step waits anew', 'if (!isSameStep(was, step)) {', 'if (was !== step) {'),
  mutant(
    'migrate.ts',
    'who moves keeps the time of another step',
    'if (!isSameStep(was, step)) {',
    'if (was === undefined) {',
  ),
  mutant(
    'migrate.ts',
    'the first page of people is all',
    'const left = last === undefined || runs.length < size ? null : { ...moves, cursor: last }',
    'const left = last === undefined || runs.length < size ? null : null',
    'sequence-mails.test.ts',
  ),
  mutant('migrate.ts', 'whoever moves has the old version', 'run.version = version\n', ''),
  mutant(
    'page.ts',
    'nobody looks again when a page is done',
    'if (due !== null) await wakeSequence(tx, workspaceId, sequenceId, due)',
    'void due',
  ),
  mutant(
    'page.ts',
    'a stopped sequence keeps its people',
    "for (const run of runs) end(run, { changes, now: tx.now }, 'exited', 'stopped')",
    'for (const run of runs) void run',
  ),
  mutant(
    'page.ts',
    'a paused sequence moves people',
    `if (state !== 'active') return null\n  const workspace`,
    `if (state === 'draft') return null\n  const workspace`,
  ),
  mutant(
    'prepare.ts',
    'a mail is made and its person is not sending',
    `situation.changes.move(run, 'sending')`,
    `situation.changes.move(run, 'waiting')`,
  ),
  mutant('prepare.ts', 'a run does not know its mail', 'run.messageId = message.id', 'run.messageId = null'),
  mutant(
    'sequences.ts',
    'a pause does not hold the mails',
    'await hold(tx, deliveryPartition(after))\n  return after',
    'void hold\n  return after',
  ),
  mutant(
    'sequences.ts',
    'mails that were held stay so',
    'await release(tx, deliveryPartition(after))\n  await wakeSequence(tx, workspaceId, id)\n  return after\n}\n\n/** Nobody begins',
    'await wakeSequence(tx, workspaceId, id)\n  return after\n}\n\n/** Nobody begins',
  ),
  mutant(
    'run-acts.ts',
    'who is skipped is not woken',
    `if (run.state === 'waiting' && run.dueAt !== null) await wakeSequence(`,
    `if (run.state === 'failed' && run.dueAt !== null) await wakeSequence(`,
  ),
  mutant(
    'look-back.ts',
    'nobody looks back',
    'if (lookBack === undefined || waiting.length === 0) return new Map()',
    'if (waiting.length < 1e9) return new Map()',
  ),
]

/** Throws where the text is not there exactly once. */
export function mutated({ name, file, text, replacement }: Mutant): string {
  const source = readFileSync(join(thisRoot, 'src/features/sequences', file), 'utf8')
  const times = source.split(text).length - 1
  if (times !== 1) throw new Error(`the mutant "${name}" does not apply: its text is ${times} times in ${file}`)
  const broken = source.replace(text, () => replacement)
  // Throws for what is no program: that would be found by anything.
  new Bun.Transpiler({ loader: 'ts' }).transformSync(broken)
  return broken
}

/** A copy of the checkout with one mutant in it; `work` is given its root. */
export async function withMutant<T>(one: Mutant, work: (root: string) => Promise<T>): Promise<T> {
  const root = freshDirectory()
  try {
    const text = mutated(one)
    for (const part of [
      'src',
      'db',
      'test',
      'tools',
      'package.json',
      'tsconfig.json',
      'dashboard',
      'docs',
      'clients',
      'bunfig.toml',
    ])
      cpSync(join(thisRoot, part), join(root, part), { recursive: true, force: true })
    symlinkSync(join(thisRoot, 'node_modules'), join(root, 'node_modules'))
    writeFileSync(join(root, 'src/features/sequences', one.file), text)
    return await work(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Whether a test fails in that copy. */
export async function isFoundByTest(root: string, test: string): Promise<boolean> {
  const child = Bun.spawn([process.execPath, 'test', '--timeout=120000', `./test/${test}`], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return (await child.exited) !== 0
}
