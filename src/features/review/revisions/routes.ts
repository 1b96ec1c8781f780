// The revisions of templates, campaigns and blocks over REST: listed, read, compared, restored.

import { Elysia } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension, looking } from '../../../core/http/operation.ts'
import { pageOf } from '../../../core/http/pagination.ts'
import { auth } from '../../../people/access/auth.ts'
import type { Scope } from '../../../people/access/scopes.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { getCampaign } from '../../campaigns/campaigns.ts'
import { ownContents } from '../../campaigns/contents.ts'
import { putLocale as putCampaignLocale } from '../../campaigns/draft.ts'
import { contentView as campaignContentView } from '../../campaigns/schema.ts'
import { currentBlockRevisions, getBlock } from '../../content/blocks/blocks.ts'
import { putBlockLocale } from '../../content/blocks/save.ts'
import { savedView as savedBlockView } from '../../content/blocks/schema.ts'
import { currentRevisions } from '../../content/templates/contents.ts'
import { putLocale as putTemplateLocale } from '../../content/templates/draft.ts'
import { contentView as templateContentView } from '../../content/templates/schema.ts'
import { getTemplate } from '../../content/templates/templates.ts'
import { compareRevisions, differenceToDraft, saidBy } from './difference.ts'
import { getOwnersRevision, loadContext, type Owner, pageOfRevisions } from './revisions.ts'
import {
  differenceView,
  draftBody,
  draftDifferenceView,
  fromQuery,
  restoreBody,
  revisionContentView,
  revisionQuery,
  revisionView,
  toRevisionContentView,
} from './schema.ts'

export function revisionRoutes(app: App) {
  return new Elysia().use(templateRevisions(app)).use(campaignRevisions(app)).use(blockRevisions(app))
}

function templateRevisions(app: App) {
  const scopes = { read: 'transactional.read', write: 'transactional.write' } as const
  const { list, read, compare, compareDraft, restore } = operations('Template', scopes)
  const owner = (workspace: Workspace, slug: string) => templateOwner(app, workspace, slug)
  return new Elysia({ prefix: '/v1/transactional/:templateId/revisions' })
    .use(auth)
    .get(
      '',
      async ({ workspace, params, query }) => pageOfRevisions(app, await owner(workspace, params.templateId), query),
      list,
    )
    .get(
      '/:revisionId',
      async ({ workspace, params }) => readRevision(app, await owner(workspace, params.templateId), params.revisionId),
      read,
    )
    .get(
      '/:revisionId/diff',
      async ({ workspace, params, query }) =>
        compareRevisions(app, await owner(workspace, params.templateId), params.revisionId, query.from),
      compare,
    )
    .post(
      '/:revisionId/diff',
      async ({ workspace, params, body }) =>
        differenceToDraft(app, await owner(workspace, params.templateId), params.revisionId, body),
      compareDraft,
    )
    .post(
      '/:revisionId/restore',
      async ({ workspace, params: { templateId, revisionId }, body }) => {
        const { locale, ...words } = await restored(app, await owner(workspace, templateId), revisionId)
        return await putTemplateLocale(app, workspace, { templateId, locale }, { ...words, ...body })
      },
      { ...restore, response: templateContentView },
    )
}

function campaignRevisions(app: App) {
  const scopes = { read: 'campaigns.read', write: 'campaigns.write' } as const
  const { list, read, compare, compareDraft, restore } = operations('Campaign', scopes)
  const owner = (workspace: Workspace, id: string) => campaignOwner(app, workspace, id)
  return new Elysia({ prefix: '/v1/campaigns/:campaignId/revisions' })
    .use(auth)
    .get(
      '',
      async ({ workspace, params, query }) => pageOfRevisions(app, await owner(workspace, params.campaignId), query),
      list,
    )
    .get(
      '/:revisionId',
      async ({ workspace, params }) => readRevision(app, await owner(workspace, params.campaignId), params.revisionId),
      read,
    )
    .get(
      '/:revisionId/diff',
      async ({ workspace, params, query }) =>
        compareRevisions(app, await owner(workspace, params.campaignId), params.revisionId, query.from),
      compare,
    )
    .post(
      '/:revisionId/diff',
      async ({ workspace, params, body }) =>
        differenceToDraft(app, await owner(workspace, params.campaignId), params.revisionId, body),
      compareDraft,
    )
    .post(
      '/:revisionId/restore',
      async ({ workspace, params: { campaignId, revisionId }, body }) => {
        const { locale, ...words } = await restored(app, await owner(workspace, campaignId), revisionId)
        return await putCampaignLocale(app, workspace, { campaignId, locale, body: { ...words, ...body } })
      },
      { ...restore, response: campaignContentView },
    )
}

