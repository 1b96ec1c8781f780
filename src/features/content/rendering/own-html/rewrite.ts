// Runs the rewriting of a caller's HTML (write.ts) on the side thread, because the caller decides how long it takes.

import { defineSideWork } from '../../../../kit/aside.ts'
import type { Rewritten } from './write.ts'

export const rewriting = defineSideWork({
  name: 'rewrite-html',
  async run(html: string): Promise<Rewritten> {
    const { rewriteHtml } = await import('./write.ts')
    return rewriteHtml(html)
  },
  whenStuck: () => ({ fault: 'takes too long to read' }),
})
