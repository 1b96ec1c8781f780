// What one workspace can do to another: a neighbour sends mail at a steady rate, alone and beside each kind of load of another workspace
// of the same server, in turns. Measured: how long its mail takes to be accepted, and from there to the mail server. The server, the
// neighbour, the mail server and the load are a process each. Run: bun test/bench/neighbours.ts [--seconds 5] [--rounds 3] [LOAD …]

import { parseArgs } from 'node:util'
import {
  addTemplate,
  type Beside,
  besideLoad,
  describeBeside,
  servingBeside,
  signIn,
  startMailServer,
  startSenders,
} from './beside.ts'
import { paquebot } from './neighbour.ts'
import { perSecond } from './neighbour-client.ts'
import { createLoads, databaseOf, type Sizes, seed } from './neighbour-loads.ts'

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
})
const seconds = Number(values.seconds ?? 5)
const rounds = Number(values.rounds ?? 3)
const mostRatio = 2
const sizes: Sizes = {
  rounds,
  contacts: 300_000,
  campaign: 30_000,
  replay: 10_000,
  persons: 6,
  importRows: 50_000,
  endpoints: 95,
}

const slug = 'bench'
let neighbourKey = ''
let link = ''
using mailServer = await startMailServer()
await using product = await servingBeside(mailServer, (directory) => {
  paquebot(directory, 'workspace', 'set-trust', '--workspace', slug, '--level', 'M1', '--cap', '999999999')
  seed(directory, { slug, sizes })
  paquebot(directory, 'workspace', 'create', '--slug', 'neighbour')
  neighbourKey = paquebot(directory, 'key', 'create', '--workspace', 'neighbour')
  link = paquebot(directory, 'user', 'login-link', '--email', 'a@example.com')
})
for (const key of [product.apiKey, neighbourKey]) await addTemplate(product.url, key)
using neighbour = startSenders(product, mailServer, [neighbourKey], seconds * perSecond)
const loads = createLoads({
  ...product,
  slug,
  cookie: await signIn(product, link),
  database: databaseOf(product.directory),
  sizes,
})
const wanted = loads.filter(({ name }) => positionals.length === 0 || positionals.some((one) => name.includes(one)))
// The first one warms up.
await neighbour.measure()
process.stdout.write(
  `neighbours: ${perSecond} mails a second, ${seconds} s, medians of ${rounds}; alone -> beside (ratio, at most ${mostRatio})\n`,
)
for (const load of wanted) {
  const all: Beside[] = []
  for (let round = 0; round < rounds; round++) all.push(await besideLoad(product, neighbour, load))
  const { line, worst } = describeBeside(all, 'neighbour')
  process.stdout.write(`neighbours, ${load.name}: ${line}\n`)
  if (worst > mostRatio) process.exitCode = 1
}
