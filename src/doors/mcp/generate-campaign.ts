// generate_campaign: a draft written by the client's own model if it offers one, else the outline of campaign-outline.ts. The model's
// text is validated like any input, and nothing is stored.

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Node } from '../../features/content/rendering/nodes.ts'
import { parseTree } from '../../features/content/rendering/tree.ts'
import { AppError } from '../../kit/error.ts'
import { parseJson } from '../../kit/json.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { WorkspaceCaller } from './callers.ts'
import { type Outline, type OutlineInput, outlineCampaign } from './campaign-outline.ts'
import { contentArgument } from './content-argument.ts'
import { askModel, writtenText } from './exchange.ts'
import { componentTree } from './resources.ts'
import { defineTool } from './tool.ts'

const maxTokens = 8_000
const text = Type.String()
const nullable = Type.Union([text, Type.Null()])

const written = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  subject: Type.String({ minLength: 1, maxLength: 500 }),
  previewText: Type.Optional(Type.String({ maxLength: 500 })),
  content: Type.Unknown(),
})

export const generateCampaign = defineTool({
  name: 'generate_campaign',
  scope: 'campaigns.write',
  title: 'Write a campaign',
  says: {
    purpose:
      'Turns a prompt into name, subject and content of a campaign, using the model of the client if it offers one (sampling).',
    notFor: 'Storing or sending: it does neither. The server has no model of its own.',
    returns:
      'The arguments of create_campaign. With `placeholder: true` they are an outline: replace every text in [brackets] first.',
    whenToUse:
      'To start a campaign from a sentence. If you can write the content yourself, call create_campaign instead.',
  },
  input: Type.Object(
    {
      prompt: Type.String({ minLength: 1, maxLength: 4_000, description: 'What the campaign should say.' }),
      mailingListId: Type.Optional(Type.String({ maxLength: 100 })),
      tone: Type.Optional(Type.String({ maxLength: 100, description: 'E.g. "warm and short".' })),
      locale: Type.Optional(Type.String({ maxLength: 35, description: 'BCP 47. Default: the locale of the brand.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    name: text,
    subject: text,
    previewText: text,
    content: Type.Unsafe<Node[]>(contentArgument),
    locale: text,
    mailingListId: nullable,
    placeholder: Type.Boolean({ description: 'True: an outline whose text is still to be written.' }),
    next: Type.String({ description: 'What to do next.' }),
  }),
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(_app, { workspace }: WorkspaceCaller, input, { canAskModel, answer }) {
    const outline = outlineCampaign(workspace, input)
    if (canAskModel && answer.kind === 'missing')
      return askModel(instructions(workspace, outline), wish(input), maxTokens)
    if (answer.kind !== 'sampling') return { structured: outline }
    return { structured: readWritten(writtenText(answer), outline) }
  },
})

function instructions({ name, brand }: Workspace, { locale }: Outline): string {
  return [
    `You write an e-mail campaign for ${brand.companyName ?? name}, in the language ${locale}.`,
    'Answer with one JSON object and nothing else: {"name": for colleagues, "subject": under 60 characters, "previewText": under 100 characters, "content": [nodes]}.',
    `Close with a node {"type": "footer"}. Say nothing that the prompt does not support, and do not invent URLs of pages or images. Variables: {{contact.firstName|a word if there is none}}.`,
    `"content" follows this JSON Schema:\n${componentTree.text()}`,
  ].join('\n\n')
}

function wish({ prompt, tone }: OutlineInput): string {
  return tone === undefined ? prompt : `${prompt}\n\nTone: ${tone}`
}

/** The model's text if it is valid; else the outline, and why. */
function readWritten(answer: string, outline: Outline): Outline {
  const json = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  try {
    const draft = parseJson(json)
    if (!Value.Check(written, draft)) throw new AppError('validation_failed', 'name, subject or content is missing')
    const { content } = parseTree(draft.content, { blocks: 'named' })
    const next =
      'Show it to your user, then call create_campaign with name, subject, previewText, mailingListId and content.'
    const { name, subject, previewText = '' } = draft
    return { ...outline, name, subject, previewText, content, placeholder: false, next }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...outline, next: `The text from the model could not be used (${error.message}). ${outline.next}` }
  }
}
