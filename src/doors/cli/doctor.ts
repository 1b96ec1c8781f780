// paquebot doctor: checks whether this installation is healthy, and if not, says what to look at.

import { sql } from 'drizzle-orm'
import { migrations } from '../../../db/migrations/list.ts'
import type { App } from '../../core/app.ts'
import { freeBytes, installationFiles } from '../../core/installation.ts'
import { outboxDepth } from '../../core/outbox/depth.ts'
import { checkInvariants } from '../../core/outbox/invariants.ts'
import { openToOthers } from '../../kit/private-file.ts'
import { sizeOf } from '../../kit/size.ts'
import { attentionOfAll, type Item } from '../../operator/attention/attention.ts'
import { type Area, areas } from '../../operator/attention/rule.ts'
import { isWritable } from '../../operator/health/health.ts'
import { jobKinds } from '../../operator/jobs.ts'
import { countOtherwiseSealed } from '../../operator/secrets.ts'
import { listWorkspaces } from '../../people/workspaces.ts'
import type { Check } from './check.ts'
import type { Paint } from './colour.ts'
import { columns, defineCommand } from './command.ts'
import { outsideChecks, submission } from './mail-checks.ts'
import { withApp } from './with-app.ts'

export const doctor = defineCommand({
  name: 'doctor',
  says: 'Checks the installation: database, files, mail server, DNS, outbox. Exit 1 if something is wrong.',
  flags: { local: { type: 'boolean', says: 'skip checks that need the network: mail server, DNS' } },
  run: ({ local }, config) =>
    withApp(config(), async (app) => {
      const checks = [
        await databaseIntegrity(app),
        await writing(app),
        await journalMode(app),
        await schemaVersion(app),
        files(app),
        await secrets(app),
        ...submission(app),
        ...(local ? [] : await outsideChecks(app)),
        ...(await attention(app)),
        await invariants(app),
      ]
      const ok = checks.every((check) => check.ok)
      return {
        json: { ok, checks },
        lines: (paint) =>
          columns(checks.map((one) => [labelOf(one), one.name, one.detail])).map((line, at) =>
            painted(line, checks[at], paint),
          ),
        ok,
      }
    }),
})

function labelOf({ ok, warning }: Check): string {
  return ok ? (warning ? 'warn' : 'ok') : 'BAD'
}

function painted(line: string, check: Check | undefined, paint: Paint): string {
  if (check === undefined) return line
  const label = labelOf(check)
  return (check.ok ? paint.good(label) : paint.bad(label)) + line.slice(label.length)
}

async function databaseIntegrity(app: App): Promise<Check> {
  const rows = await app.db.all<{ integrity_check: string }>(sql`PRAGMA integrity_check(5)`)
  const faults = rows.map((row) => row.integrity_check).filter((fault) => fault !== 'ok')
  return { name: 'database integrity', ok: faults.length === 0, detail: faults.join('; ') || 'no fault found' }
}

/** Tries a write, because with a full disk everything else still works. */
async function writing(app: App): Promise<Check> {
  const ok = await isWritable(app)
  return { name: 'writing', ok, detail: `the database can${ok ? '' : 'not'} be written` }
}

async function journalMode(app: App): Promise<Check> {
  if (app.database.kind === 'remote') return { name: 'database kind', ok: true, detail: 'libSQL server' }
  const [row] = await app.db.all<{ journal_mode: string }>(sql`PRAGMA journal_mode`)
  return { name: 'journal mode', ok: row?.journal_mode === 'wal', detail: String(row?.journal_mode) }
}

async function schemaVersion(app: App): Promise<Check> {
  const [row] = await app.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM migrations`)
  const applied = row?.count ?? 0
  const detail = `${applied} of ${migrations.length} migrations applied`
  return { name: 'schema', ok: applied === migrations.length, detail }
}

/** Files that other users of this machine can read. The next start of the server fixes the permissions of its own files. */
function files(app: App): Check {
  const open = installationFiles(app.config).flatMap((path) => {
    const mode = openToOthers(path)
    return mode === null ? [] : [`${path} has mode ${mode.toString(8)}`]
  })
  return {
    name: 'files',
    ok: open.length === 0,
    detail: open.join(', ') || `only their owner may read ${app.config.dataDir}`,
  }
}

/** Whatever is still sealed with a former secret is lost when that secret is removed. */
async function secrets(app: App): Promise<Check> {
  const name = 'secrets'
  const { former, unknown } = await countOtherwiseSealed(app)
  if (unknown > 0) return { name, ok: false, detail: `${unknown} stored values cannot be opened with any known secret` }
  if (former === 0) return { name, ok: true, detail: 'all stored secrets are encrypted with SECRET_KEY' }
  const detail = `${former} stored values are still encrypted with a previous secret: paquebot secret rotate`
  return { name, ok: true, warning: true, detail }
}

const maxNamed = 5

/** What the attention list tells, a check for each area: what is urgent ends doctor with 1, what is not should be known. */
async function attention(app: App): Promise<Check[]> {
  const items = await attentionOfAll(app, jobKinds)
  const slugs = new Map((await listWorkspaces(app)).map(({ id, slug }) => [id, slug]))
  const well = await describeWell(app)
  return areas.map((name): Check => {
    const own = items.filter(({ area }) => area === name)
    const ok = own.every(({ severity }) => severity !== 'urgent')
    if (own.length === 0) return { name, ok, detail: well[name] ?? 'all is well' }
    const byCode = [...Map.groupBy(own, ({ code }) => code).values()]
    return {
      name,
      ok,
      ...(ok && { warning: true }),
      detail: byCode.map((same) => describeItems(same, slugs)).join('; '),
    }
  })
}

/** Those of one code, as one sentence. */
function describeItems(items: Item[], slugs: Map<string, string>): string {
  const [{ text = '', todo = '' } = {}] = items
  const places = items.slice(0, maxNamed).map(({ workspaceId, thing, detail }) => {
    const slug = slugs.get(workspaceId ?? '')
    const name = thing && slug ? `${thing.name} (${slug})` : (thing?.name ?? slug)
    return [name, detail].filter(Boolean).join(': ')
  })
  const more = items.length > maxNamed ? [`and ${items.length - maxNamed} more`] : []
  return `${[text, [...places, ...more].join(', ')].filter(Boolean).join(': ')}. ${todo}`
}

/** What is told of an area while nothing is wrong with it. */
async function describeWell(app: App): Promise<Partial<Record<Area, string>>> {
  const { baseUrl, inboundDomain } = app.config
  const [free, depth] = [freeBytes(app.config), await outboxDepth(app)]
  const total = (state: string) => depth.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0)
  return {
    address: baseUrl,
    outbox: ['pending', 'held', 'running'].map((state) => `${total(state)} ${state}`).join(', '),
    ...(free !== null && { room: `${sizeOf(free)} are free` }),
    ...(inboundDomain !== undefined && { bounces: `come back to ${inboundDomain}` }),
  }
}

async function invariants(app: App): Promise<Check> {
  const broken = await checkInvariants(app)
  return { name: 'invariants', ok: broken.length === 0, detail: broken.join('; ') || 'all hold' }
}
