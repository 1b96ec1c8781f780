// paquebot key create | list | revoke | signing

import { write } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { createApiKey, listApiKeys, revokeApiKey, signingSecret } from '../../people/access/api-keys.ts'
import { toApiKeyView } from '../../people/access/schema.ts'
import { ensureTestWorkspace } from '../../people/test-workspace.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { columns, defineCommand } from './command.ts'
import { withApp } from './with-app.ts'

const workspaceFlag = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const

const oneKey = {
  workspace: workspaceFlag,
  id: { type: 'string', value: 'KEY_ID', required: true, says: 'from `key list`' },
} as const

const create = defineCommand({
  name: 'key create',
  says: 'Creates an API key and shows it, only once. It does not depend on any person: it stays valid when members are removed.',
  flags: {
    workspace: workspaceFlag,
    name: { type: 'string', value: 'NAME', says: 'what it is for' },
    test: { type: 'boolean', says: 'a key of its test workspace: mail sent with it is not delivered' },
    scope: { type: 'string', value: 'SCOPE', multiple: true, says: 'what it may do; default full' },
    airlock: {
      type: 'boolean',
      says: 'of an agent: for /mcp alone; what it sends waits once it has read others’ text',
    },
  },
  run: ({ workspace: slug, name, scope, test, airlock }, config) =>
    withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const scopes = scope.length === 0 ? undefined : scope
      const { row, apiKey } = await write(app, async (tx) => {
        const home = test ? await ensureTestWorkspace(tx, workspace) : workspace
        return await createApiKey(tx, home.id, { name, scopes, airlock })
      })
      return { json: { id: row.id, apiKey, scopes: row.scopes }, lines: [apiKey] }
    }),
})

const list = defineCommand({
  name: 'key list',
  says: 'Lists active API keys with their creators; a key may never do more than the person who created it.',
  flags: { workspace: workspaceFlag },
  run: ({ workspace: slug }, config) =>
    withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const rows = await listApiKeys(app, workspace.id)
      const keys = rows.map(toApiKeyView)
      const lines = columns(
        keys.map(({ id, prefix, name, scopes, maker, madeBy }) => [
          id,
          `${prefix}…`,
          name,
          scopes.join(' '),
          madeBy?.email ?? (maker === 'operator' ? '(command line)' : '(creator unknown)'),
        ]),
      )
      return { json: { keys }, lines }
    }),
})

const revoke = defineCommand({
  name: 'key revoke',
  says: 'Revokes an API key at once.',
  flags: oneKey,
  run: ({ workspace: slug, id }, config) =>
    withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      await write(app, (tx) => revokeApiKey(tx, workspace.id, id))
      return { json: { id, revoked: true }, lines: [`API key ${id} is revoked.`] }
    }),
})

const signing = defineCommand({
  name: 'key signing',
  says: 'Shows the credentials with which an Amazon SES client signs requests for an API key.',
  flags: oneKey,
  run: ({ workspace: slug, id }, config) =>
    withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const row = (await listApiKeys(app, workspace.id)).find((key) => key.id === id)
      if (!row) throw new AppError('not_found', `There is no API key ${id} in ${slug}.`)
      const secretAccessKey = signingSecret(app, row)
      const lines = [`AWS_ACCESS_KEY_ID=${id}`, `AWS_SECRET_ACCESS_KEY=${secretAccessKey}`]
      return { json: { accessKeyId: id, secretAccessKey }, lines }
    }),
})

export const keyCommands = [create, list, revoke, signing]
