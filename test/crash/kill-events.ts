// kill -9 of `serve` while it is told events, again and again (R2). Each event makes a contact, sets a property, puts it on a list and
// schedules a mail: what was acknowledged is there once, with all of that; what was not is there wholly or not at all; and a repeat
// with the same key gets the same id. Run: bun test/crash/kill-events.ts --events 20000 --kills 100

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command, freePort, killAtRandom, serve } from './server.ts'

export interface EventStorm {
  events: number
  kills: number
  clients: number
}

export interface EventStormResult {
  acknowledged: number
  kills: number
  /** Told again after the last kill, with the same key: another answer than the first. */
  changed: number
  /** What is missing, half there or there twice. */
  faults: string[]
  /** Of `paquebot verify`. */
  broken: string[]
  seconds: number
}

interface Acknowledged {
  n: number
  eventId: string
  jobId: string
}

export async function eventStorm({ events, kills, clients }: EventStorm): Promise<EventStormResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-events-'))
  const environment = { ...process.env, DATA_DIR: directory, PORT: String(await freePort()), LOG_LEVEL: 'error' }
  const base = `http://127.0.0.1:${environment.PORT}`
  const { apiKey } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  let server = await serve(environment)
  const post = poster(base, apiKey)
  await arrange(post)

  let killed = 0
  const killer = (async () => {
    while (killed < kills) {
      server = await killAtRandom(server, environment)
      killed++
    }
  })()
  const acknowledged: Acknowledged[] = []
  let next = 0
  const client = async () => {
    while (next < events || killed < kills) acknowledged.push(await tell(post, next++))
  }
  await Promise.all(Array.from({ length: clients }, client))
  await killer
  const again = await Promise.all(acknowledged.slice(0, 50).map(({ n }) => tell(post, n)))
  const changed = again.filter(({ eventId, jobId }, i) => {
    return eventId !== acknowledged[i]?.eventId || jobId !== acknowledged[i]?.jobId
  }).length
  server.kill('SIGTERM')
  await server.exited
  const { violations } = await command(environment, 'verify')
  const faults = judge(directory, acknowledged)
  rmSync(directory, { recursive: true, force: true })
  const seconds = (performance.now() - began) / 1_000
  return { acknowledged: acknowledged.length, kills: killed, changed, faults, broken: violations, seconds }
}

type Post = (path: string, body: object, key?: string) => Promise<{ status: number; answer: Record<string, unknown> }>

function poster(base: string, apiKey: string): Post {
  return async (path, body, key) => {
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    if (key !== undefined) headers['idempotency-key'] = key
    const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
  }
}

async function arrange(post: Post): Promise<void> {
  const made = async (path: string, body: object) => {
    const { status, answer } = await post(path, body)
    if (status !== 201) throw new Error(`${path} was refused: ${JSON.stringify(answer)}`)
    return answer
  }
  const content = [{ type: 'text', text: 'Mail {{event.n}}' }]
  await made('/v1/transactional/create', { id: 'storm', name: 'Storm', subject: 'Storm', content })
  const { id } = await made('/v1/mailing-lists', { name: 'Storm' })
  const rule = { eventName: 'storm' }
  await made('/v1/event-rules', { ...rule, action: 'subscribe', mailingListId: id })
  await made('/v1/event-rules', { ...rule, action: 'update_contact', contactProperties: { seen: '{{event.n}}' } })
  const delay = { amount: 30, unit: 'd' }
  await made('/v1/event-rules', { ...rule, action: 'send_template', templateId: 'storm', delay })
}

/** Tells one event, with its key, until it is acknowledged. */
async function tell(post: Post, n: number): Promise<Acknowledged> {
  const body = { eventName: 'storm', email: `r${n}@example.net`, eventProperties: { n } }
  for (;;) {
    const reply = await post('/v1/events/send', body, `storm-${n}`).catch(() => null)
    if (reply?.status === 200) {
      const { eventId, jobs } = reply.answer as { eventId: string; jobs: { jobId: string }[] }
      return { n, eventId, jobId: jobs[0]?.jobId ?? '' }
    }
    if (reply && reply.status !== 503 && reply.status !== 409) throw new Error(JSON.stringify(reply.answer))
    await Bun.sleep(5)
  }
}

interface Effects {
  id: string
  email: string
  seen: number | null
  runs: number
  jobs: string | null
  subscriptions: number
  records: number
}

function judge(directory: string, acknowledged: Acknowledged[]): string[] {
  const database = new SQLite(join(directory, 'paquebot.db'), { readonly: true })
  const rows = database
    .query<Effects, []>(
      `SELECT e.id, c.email, c.properties ->> 'seen' AS seen,
        (SELECT count(*) FROM rule_runs r WHERE r.contact_id = c.id AND r.event_id = e.id) AS runs,
        (SELECT group_concat(j.id) FROM rule_runs r JOIN outbox_jobs j ON j.id = r.job_id WHERE r.contact_id = c.id) AS jobs,
        (SELECT count(*) FROM subscriptions s WHERE s.contact_id = c.id AND s.status = 'active') AS subscriptions,
        (SELECT count(*) FROM consent_records g WHERE g.contact_id = c.id) AS records
      FROM events e LEFT JOIN contacts c ON c.id = e.contact_id`,
    )
    .all()
  const count = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? -1
  const contacts = count('SELECT count(*) AS n FROM contacts')
  const listed = count('SELECT sum(contact_count) AS n FROM mailing_lists')
  database.close()
  const byEmail = Map.groupBy(rows, ({ email }) => email)
  const whole = ({ email, seen, runs, jobs, subscriptions, records }: Effects) =>
    email === `r${seen}@example.net` && runs === 3 && jobs?.length === 36 && subscriptions === 1 && records === 2
  return [
    ...rows.filter((row) => !whole(row)).map(({ id }) => `${id} is not whole`),
    ...[...byEmail].filter(([, told]) => told.length > 1).map(([email]) => `${email} was told twice`),
    ...acknowledged.flatMap(({ n, eventId, jobId }) => {
      const [row] = byEmail.get(`r${n}@example.net`) ?? []
      return row?.id === eventId && row.jobs === jobId ? [] : [`${eventId} of r${n} is lost`]
    }),
    ...(contacts === rows.length && listed === rows.length ? [] : [`${contacts} contacts, ${listed} on the list`]),
  ]
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { events: { type: 'string' }, kills: { type: 'string' } } })
  const storm = { events: Number(values.events ?? 20_000), kills: Number(values.kills ?? 100), clients: 8 }
  const { acknowledged, kills, changed, faults, broken, seconds } = await eventStorm(storm)
  for (const fault of [...faults.slice(0, 10), ...broken]) process.stdout.write(`${fault}\n`)
  process.stdout.write(
    `event storm: ${kills} kills, ${acknowledged} acknowledged, ${faults.length} lost or not whole, ${changed} repeats answered otherwise, ${seconds.toFixed(1)} s\n`,
  )
  process.exit(faults.length + changed + broken.length === 0 ? 0 : 1)
}
