// What a block holds in one language is written, and put into all that use it, in one transaction.

import { type App, type Reader, write } from '../../../core/app.ts'
import { AppError, shownWarnings } from '../../../kit/error.ts'
import { parseTree } from '../rendering/tree.ts'
import { checkedLocale } from '../templates/contents.ts'
import { type BlockContent, changeBlockContent, findBlockContent } from './blocks.ts'
import { type contentBody, toContentView } from './schema.ts'
import { spreadBlock } from './spread.ts'
import { toUsesView } from './uses.ts'

/** Throws 422 where it would not fit into something that uses it. */
export async function putBlockLocale(
  app: App,
  workspaceId: string,
  { blockId, locale: given }: { blockId: string; locale: string },
  body: typeof contentBody.static,
) {
  const { content, warnings } = parseTree(body.content)
  const locale = checkedLocale('locale', given)
  const change = { locale, content, expectedRevisionId: body.expectedRevisionId }
  const uses = await write(app, async (tx) => {
    await changeBlockContent(tx, workspaceId, blockId, change)
    return await spreadBlock(tx, workspaceId, blockId)
  })
  const stored = toContentView(await contentOfBlock(app, blockId, locale))
  return { ...stored, renewed: toUsesView(uses), ...shownWarnings(warnings) }
}

/** Throws `not_found`. */
export async function contentOfBlock(reader: Reader, blockId: string, locale: string): Promise<BlockContent> {
  const content = await findBlockContent(reader, blockId, locale)
  if (content) return content
  throw new AppError('not_found', `the block has no content in ${locale}`)
}
