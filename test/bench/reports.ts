// 1,000,000 rows of DMARC reports, in two reports of 500,000 from as many servers, brought by SMTP and counted, beside the floor: the same
// bytes unpacked, and read by a regular expression for their counts. `bun test/bench/reports.ts` prints seconds and the ratio.

import { gunzipSync } from 'node:zlib'
import { reportStage, reportXml, rowXml, selectorOf, sendingDomain, zipped } from '../support/reporter.ts'

const rows = 500_000
const reports = 2
/** The bar. */
const mostSeconds = 60

function report(at: Date, ours: string) {
  const list = Array.from({ length: rows }, (_, n) => {
    const ip = `2001:db8::${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}`
    const isOurs = n % 2 === 0
    return rowXml({
      ...{ ip, count: 1 + (n % 3), dkim: isOurs ? 'pass' : 'fail', envelope: ['in.example.net', 'pass'] },
      signatures: [isOurs ? [sendingDomain, ours, 'pass'] : ['other.example', 's1', 'pass']],
    })
  })
  return zipped(reportXml(at, list))
}

await using stage = await reportStage()
const reporter = await stage.reporter('receiver.example')
const parts = Array.from({ length: reports }, () => report(stage.t.app.clock.now(), selectorOf(stage.domain)))
const mails = await Promise.all(parts.map((part) => reporter.mail(stage.address, part)))

// What made the reports is swept before, so that its turn is not taken for ours.
Bun.gc(true)
let longest = 0
let lastTurn = performance.now()
const turns = setInterval(() => {
  longest = Math.max(longest, performance.now() - lastTurn)
  lastTurn = performance.now()
}, 1)
const began = performance.now()
for (const mail of mails) {
  const reply = await stage.bring(mail)
  if (!reply.startsWith('250 2.0.0 taken')) throw new Error(reply)
}
const took = (performance.now() - began) / 1_000
clearInterval(turns)

const floorBegan = performance.now()
let counted = 0
let unpackedBytes = 0
for (const { content } of parts) {
  const xml = gunzipSync(content).toString()
  unpackedBytes += xml.length
  for (const [, count = ''] of xml.matchAll(/<count>(\d+)<\/count>/g)) counted += Number(count)
}
const floor = (performance.now() - floorBegan) / 1_000

const { data } = await stage.days()
const { yoursAligned, yoursBroken, otherService, stranger } = data.at(-2)
const total = yoursAligned + yoursBroken + otherService + stranger
if (total !== counted) throw new Error(`${total} messages instead of ${counted}`)
const mib = (bytes: number) => Math.round(bytes / 1024 / 1024)
process.stdout.write(
  `reports, ${reports * rows} rows (${mib(unpackedBytes)} MiB of XML): ${took.toFixed(1)} s from DATA to 250 (at most ${mostSeconds} s), ${Math.round((reports * rows) / took)} rows/s; floor of gunzip and a regular expression ${floor.toFixed(1)} s: ratio ${(floor / took).toFixed(2)}; the longest turn of the loop ${Math.round(longest)} ms\n`,
)
if (took > mostSeconds) process.exitCode = 1
