// A relay of the storms as a process of its own: it takes mail durably, a line each of its Message-ID, recipient and relay, and takes its time to
// answer. It is told by lines what to do when connections have come to a step of SMTP so many times: `die STEP TIMES`, or `stop STEP TIMES`: to say
// so, and to do no more there.
// Run: bun relay.ts NAME PORT FILE

import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { linesOf } from '../../tools/process.ts'
import { startSink } from '../support/smtp-sink.ts'

/** How long it takes to answer to a mail: some are always at their final dot. */
const answersAfterMs = 40

const [name = '', port = '0', path = ''] = process.argv.slice(2)
const file = openSync(path, 'a')
let told: { act: string; step: string; times: number } | null = null

const sink = startSink({
  port: Number(port),
  keep: false,
  async onStep(step) {
    if (told?.step === step && --told.times === 0) await meet(told.act, step)
    if (step === 'dot') await Bun.sleep(answersAfterMs)
  },
  onMessage({ raw, to }) {
    const id = /^Message-ID: *<([^>]*)>/im.exec(raw.subarray(0, 4_000).toString('latin1'))?.[1] ?? '?'
    writeSync(file, `${id} ${to.join(',')} ${name}\n`)
    fdatasyncSync(file)
  },
})

async function meet(act: string, step: string): Promise<void> {
  told = null
  if (act === 'die') process.kill(process.pid, 'SIGKILL')
  process.stdout.write(`stopped at ${step}\n`)
  await new Promise(() => {})
}

process.stdout.write(`listening on ${sink.port}\n`)
for await (const line of linesOf(Bun.stdin.stream())) {
  const [act = '', step = '', times] = line.split(' ')
  told = { act, step, times: Number(times) }
  process.stdout.write(`told ${line}\n`)
}
