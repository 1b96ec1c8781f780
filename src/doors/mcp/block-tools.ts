// The tool of blocks: an agent that writes a template finds the one to use. It calls what the REST route calls and contains no rules.

import { Type } from '@sinclair/typebox'
import { countBlocks, listBlocks } from '../../features/content/blocks/blocks.ts'
import { defineTool, type Tool } from './tool.ts'
import type { WorkspaceCaller } from './workspace-tools.ts'

const text = Type.String()
const maxListed = 100

const list = defineTool({
  name: 'list_blocks',
  scope: 'transactional.read',
  title: 'List blocks',
  says: {
    purpose: 'Lists the blocks of the workspace: pieces of content that are written once and used in many mails.',
    notFor: 'Changing one, which changes all mails that use it: people do that in the dashboard.',
    returns: '`blocks` with id, name and locales, oldest first, at most 100 of `total`.',
    whenToUse: 'Before writing a footer, a notice or a signature: use `{"type": "block", "blockId": …}` in `content`.',
  },
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    blocks: Type.Array(Type.Object({ id: text, name: text, locales: Type.Array(text) })),
    total: Type.Integer(),
  }),
  touches: { reads: 'own', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller) {
    const blocks = await listBlocks(app, workspace.id, { limit: maxListed })
    const total = await countBlocks(app, workspace.id, '')
    return { structured: { blocks: blocks.map(({ id, name, locales }) => ({ id, name, locales })), total } }
  },
})

export const blockTools: Tool<WorkspaceCaller>[] = [list]
