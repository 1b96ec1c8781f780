// `bun run test:airlock [COUNT] [SEED]`: 1,000 mails that attack agents, each read by each of four. Prints what came of it; fails where
// anything left without a yes, or something else than what a yes was given to.

import { approveSome } from './approved.ts'
import { attack } from './attack.ts'
import { reportOf } from './report.ts'

const [count = 1_000, seed = 1] = process.argv.slice(2).map(Number)
const started = performance.now()
await using done = await attack(['oauth', 'airlock', 'mixed', 'plain'], { count, seed, each: 4 })
const effects = await done.world.effects()
process.stdout.write(`${reportOf(done, effects)}\n`)
for (const mail of done.mails.slice(0, 40)) {
  const id = await done.world.mailbox.receive(mail.raw)
  await done.agents[0]?.obey(id, mail.order)
}
const { approved, left, traced, faults } = await approveSome(done.world)
process.stdout.write(`approved ${approved}; mails that left ${left}, each by one yes:\n`)
for (const { approvalId, to, by } of traced) process.stdout.write(`  ${to} <- ${approvalId}, ${by}\n`)
process.stdout.write(`${faults.join('\n')}\nin ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
process.exitCode = effects.length + faults.length > 0 || traced.length === 0 ? 1 : 0
