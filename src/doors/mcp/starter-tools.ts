// The tools of starters: an agent that is to write a mail begins with a finished one. They call what the REST routes call and contain no
// rules.

import { Type } from '@sinclair/typebox'
import { toStarterView } from '../../features/content/starters/schema.ts'
import { getStarter, starters } from '../../features/content/starters/starters.ts'
import { useStarter } from '../../features/content/starters/use.ts'
import { getTemplateView } from '../../features/content/templates/draft.ts'
import { defineTool, type Tool } from './tool.ts'
import type { WorkspaceCaller } from './workspace-tools.ts'

const text = Type.String()
const names = Type.Array(text)

const list = defineTool({
  name: 'list_template_starters',
  scope: 'transactional.read',
  title: 'List what a template may start from',
  says: {
    purpose: 'Lists finished mails that a template may start from: welcome, receipt, newsletter and others.',
    notFor: 'Templates of the workspace, which are its own.',
    returns: '`starters` with id, name, purpose and kind; `marketing` ones are for campaigns.',
    whenToUse: 'Before writing a template from nothing: `use_template_starter` makes a draft of one.',
  },
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ starters: Type.Array(Type.Object({ id: text, name: text, purpose: text, kind: text })) }),
  touches: { reads: 'own', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(_, { workspace }: WorkspaceCaller) {
    return { structured: { starters: starters.map((one) => toStarterView(one, workspace.primaryLocale)) } }
  },
})

const use = defineTool({
  name: 'use_template_starter',
  scope: 'transactional.write',
  title: 'Make a template of a finished mail',
  says: {
    purpose: 'Makes a draft of one of `list_template_starters`, in English and German, with its pictures.',
    notFor: 'Sending it: `update_template` writes its content, and people publish it.',
    returns: '`id`, `status`, its `locales`, and the `variables` that a send must bring.',
    whenToUse: 'When somebody wants a usual mail: it is faster and looks better than one from nothing.',
  },
  input: Type.Object(
    {
      starterId: Type.String({ maxLength: 100, description: 'Of `list_template_starters`.' }),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: that of the starter.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ id: text, name: text, status: text, locales: names, variables: names }),
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { starterId, name }) {
    const { slug } = await useStarter(app, workspace, getStarter(starterId), { name })
    const { id, name: called, status, locales, variables } = await getTemplateView(app, workspace, slug)
    return { structured: { id, name: called, status, locales, variables } }
  },
})

export const starterTools: Tool<WorkspaceCaller>[] = [list, use]
