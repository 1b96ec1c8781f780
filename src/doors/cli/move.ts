// paquebot workspace export | import | take-back: a workspace in one file, and to another installation.

import { basename, resolve } from 'node:path'
import { write } from '../../core/app.ts'
import { readBaseUrl } from '../../core/config.ts'
import { AppError } from '../../kit/error.ts'
import { importWorkspace, withUnpacked } from '../../operator/tenants/arrive.ts'
import { exportWorkspace, takeBack } from '../../operator/tenants/depart.ts'
import { forgetArrival } from '../../operator/tenants/erase.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { keysOf, sealOf } from './backup.ts'
import { defineCommand } from './command.ts'
import { moveOver } from './move-over.ts'
import { withApp } from './with-app.ts'

const slugFlag = { type: 'string', value: 'SLUG', required: true, operand: true, says: 'which workspace' } as const

const exported = defineCommand({
  name: 'workspace export',
  says: 'Writes everything of a workspace into one encrypted file, as of one moment: to read, or with --moves-to to move it to another installation.',
  flags: {
    workspace: slugFlag,
    to: { type: 'string', value: 'FILE', required: true, says: 'the file; it must not exist' },
    'moves-to': {
      type: 'string',
      value: 'URL',
      says: 'BASE_URL of the installation to which it moves: from now on its links lead there. It must be suspended',
    },
    unsealed: {
      type: 'boolean',
      says: 'do not encrypt it; hashes and keys are then left out, and it cannot be imported',
    },
  },
  run: async ({ workspace: slug, to, 'moves-to': target, unsealed }, config) => {
    const settings = config()
    const seal = sealOf(settings, unsealed)
    const movesTo = target === undefined ? null : readBaseUrl(target)
    const path = resolve(to)
    const { tables, pictures, id } = await withApp(settings, (app) =>
      exportWorkspace(app, { slug, path, movesTo, seal }),
    )
    const counts = Object.values(tables)
    const rows = counts.reduce((sum, table) => sum + table.rows, 0)
    const files = Object.keys(pictures).length
    const lines = [
      `${path}: ${rows} rows in ${counts.length} tables, and ${files} pictures.`,
      ...(movesTo === null ? [] : [`At ${movesTo}: paquebot workspace import ${basename(path)}`]),
    ]
    return { json: { ok: true, id, path, rows, tables, pictures: files, movesTo }, lines }
  },
})

const imported = defineCommand({
  name: 'workspace import',
  says: 'Takes in a workspace that moves here: checked against its file, or not at all. Repeating the command goes on with one that was cut off.',
  flags: {
    file: {
      type: 'string',
      value: 'FILE',
      required: true,
      operand: true,
      says: 'what paquebot workspace export wrote',
    },
    slug: { type: 'string', value: 'SLUG', says: 'another slug, where its own is taken' },
    identity: { type: 'string', value: 'FILE', says: 'the secret key that decrypts it; default: BACKUP_PASSPHRASE' },
    forget: { type: 'boolean', says: 'remove what an import that was cut off had brought, instead' },
  },
  run: async ({ file, slug, identity, forget }, config) => {
    const settings = config()
    const path = resolve(file)
    return await withApp(settings, (app) =>
      withUnpacked(app, { path, keys: keysOf(settings, identity) }, async ({ folder, manifest }) => {
        if (forget) {
          await forgetArrival(app, manifest.id)
          return { json: { ok: true, id: manifest.id }, lines: [`Nothing of ${manifest.slug} is here any more.`] }
        }
        await importWorkspace(app, { folder, manifest, slug })
        const { id, from } = manifest
        const arrived = slug ?? manifest.slug
        const lines = [
          `Workspace ${arrived} (${id}) is here, and was checked against its file; what waited goes on.`,
          `Mails that it sent before lead to ${from}, which forwards them: keep that running.`,
        ]
        return { json: { ok: true, id, slug: arrived, from }, lines }
      }),
    )
  },
})

const takenBack = defineCommand({
  name: 'workspace take-back',
  says: 'Ends a move that was given up, so that the workspace can be resumed here. First make sure that it did not arrive there.',
  flags: { workspace: slugFlag },
  run: ({ workspace: slug }, config) =>
    withApp(config(), async (app) => {
      const { id } = await getWorkspaceBySlug(app, slug)
      if (!(await write(app, (tx) => takeBack(tx, id))))
        throw new AppError('conflict', `workspace ${slug} has not moved`)
      return { json: { ok: true, id }, lines: [`Workspace ${slug} is here again: paquebot workspace resume.`] }
    }),
})

export const moveCommands = [exported, imported, takenBack, moveOver]