function blockRevisions(app: App) {
  const scopes = { read: 'transactional.read', write: 'transactional.write' } as const
  const { list, read, compare, compareDraft, restore } = operations('Block', scopes)
  const owner = (workspace: Workspace, id: string) => blockOwner(app, workspace, id)
  return new Elysia({ prefix: '/v1/blocks/:blockId/revisions' })
    .use(auth)
    .get(
      '',
      async ({ workspace, params, query }) => pageOfRevisions(app, await owner(workspace, params.blockId), query),
      list,
    )
    .get(
      '/:revisionId',
      async ({ workspace, params }) => readRevision(app, await owner(workspace, params.blockId), params.revisionId),
      read,
    )
    .get(
      '/:revisionId/diff',
      async ({ workspace, params, query }) =>
        compareRevisions(app, await owner(workspace, params.blockId), params.revisionId, query.from),
      compare,
    )
    .post(
      '/:revisionId/diff',
      async ({ workspace, params, body }) =>
        differenceToDraft(app, await owner(workspace, params.blockId), params.revisionId, body),
      compareDraft,
    )
    .post(
      '/:revisionId/restore',
      async ({ workspace, params: { blockId, revisionId }, body }) => {
        const { locale, content } = await restored(app, await owner(workspace, blockId), revisionId)
        return await putBlockLocale(app, workspace.id, { blockId, locale }, { content, ...body })
      },
      { ...restore, response: savedBlockView },
    )
}

async function templateOwner(app: App, { id: workspaceId }: Workspace, slug: string): Promise<Owner> {
  const { id } = await getTemplate(app, workspaceId, slug)
  const current = [...(await currentRevisions(app, id)).values()]
  const path = `/v1/transactional/${slug}/revisions`
  return { workspaceId, kind: 'template', id, mail: 'transactional', current, path }
}

async function campaignOwner(app: App, { id: workspaceId }: Workspace, campaignId: string): Promise<Owner> {
  const { id } = await getCampaign(app, workspaceId, campaignId)
  const current = (await ownContents(app, id)).map(({ revisionId }) => revisionId)
  return { workspaceId, kind: 'campaign', id, mail: 'marketing', current, path: `/v1/campaigns/${id}/revisions` }
}

/** Its words are those of a mail that a send fills. */
async function blockOwner(app: App, { id: workspaceId }: Workspace, blockId: string): Promise<Owner> {
  const { id } = await getBlock(app, workspaceId, blockId)
  const current = [...(await currentBlockRevisions(app, id)).values()]
  return { workspaceId, kind: 'block', id, mail: 'transactional', current, path: `/v1/blocks/${id}/revisions` }
}

async function readRevision(app: App, owner: Owner, revisionId: string) {
  const row = await getOwnersRevision(app, owner, revisionId)
  return toRevisionContentView(row, await loadContext(app, owner, [row]))
}

async function restored(app: App, owner: Owner, revisionId: string) {
  const { settings: _, ...said } = saidBy(await getOwnersRevision(app, owner, revisionId))
  return said
}

const restoring = {
  Template:
    'Its content, subject and preview text become a new revision of its locale; other locales stay as they are.',
  Campaign:
    'Its content, subject and preview text become a new revision of its locale, and the campaign becomes a draft again. The revisions of a campaign that uses a template are those of the template.',
  Block:
    'What it held becomes a new revision of its locale, and all that use the block change as when it is written. 422 where it would not fit into one of them.',
}

/** What the routes of all declare. */
function operations<Read extends Scope, Write extends Scope>(
  noun: 'Template' | 'Campaign' | 'Block',
  scopes: { read: Read; write: Write },
) {
  const thing = `a ${noun.toLowerCase()}`
  const auth = { scope: scopes.read, session: 'viewer' } as const
  return {
    list: {
      auth,
      query: revisionQuery,
      response: pageOf(revisionView),
      detail: extension(
        `list${noun}Revisions`,
        `List the revisions of ${thing}`,
        'Revisions of all locales, newest first, each with its author and time.',
        [422],
      ),
    },
    read: {
      auth,
      response: revisionContentView,
      detail: extension(
        `get${noun}Revision`,
        `Fetch a revision of ${thing}`,
        'The revision with its component tree, and the sender as it was then. A revision never changes.',
      ),
    },
    compare: {
      auth,
      query: fromQuery,
      response: differenceView,
      detail: extension(
        `compare${noun}Revisions`,
        `How a revision of ${thing} differs from an older one`,
        'Lists the nodes that were removed, added, moved or changed, by path, with the changed words of their texts, and the changes of subject, sender and variables.',
      ),
    },
    compareDraft: {
      auth,
      body: draftBody,
      response: draftDifferenceView,
      detail: {
        ...extension(
          `compare${noun}Draft`,
          `How a tree that is not stored differs from a revision of ${thing}`,
          'Reports the same as the comparison of two revisions. Nothing is stored.',
        ),
        ...looking,
      },
    },
    restore: {
      auth: { scope: scopes.write, session: true } as const,
      body: restoreBody,
      detail: extension(`restore${noun}Revision`, `Restore a revision of ${thing}`, restoring[noun], [409]),
    },
  }
}
