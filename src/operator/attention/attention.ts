// The attention list: what is wrong, since when, how bad it is, and what to do. It is one list for the API, the dashboard, `paquebot
// attention`, `paquebot doctor` and /readyz. Reading it writes nothing and makes no outside request. Where no row tells when something
// began, rememberFirstSeen() stores when it was first seen, at the start and every hour.

import { eq, inArray } from 'drizzle-orm'
import { installation } from '../../../db/tables/workspaces.ts'
import { type App, type Reader, write } from '../../core/app.ts'
import type { Kinds } from '../../core/outbox/waiting.ts'
import { isTestWorkspace } from '../../kit/id.ts'
import type { Credential } from '../../people/access/auth.ts'
import { covers, type Scope } from '../../people/access/scopes.ts'
import { findFirstWorkspace, listWorkspaces, type Workspace } from '../../people/workspaces.ts'
import type { Vitals } from '../health/vitals.ts'
import { aboutInstallation } from './installation.ts'
import { aboutOutbox } from './outbox.ts'
import { type Rule, severities } from './rule.ts'
import { type Code, codes, type Finding, findingText, rules } from './rules.ts'
import { aboutWorkspace } from './workspace.ts'

export interface Item extends Finding, Omit<Rule, 'operator'> {
  since: Date
  /** Where it is explained. */
  docs: string
}

/** What is seen of the rest of the process. */
export interface Around {
  kinds: Kinds
  vitals?: Vitals | undefined
}

/** What concerns one workspace, worst first. `operator`: with what concerns the machine. */
export async function listAttention(
  app: App,
  workspace: Workspace,
  { kinds, vitals, operator }: Around & { operator: boolean },
): Promise<Item[]> {
  const found = [...(await aboutInstallation(app, vitals)), ...(await ofWorkspace(app, workspace, kinds))]
  return await toItems(
    app,
    found.filter(({ code }) => operator || !rules[code].operator),
  )
}

/** What concerns the installation as such. */
export async function attentionOfInstallation(app: App, vitals?: Pick<Vitals, 'lastTickAt'>): Promise<Item[]> {
  return await toItems(app, await aboutInstallation(app, vitals))
}

/** All items, of every workspace except test workspaces. */
export async function attentionOfAll(app: App, kinds: Kinds): Promise<Item[]> {
  const found = await aboutInstallation(app)
  const real = (await listWorkspaces(app)).filter(({ id }) => !isTestWorkspace(id))
  for (const workspace of real) found.push(...(await ofWorkspace(app, workspace, kinds)))
  return await toItems(app, found)
}

/** The machine is the business of the operator: on the command line, and as an owner of the first workspace, or with a key of theirs that has the scope. */
export async function isOperator(
  reader: Reader,
  workspace: Workspace,
  credential: Credential,
  scope: Scope = 'full',
): Promise<boolean> {
  if (credential.kind === 'operator') return true
  if ((await findFirstWorkspace(reader))?.id !== workspace.id) return false
  if (credential.kind === 'source' || credential.role !== 'owner') return false
  return credential.kind === 'session' || covers(credential.scopes, scope)
}

async function ofWorkspace(app: App, workspace: Workspace, kinds: Kinds): Promise<Finding[]> {
  const waiting = await aboutOutbox(app, workspace.id, kinds)
  // Of one that is suspended it is said why.
  const late = workspace.suspendedAt === null ? waiting : waiting.filter(({ code }) => code !== 'jobs_late')
  return [...(await aboutWorkspace(app, workspace)), ...late]
}

/** Whatever is late while nothing is sent is late for that reason. */
const causes: Code[] = ['sending_held', 'server_off', 'dispatcher_stopped', 'mail_held']

async function toItems(app: App, found: Finding[]): Promise<Item[]> {
  const seen = await firstSeen(app)
  const isExplained = found.some(({ code }) => causes.includes(code))
  const items = found
    .filter(({ code }) => !isExplained || (code !== 'jobs_late' && code !== 'endpoint_late'))
    .map((one): Item => {
      const { operator: _, ...rule } = rules[one.code]
      const since = one.since ?? seen.get(one.code) ?? app.clock.now()
      return { ...rule, ...findingText(one), ...one, since, docs: `docs/attention.md#${one.code}` }
    })
  const rank = ({ severity }: Item) => severities.indexOf(severity)
  return items.sort((one, other) => rank(one) - rank(other) || one.since.getTime() - other.since.getTime())
}

const memoryName = (code: Code) => `attention ${code}`

/** When each item of the installation was first seen. */
async function firstSeen(reader: Reader): Promise<Map<Code, Date>> {
  const rows = await reader.db
    .select()
    .from(installation)
    .where(inArray(installation.name, codes.map(memoryName)))
  const times = new Map(rows.map(({ name, updatedAt }) => [name, updatedAt]))
  return new Map(
    codes.flatMap((code) => {
      const at = times.get(memoryName(code))
      return at === undefined ? [] : [[code, at]]
    }),
  )
}

/** Stores the new items, and deletes those that are over. */
export async function rememberFirstSeen(app: App): Promise<void> {
  const timeless = (await aboutInstallation(app)).filter(({ since }) => since === null)
  const now = new Set(timeless.map(({ code }) => code))
  const before = await firstSeen(app)
  const begun = [...now].filter((code) => !before.has(code))
  const over = [...before.keys()].filter((code) => !now.has(code))
  if (begun.length + over.length === 0) return
  await write(app, async (tx) => {
    for (const code of over) await tx.db.delete(installation).where(eq(installation.name, memoryName(code)))
    for (const code of begun)
      await tx.db
        .insert(installation)
        .values({ name: memoryName(code), value: 'seen', updatedAt: tx.now })
        .onConflictDoNothing()
  })
}
