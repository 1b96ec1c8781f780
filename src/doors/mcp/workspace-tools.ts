// The tools of a workspace, for a client with its API key. They call what the REST routes call and contain no rules.

import { Type } from '@sinclair/typebox'
import { maxSourceBytes, sourceKinds } from '../../features/content/rendering/content.ts'
import { draftTemplate, getTemplateView, removeTemplate } from '../../features/content/templates/draft.ts'
import { getTemplate } from '../../features/content/templates/templates.ts'
import { writeTemplate } from '../../features/content/templates/write-template.ts'
import { importContent } from '../../features/lists/moving/import-content.ts'
import { listMailboxes } from '../../features/mailboxes/mailboxes.ts'
import { toMailboxView } from '../../features/mailboxes/schema.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { WorkspaceCaller } from './callers.ts'
import { contentArgument } from './content-argument.ts'
import { heldFields, keep, toldOf } from './held.ts'
import { defineTool, type Tool } from './tool.ts'

const text = Type.String()
const closed = { additionalProperties: false }
const issue = Type.Object({ path: text, message: text, code: text })
const name = Type.String({ minLength: 1, maxLength: 200, description: 'Internal name; recipients do not see it.' })
const subject = Type.String({ minLength: 1, maxLength: 500, description: 'May hold {{variables}}.' })
const locale = Type.Optional(
  Type.String({ maxLength: 35, description: 'BCP 47, e.g. `pt-BR`. Default: the primary locale.' }),
)
const slug = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })

const templateOutput = Type.Object({
  id: text,
  status: text,
  revisionId: Type.String({ description: 'For `expectedRevisionId` of the next update.' }),
  variables: Type.Array(text, { description: 'What a send must supply in `dataVariables`.' }),
  warnings: Type.Array(issue, { description: 'Accepted, but questionable.' }),
})

const listMailboxesTool = defineTool({
  name: 'list_mailboxes',
  scope: 'mailboxes.read',
  title: 'List mailboxes',
  says: {
    purpose: 'Lists the mailboxes of the workspace: an inventory of addresses.',
    notFor: 'Reading mail: messages are private to a mailbox and open only with its own token, at the mailbox address.',
    returns: '`mailboxes` with id, address, name and status; no counts and no messages.',
    whenToUse: 'To find out which addresses receive mail here.',
  },
  input: Type.Object({}, closed),
  output: Type.Object({
    mailboxes: Type.Array(
      Type.Object({
        id: text,
        address: text,
        name: text,
        status: text,
        holdReplies: Type.Boolean({ description: 'Replies by agents wait for approval by a person.' }),
        createdAt: text,
      }),
    ),
  }),
  touches: { reads: 'own', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller) {
    const views = (await listMailboxes(app, workspace.id)).map(toMailboxView)
    return { structured: { mailboxes: views.map(({ writesTo: _, ...inventory }) => inventory) } }
  },
})

const createTemplate = defineTool({
  name: 'create_template',
  scope: 'transactional.write',
  title: 'Create a template',
  says: {
    purpose: 'Creates a transactional e-mail template, with its content as a component tree.',
    notFor: 'Sending mail, changing a template (update_template), or HTML (import_template).',
    returns: '`id` (the slug to send with), `status`, `variables` and `warnings`. Without `content` it is a draft.',
    whenToUse: 'To create a new kind of mail. Read the resource paquebot://component-tree for the node types first.',
  },
  input: Type.Object(
    {
      name,
      id: Type.Optional(slug('The slug: 1-64 of a-z, 0-9, "_", "-". Default: made from the name.')),
      subject,
      content: Type.Optional(contentArgument),
      locale,
    },
    closed,
  ),
  output: templateOutput,
  touches: { reads: 'own', acts: 'outside' },
  actsAtOnce: true,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { locale, ...input }) {
    const body = { ...input, ...withoutUndefined({ primaryLocale: locale }) }
    return { structured: outcomeOf(await draftTemplate(app, workspace, body)) }
  },
  /** Something may send by this slug already. */
  async ask(app, { workspace }, { locale, ...input }) {
    const body = { ...input, status: 'draft' as const, ...withoutUndefined({ primaryLocale: locale }) }
    const structured = outcomeOf(await draftTemplate(app, workspace, body))
    const why = 'It is a draft, because you have read text by people outside this workspace: a person publishes it.'
    return { structured, text: (json) => `${why}\n\n${json}` }
  },
})

