// An agent that is to write a mail begins with a finished one: it calls what the REST route calls and contains no rules.

import { Type } from '@sinclair/typebox'
import { getStarter } from '../../features/content/starters/starters.ts'
import { useStarter } from '../../features/content/starters/use.ts'
import { getTemplateView } from '../../features/content/templates/draft.ts'
import type { WorkspaceCaller } from './callers.ts'
import { defineTool, type Tool } from './tool.ts'

const text = Type.String()
const names = Type.Array(text)

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

export const starterTools: Tool<WorkspaceCaller>[] = [use]
