// Looking at the HTML of a mail, as work of the side thread: a stranger may have written it, or the values in it.

import { defineSideWork } from '../lib/aside.ts'
import type { Issue } from '../lib/error.ts'
import type { HtmlInspection } from './inspect-html.ts'

export const htmlInspection = defineSideWork({
  name: 'inspect-html',
  async run({ html, text }: { html: string | null; text: string }): Promise<HtmlInspection> {
    const { inspectHtml } = await import('./inspect-html.ts')
    return inspectHtml(html, text)
  },
})

export const contrastCheck = defineSideWork({
  name: 'contrast',
  async run(html: string): Promise<Issue[]> {
    const { contrastFaults } = await import('./contrast.ts')
    return contrastFaults(html)
  },
})
