// Looking at a template before anybody gets it, and sending it to oneself.

import { Elysia } from 'elysia'
import type { App } from '../app.ts'
import { extension } from '../http/operation.ts'
import { AppError, type Issue } from '../lib/error.ts'
import { localeChain } from '../lib/locale.ts'
import type { Node } from '../rendering/nodes.ts'
import { parseTree } from '../rendering/tree.ts'
import { checkedLocale, currentRevisions, findContent } from '../templates/contents.ts'
import { checkFields } from '../templates/schema.ts'
import { getTemplate } from '../templates/templates.ts'
import { auth } from '../workspaces/auth.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { type Draft, type Preview, type PreviewFor, previewMail } from './preview.ts'
import { draftPreviewBody, previewView, templatePreviewBody, templateTestBody, testView } from './preview-schema.ts'
import { senderOf } from './sender.ts'
import { sendTests, testAddresses } from './test-mail.ts'

/** A preview changes nothing, although it is a POST. */
const read = { scope: 'transactional.read', session: 'viewer' } as const
const send = { scope: 'transactional.send', session: true } as const

export function previewRoutes(app: App) {
  return new Elysia({ prefix: '/v1/transactional' })
    .use(auth)
    .post('/preview', ({ workspace, body }) => previewDraft(app, workspace, body), {
      auth: read,
      body: draftPreviewBody,
      response: previewView,
      detail: extension(
        'previewContent',
        'Show a tree that is not stored',
        'Renders a component tree of the request as a mail. Nothing is stored or sent.',
      ),
    })
    .post(
      '/:templateId/preview',
      ({ workspace, params, body }) => previewTemplate(app, workspace, params.templateId, body),
      {
        auth: read,
        body: templatePreviewBody,
        response: previewView,
        detail: extension(
          'previewTemplate',
          'Show a template as a mail',
          'Renders a stored template, also a draft; with `content`, the tree of the request in its place. Nothing is stored or sent.',
        ),
      },
    )
    .post(
      '/:templateId/test',
      async ({ workspace, credential, params, body }) => {
        const own = credential.kind === 'session' ? credential.email : null
        const emails = testAddresses(body.emails, own)
        return {
          success: true as const,
          ...(await testTemplate(app, workspace, params.templateId, { ...body, emails })),
        }
      },
      {
        auth: send,
        body: templateTestBody,
        response: testView,
        detail: extension(
          'testTemplate',
          'Send a template to members of the workspace',
          'As it is stored, also a draft. The subject begins with “[Test]”, a header says so, and its links to leave lead nowhere. 20 calls at once, then one every three minutes.',
        ),
      },
    )
}

/** An unsaved tree, or what is wrong with it. */
export function readUnsaved<T extends { content?: unknown }>(body: T): { content: Node[] | null; warnings: Issue[] } {
  checkFields(body)
  return body.content === undefined ? { content: null, warnings: [] } : parseTree(body.content)
}

/** The preview with what reading its tree had to say before. */
export async function withWarnings(before: Issue[], preview: Promise<Preview>): Promise<Preview> {
  const made = await preview
  return { ...made, warnings: [...before, ...made.warnings] }
}

function previewDraft(app: App, workspace: Workspace, body: typeof draftPreviewBody.static): Promise<Preview> {
  const { content, warnings } = readUnsaved(body)
  const locale = body.locale === undefined ? workspace.primaryLocale : checkedLocale('locale', body.locale)
  const { subject, previewText = '' } = body
  const words = { content: content ?? [], subject, previewText, locale }
  return withWarnings(warnings, previewMail(app, workspace, { ...words, kind: 'transactional', fromName: null }, body))
}

async function previewTemplate(
  app: App,
  workspace: Workspace,
  slug: string,
  body: typeof templatePreviewBody.static & PreviewFor,
): Promise<Preview> {
  const { content, warnings } = readUnsaved(body)
  const draft = await draftOf(app, workspace, slug, { locale: body.locale, content })
  const { subject = draft.subject, previewText = draft.previewText } = body
  return withWarnings(warnings, previewMail(app, workspace, { ...draft, subject, previewText }, body))
}

async function testTemplate(
  app: App,
  workspace: Workspace,
  slug: string,
  { emails, locale, dataVariables }: typeof templateTestBody.static & { emails: string[] },
) {
  const template = await getTemplate(app, workspace.id, slug)
  const draft = await draftOf(app, workspace, slug, { locale, content: null })
  const sender = await senderOf(app, workspace, template, {})
  const owner = { templateId: template.id, slug }
  return await sendTests(app, workspace, { draft, sender, owner, dataVariables }, emails)
}

/** A template in the locale that a send would find, or with a tree of the request in exactly the one that was named. */
async function draftOf(
  app: App,
  workspace: Workspace,
  slug: string,
  { locale: wanted, content }: { locale: string | undefined; content: Node[] | null },
): Promise<Draft> {
  const template = await getTemplate(app, workspace.id, slug)
  const requested = wanted === undefined ? template.primaryLocale : checkedLocale('locale', wanted)
  const revisions = await currentRevisions(app, template.id)
  const chain = localeChain(requested, workspace.primaryLocale)
  const locale = content === null ? chain.find((one) => revisions.has(one)) : requested
  const stored = locale === undefined ? null : await findContent(app, template.id, locale)
  const tree = content ?? (stored?.content as Node[] | undefined)
  if (locale === undefined || tree === undefined) {
    const message = `the template has no content for ${chain.join(', ')}`
    throw new AppError('no_content', message, { errors: [{ path: 'locale', message, code: 'no_content' }] })
  }
  const { subject, previewText } = stored ?? template
  return { content: tree, subject, previewText, locale, kind: 'transactional', fromName: template.fromName }
}
