// The work of writing HTML of a caller anew (write.ts), for the side thread: how long it takes is up to the caller.

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
