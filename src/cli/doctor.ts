// paquebot doctor: checks whether this installation is healthy, and if not, says what to look at.

import { sql } from 'drizzle-orm'
import { migrations } from '../../db/migrations/list.ts'
import { openToOthers } from '../../db/private-file.ts'
import type { App } from '../app.ts'
import { freeBytes, hasRoom, isWritable } from '../http/health.ts'
import { installationFiles } from '../installation.ts'
import { outboxDepth } from '../outbox/depth.ts'
import { checkInvariants } from '../outbox/invariants.ts'
import { listSendingFaults } from '../outbox/sending-faults.ts'
import { describeHeld, heldState } from '../quarantine/quarantine.ts'
import { countOtherwiseSealed } from '../secrets.ts'
import { listUnprovenDomains } from '../workspaces/domain-owners.ts'
import { listWorkspaces } from '../workspaces/workspaces.ts'
import type { Check } from './check.ts'
import type { Paint } from './colour.ts'
import { columns, defineCommand } from './command.ts'
import { address, bounces, outsideChecks } from './mail-checks.ts'
import { withApp } from './with-app.ts'

export const doctor = defineCommand({
  name: 'doctor',
  says: 'Checks the installation: database, files, mail server, DNS, outbox. Exit 1 if something is wrong.',
  flags: { local: { type: 'boolean', says: 'skip checks that need the network: mail server, DNS' } },
  run: ({ local }, config) =>
    withApp(config(), async (app) => {
      const checks = [
        await databaseIntegrity(app),
        await room(app),
        await journalMode(app),
        await schemaVersion(app),
        files(app),
        await secrets(app),
        ...(local ? [] : await outsideChecks(app)),
        address(app),
        bounces(app),
        await domains(app),
        await quarantine(app),
        await sending(app),
        await outbox(app),
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

/** Tries a write, because with a full disk everything else still works; and reports the space left. */
async function room(app: App): Promise<Check> {
  const name = 'room'
  const free = freeBytes(app)
  const left = free === null ? '' : `${Math.floor(free / 1e6)} MB are free`
  if (!(await isWritable(app))) return { name, ok: false, detail: `the database cannot be written; ${left}` }
  return { name, ok: hasRoom(app), detail: left || 'the database can be written' }
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
  if (former === 0) return { name, ok: true, detail: 'all that is stored is sealed with SECRET_KEY' }
  const detail = `${former} stored values are still sealed with a former secret: paquebot secret rotate`
  return { name, ok: true, warning: true, detail }
}

const domainsNamed = 5

async function domains(app: App): Promise<Check> {
  const unproven = await listUnprovenDomains(app)
  const slugs = new Map((await listWorkspaces(app)).map(({ id, slug }) => [id, slug]))
  const named = unproven
    .slice(0, domainsNamed)
    .map(({ domain, workspaceId }) => `${domain} (${slugs.get(workspaceId)})`)
  const more = unproven.length > named.length ? ` and ${unproven.length - named.length} more` : ''
  const detail = `no workspace has proved that it owns: ${named.join(', ')}${more}; publish their record, or \`paquebot domain vouch\``
  return { name: 'domains', ok: unproven.length === 0, detail: unproven.length === 0 ? 'every owner is known' : detail }
}

/** A mail server that refuses a workspace, or all mail, as recorded by the running server. */
async function quarantine(app: App): Promise<Check> {
  const held = await heldState(app)
  const detail = held
    ? `nothing is sent: ${describeHeld(held)}; see paquebot resume`
    : 'the database is where it was last served'
  return { name: 'quarantine', ok: held === null, detail }
}

async function sending(app: App): Promise<Check> {
  const faults = await listSendingFaults(app, app.clock.now())
  const words = faults.map(({ scope, reply, since, heldUntil }) => {
    const what = heldUntil ? 'mail is held' : 'the mail server refuses this sender, and mail is delayed'
    return `${what} (${scope}) since ${since.toISOString()}: ${reply}`
  })
  return {
    name: 'sending',
    ok: faults.length === 0,
    detail: words.join('; ') || 'the mail server accepts mail',
  }
}

/** Dead and ambiguous jobs need an operator. */
async function outbox(app: App): Promise<Check> {
  // A webhook that its receiver never accepted is the receiver's fault; its delivery says so and can be replayed.
  const depth = (await outboxDepth(app)).filter(({ lane, state }) => lane !== 'webhook' || state !== 'dead')
  const total = (state: string) => depth.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0)
  const counts = ['pending', 'held', 'running', 'dead', 'ambiguous'].map((state) => `${total(state)} ${state}`)
  return { name: 'outbox', ok: total('dead') + total('ambiguous') === 0, detail: counts.join(', ') }
}

async function invariants(app: App): Promise<Check> {
  const broken = await checkInvariants(app)
  return { name: 'invariants', ok: broken.length === 0, detail: broken.join('; ') || 'all hold' }
}
