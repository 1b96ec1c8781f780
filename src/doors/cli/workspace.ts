// paquebot workspace create | list | set-trust | set-attachments

import type { TrustLevel } from '../../../db/tables/workspaces.ts'
import { write } from '../../core/app.ts'
import { wakeHeldBack } from '../../features/campaigns/lifecycle.ts'
import { capOfLevel } from '../../features/campaigns/reputation/caps.ts'
import { setTrustLevel } from '../../features/campaigns/reputation/trust-level.ts'
import {
  allowedAttachments,
  allowedAttachmentTypes,
  defaultMaxAttachments,
  mostAttachments,
} from '../../people/attachment-types.ts'
import { changeSettings, loadCampaignSettings } from '../../people/campaign-settings.ts'
import {
  createWorkspace,
  getWorkspaceBySlug,
  listWorkspaces,
  trustLevels,
  updateWorkspace,
} from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

/** A trust level given on the command line. */
export function readTrustLevel(text: string): TrustLevel {
  const level = trustLevels.find((one) => one === text)
  if (!level) throw new UsageError(`a trust level is one of ${trustLevels.join(', ')}, not ${text}`)
  return level
}

/** A number of recipients; null for `none`. */
function readCap(text: string): number | null {
  if (text === 'none') return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`a cap is a whole number or none, not ${text}`)
}

/** Null for any number. */
function finite(cap: number): number | null {
  return Number.isFinite(cap) ? cap : null
}

function capText(level: TrustLevel, own: number | null): string {
  const words = (cap: number) => (Number.isFinite(cap) ? cap.toLocaleString('en') : 'any number of')
  const ofLevel = words(capOfLevel[level])
  if (own === null) return `${ofLevel} recipients of campaigns in 24 h`
  return `${words(own)} recipients of campaigns in 24 h, by its own cap (--cap none for the ${ofLevel} of the level)`
}

const create = defineCommand({
  name: 'workspace create',
  says: 'Creates a workspace.',
  flags: {
    slug: { type: 'string', value: 'SLUG', required: true, says: 'its name in URLs and commands' },
    name: { type: 'string', value: 'NAME', says: 'its display name' },
    trust: { type: 'string', value: 'M0..M4', says: 'its trust level; default DEFAULT_TRUST_LEVEL' },
  },
  run: ({ slug, name, trust }, config) => {
    const trustLevel = readTrustLevel(trust ?? config().defaultTrustLevel)
    return withApp(
      config(),
      async (app) => {
        const { id } = await write(app, (tx) => createWorkspace(tx, { slug, name, trustLevel }))
        return { json: { id, slug }, lines: [`Workspace ${slug} (${id}) is ready.`] }
      },
      { mayMake: true },
    )
  },
})

const list = defineCommand({
  name: 'workspace list',
  says: 'Lists the workspaces.',
  flags: {},
  run: (_, config) =>
    withApp(config(), async (app) => {
      const rows = await listWorkspaces(app)
      const workspaces = rows.map(({ id, slug, name, trustLevel, createdAt }) => {
        return { id, slug, name, trustLevel, createdAt: createdAt.toISOString() }
      })
      return {
        json: { workspaces },
        lines: columns(rows.map(({ slug, trustLevel, name }) => [slug, trustLevel, name])),
      }
    }),
})

const setTrust = defineCommand({
  name: 'workspace set-trust',
  says: 'Sets how many campaign mails a workspace may send (M0 to M4).',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    level: { type: 'string', value: 'M0..M4', required: true, says: 'the new trust level' },
    cap: {
      type: 'string',
      value: 'N|none',
      says: 'recipients in 24 h, instead of the cap of the level; none to use the level; without this flag, an earlier cap stays',
    },
  },
  run: ({ workspace: slug, level, cap }, config) => {
    const trustLevel = readTrustLevel(level)
    const dailyCap = cap === undefined ? undefined : readCap(cap)
    return withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const { dailyCap: own } = await write(app, async (tx) => {
        await setTrustLevel(tx, workspace, trustLevel)
        if (dailyCap !== undefined) await changeSettings(tx, workspace.id, { dailyCap })
        await wakeHeldBack(tx, workspace.id)
        return await loadCampaignSettings(tx, workspace.id)
      })
      return {
        json: {
          id: workspace.id,
          slug,
          trustLevel,
          dailyCap: own,
          recipientsPerDay: finite(own ?? capOfLevel[trustLevel]),
        },
        lines: [`Workspace ${slug} has trust level ${trustLevel}: ${capText(trustLevel, own)}.`],
      }
    })
  },
})

const setAttachments = defineCommand({
  name: 'workspace set-attachments',
  says: 'Sets which files, and how many, a workspace may attach to a mail beyond the default.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    type: {
      type: 'string',
      value: 'TYPE',
      multiple: true,
      says: 'a content type to allow in addition to PDF, PNG, JPEG, text and CSV, like application/zip. Replaces the earlier ones. Without it: none',
    },
    max: { type: 'string', value: 'N', says: `how many files a mail may have, 3 to ${mostAttachments}. Without it: 3` },
  },
  run: ({ workspace: slug, type = [], max }, config) => {
    const maxAttachments = max === undefined ? null : readMax(max)
    return withApp(config(), async (app) => {
      const { id } = await getWorkspaceBySlug(app, slug)
      const attachmentTypes = type.length === 0 ? null : type
      const workspace = await write(app, (tx) => updateWorkspace(tx, id, { attachmentTypes, maxAttachments }))
      const types = allowedAttachmentTypes(workspace)
      const most = allowedAttachments(workspace)
      return {
        json: { id, slug, attachmentTypes: types, maxAttachments: most },
        lines: [`Workspace ${slug} attaches at most ${most} files to a mail, of ${types.join(', ')}.`],
      }
    })
  },
})

function readMax(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= defaultMaxAttachments && count <= mostAttachments) return count
  throw new UsageError(`--max is a number from ${defaultMaxAttachments} to ${mostAttachments}, not ${text}`)
}

export const workspaceCommands = [create, list, setTrust, setAttachments]
