// Runs the inspection of a mail's HTML on the side thread: the HTML, or values in it, may come from a stranger.

import { defineSideWork } from '../../../kit/aside.ts'
import type { Issue } from '../../../kit/error.ts'
import { maxHtmlBytes } from '../rendering/compile.ts'
import { finding } from './finding.ts'
import type { HtmlInspection } from './inspect-html.ts'

export const htmlInspection = defineSideWork({
  name: 'inspect-html',
  async run({ html, text }: { html: string | null; text: string }): Promise<HtmlInspection> {
    const { inspectHtml } = await import('./inspect-html.ts')
    return inspectHtml(html, text)
  },
  whenStuck({ html }) {
    const htmlBytes = Buffer.byteLength(html ?? '')
    const nothing = { links: [], clientGaps: [], isClipped: htmlBytes > maxHtmlBytes }
    return {
      findings: [finding(notInspected('its links, its contrast and what clients make of it'))],
      htmlBytes,
      ...nothing,
    }
  },
})

export const contrastCheck = defineSideWork({
  name: 'contrast',
  async run(html: string): Promise<Issue[]> {
    const { contrastFaults } = await import('./contrast.ts')
    return contrastFaults(html)
  },
  whenStuck: () => [notInspected('its contrast')],
})

function notInspected(what: string): Issue {
  return {
    path: 'html',
    code: 'not_inspected',
    message: `This mail takes too long to read: ${what} was not checked.`,
  }
}
