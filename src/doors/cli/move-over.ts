// paquebot workspace move: a workspace to another installation, in one command. It may be cut off at any point and repeated: the source is
// suspended and marked before its file is made, the file is made once, and the target takes the same file once and opens it when it is whole.

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { workspaceMoves } from '../../../db/tables/moves.ts'
import { type App, write } from '../../core/app.ts'
import { readBaseUrl } from '../../core/config.ts'
import { minute, second } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import type { Seal } from '../../operator/backup/pack.ts'
import { hashFile } from '../../operator/tenants/archive-file.ts'
import { exportWorkspace } from '../../operator/tenants/depart.ts'
import { suspendTenant } from '../../operator/tenants/tenants.ts'
import { getWorkspaceBySlug, type Workspace } from '../../people/workspaces.ts'
import { sealOf } from './backup.ts'
import { defineCommand, readText, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

const lookEveryMs = second
/** Jobs that had begun before the suspension have so long to end. */
const runningMs = 5 * minute
/** The target may be away for so long while it imports. */
const awayMs = 10 * minute
const uploadMs = 60 * minute
const askMs = 30 * second

/** The other installation, and a key of its first workspace with the scope workspaces.manage. */
interface Target {
  to: string
  token: string
}

interface Answer {
  status: number
  body: Record<string, unknown>
}

export const moveOver = defineCommand({
  name: 'workspace move',
  says: 'Moves a workspace to another installation: suspends and exports it here, sends it there, and waits until it is checked and served there. Repeating the command goes on with one that was cut off.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, operand: true, says: 'which workspace' },
    to: { type: 'string', value: 'URL', required: true, says: 'BASE_URL of the installation to which it moves' },
    'token-file': {
      type: 'string',
      value: 'FILE',
      required: true,
      says: 'a file with an API key of the first workspace there, with the scope workspaces.manage; - for stdin',
    },
    slug: { type: 'string', value: 'SLUG', says: 'another slug there, where its own is taken' },
    reason: { type: 'string', value: 'TEXT', says: 'what its people read while it moves; default: where it moves' },
  },
  run: async ({ workspace: slug, to, 'token-file': tokenFile, slug: slugThere, reason }, config) => {
    const settings = config()
    const seal = sealOf(settings, false)
    const target = { to: readBaseUrl(to), token: readToken(tokenFile) }
    return await withApp(settings, async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const { id } = workspace
      const path = join(settings.dataDir, `moving-${id}`)
      if (!(await isThere(app, workspace, target))) {
        const why = reason ?? `It moves to ${target.to}.`
        if (workspace.suspendedAt === null) await write(app, (tx) => suspendTenant(tx, id, why))
        await makeFile(app, workspace, { path, seal, movesTo: target.to })
        const at = await send(target, path, slugThere)
        await untilDone(target, at)
        if (!(await isThere(app, workspace, target)))
          throw new AppError('conflict', `${target.to} says that it imported ${slug}, and does not serve it`)
      }
      rmSync(path, { force: true })
      const lines = [
        `Workspace ${slug} (${id}) is at ${target.to}, and was checked against its file; what waited goes on there.`,
        'Mails that it sent before lead here, and are forwarded: keep this installation running.',
      ]
      return { json: { ok: true, id, to: target.to }, lines }
    })
  },
})

/** Never an argument: other users of the machine would see it in the list of processes. Throws UsageError. */
function readToken(path: string): string {
  const token = readText(path).trim()
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new UsageError(`${path === '-' ? 'stdin' : path} is not an API key`)
}

/** Whether it has moved there. Throws `conflict` where there is one that did not come from here. */
async function isThere(app: App, { id, slug }: Workspace, target: Target): Promise<boolean> {
  const { status, body } = await ask(target, `/v1/workspaces/${id}`)
  if (status === 404) return false
  if (status !== 200) throw refusal(target, { status, body })
  const move = await findMove(app, id)
  if (move?.movedTo !== target.to || body['suspendedAt'] !== null)
    throw new AppError(
      'conflict',
      `${target.to} has a workspace of this id already, and ${slug} is not on its way there`,
    )
  return true
}

async function findMove(app: App, id: string) {
  const [move] = await app.db.select().from(workspaceMoves).where(eq(workspaceMoves.workspaceId, id))
  return move
}

/** The file of this move; the one that there is, if it is. */
async function makeFile(
  app: App,
  { id, slug }: Workspace,
  { path, seal, movesTo }: { path: string; seal: Seal | null; movesTo: string },
): Promise<void> {
  const move = await findMove(app, id)
  if (existsSync(path) && move?.movedTo === movesTo && move.file === (await hashFile(path))) return
  rmSync(path, { force: true })
  await untilNothingRuns(() => exportWorkspace(app, { slug, path, movesTo, seal }))
  const file = await hashFile(path)
  await write(app, (tx) => tx.db.update(workspaceMoves).set({ file }).where(eq(workspaceMoves.workspaceId, id)))
}

async function untilNothingRuns(work: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + runningMs; ; await pause(lookEveryMs))
    try {
      await work()
      return
    } catch (error) {
      const isRunning = error instanceof AppError && error.code === 'conflict' && error.message.startsWith('jobs of ')
      if (!isRunning || performance.now() > until) throw error
    }
}

/** Where the target says how its import stands. */
async function send(target: Target, path: string, slug: string | undefined): Promise<string> {
  const query = slug === undefined ? '' : `?slug=${encodeURIComponent(slug)}`
  const answer = await ask(target, `/v1/workspace-imports${query}`, path)
  if (answer.status !== 202) throw refusal(target, answer)
  return `/v1/workspace-imports/${answer.body['id']}`
}

async function untilDone(target: Target, at: string): Promise<void> {
  for (let heardAt = performance.now(); ; await pause(lookEveryMs)) {
    const answer = await ask(target, at).catch((error: unknown) => {
      if (performance.now() - heardAt > awayMs) throw error
      return null
    })
    // One that is starting answers 503.
    if (answer === null || answer.status >= 500) continue
    heardAt = performance.now()
    if (answer.status !== 200) throw refusal(target, answer)
    const { state, detail } = answer.body
    if (state === 'done') return
    if (state === 'failed') throw new AppError('conflict', `${target.to} did not import it: ${detail}`)
  }
}

/** `upload`: the path of a file that is the body. Throws `overloaded` where nothing answers. */
async function ask({ to, token }: Target, path: string, upload?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
  const init = upload === undefined ? { headers } : { headers, method: 'POST', body: Bun.file(upload) }
  try {
    const signal = AbortSignal.timeout(upload === undefined ? askMs : uploadMs)
    const answer = await fetch(to + path, { ...init, signal, redirect: 'manual' })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('overloaded', `${to} does not answer (${reason}); the same command goes on with the move`)
  }
}

function refusal({ to }: Target, { status, body }: Answer): AppError {
  return new AppError('conflict', `${to} answered ${status}: ${body['detail'] ?? 'is it paquebot, of this version?'}`)
}
