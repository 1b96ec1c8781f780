// The workspace over REST: its name, brand, languages, and what its mail may carry.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { AppError } from '../../kit/error.ts'
import { allowsTheSame } from '../attachment-types.ts'
import { getWorkspace, updateWorkspace } from '../workspaces.ts'
import { auth, type Credential, isOwnerInPerson } from './auth.ts'
import { toWorkspaceView, workspaceBody, workspaceView } from './schema.ts'

export function workspaceRoutes(app: App) {
  return new Elysia({ prefix: '/v1' })
    .use(auth)
    .get('/workspace', ({ workspace }) => toWorkspaceView(workspace), {
      auth: { scope: 'workspace.read', session: true },
      response: workspaceView,
      detail: extension(
        'getWorkspace',
        'Fetch the workspace: name, brand, locale, time zone',
        'The workspace that the credential belongs to, with its name, brand, primary locale, time zone and trust level.',
      ),
    })
    .patch(
      '/workspace',
      async ({ workspace, credential, body }) => {
        const changed = await write(app, async (tx) => {
          const before = await getWorkspace(tx, workspace.id)
          const after = await updateWorkspace(tx, workspace.id, body)
          if (!allowsTheSame(before, after)) expectOwner(credential)
          return after
        })
        return toWorkspaceView(changed)
      },
      {
        auth: { scope: 'workspace.write', session: true },
        body: workspaceBody,
        response: workspaceView,
        detail: extension(
          'updateWorkspace',
          'Change name, brand, locale, time zone or attachments',
          'Only the fields in the request change; `null` clears a field of the brand. Only a signed-in owner can change `attachmentTypes` and `maxAttachments`. The brand fills variables such as `company_name` in mail sent from now on.',
        ),
      },
    )
}

/** What a mail may carry is no matter of a key. */
function expectOwner(credential: Credential): void {
  if (isOwnerInPerson(credential)) return
  throw new AppError(
    'insufficient_role',
    'Only a signed-in owner of the workspace can change attachmentTypes and maxAttachments.',
  )
}
