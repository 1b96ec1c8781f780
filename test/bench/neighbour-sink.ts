// The mail server of neighbours.ts, a process of its own: tells when each mail of the neighbour arrived, and gives mail for tar.example
// no answer for 20 s.

import { startSink } from '../support/smtp-sink.ts'
import { neighbourDomain } from './neighbour-client.ts'

const tarpitMs = 20_000

const sink = startSink({
  keep: false,
  async answer(stage, _, { to }) {
    if (stage === 'rcpt' && to.endsWith('@tar.example')) await Bun.sleep(tarpitMs)
    return undefined
  },
  onMessage({ to: [to = ''] }) {
    if (to.endsWith(neighbourDomain)) process.stdout.write(`${to} ${performance.timeOrigin + performance.now()}\n`)
  },
})
process.stdout.write(`listening on ${sink.url}\n`)