const importTemplate = defineTool({
  name: 'import_template',
  scope: 'transactional.write',
  title: 'Import a template',
  says: {
    purpose: 'Makes a draft template of the HTML or MJML of a mail. It is parsed and written anew, looking the same.',
    notFor: 'Writing a new mail: use create_template with a component tree.',
    returns: '`id`, `kind` of its content, `variables`, and in `warnings` what was left out, e.g. scripts and forms.',
    whenToUse: 'When a mail exists as HTML or MJML and has to keep its look.',
  },
  input: Type.Object(
    {
      name,
      subject,
      kind: Type.Union(sourceKinds.map((kind) => Type.Literal(kind))),
      source: Type.String({ minLength: 1, maxLength: maxSourceBytes, description: 'At most 512 KB.' }),
      id: Type.Optional(slug('The slug. Default: made from the name.')),
      locale,
    },
    closed,
  ),
  output: Type.Object({ ...templateOutput.properties, kind: text }),
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { kind: given, source, locale, ...input }) {
    const { kind, content, warnings } = await importContent(app, workspace, { kind: given, source })
    const body = { ...input, content, status: 'draft' as const, ...withoutUndefined({ primaryLocale: locale }) }
    const view = await draftTemplate(app, workspace, body)
    return { structured: { ...outcomeOf(view), kind, warnings } }
  },
})

const updateTemplate = defineTool({
  name: 'update_template',
  scope: 'transactional.write',
  title: 'Update a template',
  says: {
    purpose: 'Changes a template. `content` replaces the whole tree of one locale: the primary one, or `locale`.',
    notFor: 'Creating a template (create_template), or mail that was already accepted: it keeps its content.',
    returns: '`id`, `status`, `revisionId`, `variables` and `warnings` after the change.',
    whenToUse:
      'To change the text or layout of a mail. Give `expectedRevisionId` so that you do not overwrite a concurrent change.',
  },
  input: Type.Object(
    {
      id: slug('The slug.'),
      name: Type.Optional(name),
      subject: Type.Optional(subject),
      content: Type.Optional(contentArgument),
      locale,
      expectedRevisionId: Type.Optional(Type.String({ maxLength: 100 })),
    },
    closed,
  ),
  output: Type.Object({ ...templateOutput.properties, ...heldFields }),
  touches: { reads: 'own', acts: 'outside' },
  actsAtOnce: true,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, input) {
    return { structured: outcomeOf(await writeTemplate(app, workspace, input)) }
  },
  /** What nobody sends yet stays a draft, and is changed. */
  async ask(app, caller, input) {
    const { workspace } = caller
    const { status } = await getTemplate(app, workspace.id, input.id)
    if (status === 'draft' && input.locale === undefined)
      return { structured: outcomeOf(await writeTemplate(app, workspace, { ...input, status })) }
    const { id: approvalId } = await keep(app, caller, { action: 'update_template', input })
    const structured = { ...outcomeOf(await getTemplateView(app, workspace, input.id)), held: true, approvalId }
    return toldOf(app, caller, structured, 'The template is as it was')
  },
})

const deleteTemplate = defineTool({
  name: 'delete_template',
  scope: 'transactional.write',
  title: 'Delete a template',
  says: {
    purpose: 'Deletes a template with all its locales.',
    notFor: 'Pausing one. Mail that was already accepted is still sent.',
    returns: '`success`.',
    whenToUse: 'Only when a person asked to delete exactly this template.',
  },
  input: Type.Object({ id: slug('The slug.') }, closed),
  output: Type.Object({ success: Type.Boolean(), ...heldFields }),
  touches: { reads: 'own', acts: 'outside' },
  actsAtOnce: true,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { id }) {
    await removeTemplate(app, workspace, { id })
    return { structured: { success: true } }
  },
  async ask(app, caller, input) {
    const { id: approvalId } = await keep(app, caller, { action: 'delete_template', input })
    return toldOf(app, caller, { success: false, held: true, approvalId }, 'The template is still there')
  },
})

export const workspaceTools: Tool<WorkspaceCaller>[] = [
  listMailboxesTool,
  createTemplate,
  importTemplate,
  updateTemplate,
  deleteTemplate,
]

type TemplateOutcome = typeof templateOutput.static

function outcomeOf(
  view: Omit<TemplateOutcome, 'warnings'> & { warnings?: TemplateOutcome['warnings'] },
): TemplateOutcome {
  const { id, status, revisionId, variables, warnings = [] } = view
  return { id, status, revisionId, variables, warnings }
}
