// The workspace over REST: its name, brand, languages, and what its mail may carry.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { AppError } from '../../kit/error.ts'
import { allowsTheSame } from '../attachment-types.ts'
import { publicBase } from '../links/base.ts'
import { checkLinkDomain } from '../links/check.ts'
import { findLinkDomain, readLinkDomain, setLinkDomain } from '../links/link-domains.ts'
import { linkDomainView, toLinkDomainView } from '../links/schema.ts'
import { getWorkspace, updateWorkspace, type Workspace } from '../workspaces.ts'
import { auth, type Credential, isOwnerInPerson } from './auth.ts'
import { toWorkspaceView, workspaceBody, workspaceView } from './schema.ts'

export function workspaceRoutes(app: App) {
  return new Elysia({ prefix: '/v1' })
    .use(auth)
    .get('/workspace', ({ workspace }) => loadView(app, workspace), {
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
      async ({ workspace, credential, body: { linkDomain, ...body } }) => {
        if (linkDomain !== undefined) expectOwnerOrFull(credential)
        const domain = typeof linkDomain === 'string' ? await readLinkDomain(app.config, linkDomain) : linkDomain
        const changed = await write(app, async (tx) => {
          if (domain !== undefined) await setLinkDomain(tx, workspace.id, domain)
          const before = await getWorkspace(tx, workspace.id)
          const after = await updateWorkspace(tx, workspace.id, body)
          if (!allowsTheSame(before, after)) expectOwner(credential)
          return after
        })
        return await loadView(app, changed)
      },
      {
        auth: { scope: 'workspace.write', session: true },
        body: workspaceBody,
        response: workspaceView,
        detail: extension(
          'updateWorkspace',
          'Change name, brand, locale, time zone, attachments or link domain',
          'Only the fields in the request change; `null` clears a field of the brand. Only a signed-in owner can change `attachmentTypes` and `maxAttachments`. `linkDomain` is for owners and keys with the scope `full`. The brand fills variables such as `company_name` in mail sent from now on.',
          [409],
        ),
      },
    )
    .post(
      '/workspace/link-domain/verify',
      async ({ workspace }) => {
        const row = await findLinkDomain(app, workspace.id)
        if (row === null) throw new AppError('not_found', 'This workspace has no link domain.')
        return toLinkDomainView(app.config, await checkLinkDomain(app, row))
      },
      {
        auth: { scope: 'workspace.write', session: true },
        response: linkDomainView,
        detail: extension(
          'verifyLinkDomain',
          'Check the link domain in the DNS now',
          'Queries the DNS at once. Once the domain is proved and leads here, the mails that are made from then on have their links there. It is checked every ten minutes as well.',
        ),
      },
    )
}

async function loadView(app: App, workspace: Workspace) {
  const row = await findLinkDomain(app, workspace.id)
  const publicUrl = publicBase(app.config, workspace)
  return { ...toWorkspaceView(workspace), publicUrl, linkDomain: row && toLinkDomainView(app.config, row) }
}

/** Where the links of all mails lead. */
function expectOwnerOrFull(credential: Credential): void {
  if (isOwnerInPerson(credential)) return
  if (credential.kind === 'api_key' && credential.role === 'owner' && credential.scopes.includes('full')) return
  throw new AppError('insufficient_role', 'Only an owner, or a key of one with the scope full, can change linkDomain.')
}

/** What a mail may carry is no matter of a key. */
function expectOwner(credential: Credential): void {
  if (isOwnerInPerson(credential)) return
  throw new AppError(
    'insufficient_role',
    'Only a signed-in owner of the workspace can change attachmentTypes and maxAttachments.',
  )
}
