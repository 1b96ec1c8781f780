// The real engine as a process of its own: the app behind its HTTP server, on a database that outlives it. It is told by lines of standard
// input at which time to do what, and says so when it is done; it may be told to die at one of its commits, by SIGKILL.

import { createApp } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { Dispatcher } from '../../src/core/outbox/dispatcher.ts'
import { startServer } from '../../src/doors/listen.ts'
import { smtpTransport } from '../../src/mail/smtp-transport.ts'
import { jobKinds } from '../../src/operator/jobs.ts'
import { linesOf } from '../../tools/process.ts'
import { testClock } from '../support/clock.ts'
import { observing } from './observed.ts'
import { begin, type Call, type Order, type Place } from './scenes.ts'

const place: Place = JSON.parse(process.argv[2] ?? '{}')
const clock = testClock(begin)
const config = readConfig({ ...place.environment, PORT: '0', LOG_LEVEL: 'error' }, place.environment.DATA_DIR)
const app = await createApp(config, { clock, mailer: smtpTransport({ url: place.smtpUrl }) })
let commits = 0
let death: Order['death'] = null
const dieAt = (side: 'before' | 'after') => {
  if (death?.side === side && death.nth === commits) process.kill(process.pid, 'SIGKILL')
}
const writer = observing(app.database.writer, {
  beforeUnit() {
    commits++
    dieAt('before')
  },
  afterUnit: () => dieAt('after'),
})
Object.assign(app.database, { writer })
const dispatcher = new Dispatcher(app, { kinds: jobKinds, alone: place.isAlone, version: 'test' })
const vitals = { lastTickAt: () => dispatcher.lastTickAt(), inFlight: () => dispatcher.inFlight() }
const { url } = startServer(app, { port: 0, host: '127.0.0.1', vitals })

async function request(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${place.apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, answer: await response.json() }
}

/** A refusal changes nothing, and is no fault: what may be asked when is no part of the proof. */
async function expectAnswer(method: string, path: string, body?: unknown) {
  const { status, answer } = await request(method, path, body)
  if (status >= 500 || (status >= 400 && ![409, 422].includes(status)))
    throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  return answer
}

async function call(one: Call): Promise<void> {
  const own = `/v1/sequences/${place.sequenceId}`
  if ('tell' in one) {
    const eventProperties = { cart: one.key }
    await expectAnswer('POST', '/v1/events/send', { eventName: one.tell, email: one.who, eventProperties })
  } else if ('enrol' in one) await expectAnswer('POST', `${own}/enrol`, { emails: one.enrol })
  else if ('ask' in one) await expectAnswer('POST', `${own}/${one.ask}`, {})
  else if ('resolve' in one)
    await expectAnswer('POST', '/v1/jobs/resolve', { verdict: one.resolve, lane: 'mail.campaign' })
  else if ('act' in one) {
    const { data } = await expectAnswer('GET', `${own}/runs?email=${encodeURIComponent(one.who)}`)
    for (const { id } of data) await expectAnswer('POST', `${own}/runs/${id}/${one.act}`, {})
  } else {
    const { version } = await expectAnswer('GET', own)
    const definition = place.versions[version ?? 0]
    if (definition === undefined) return
    const draft = await expectAnswer('PATCH', own, { definition })
    const steps = one.publish
    const { contentHash } = steps === null ? draft : await expectAnswer('POST', `${own}/moves`, { steps })
    if (contentHash === undefined) return
    await expectAnswer('POST', `${own}/publish`, { contentHash, ...(steps === null ? {} : { steps }) })
  }
}

for await (const line of linesOf(Bun.stdin.stream())) {
  const order: Order = JSON.parse(line)
  clock.set(new Date(begin.getTime() + order.at * 60_000))
  for (const one of order.calls) await call(one)
  commits = 0
  death = order.death
  await dispatcher.rescue()
  await dispatcher.runDue()
  death = null
  process.stdout.write(`done ${commits}\n`)
}
process.exit(0)
