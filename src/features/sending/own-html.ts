// A caller's HTML as it is stored, shown and sent: rewritten by us (rendering/own-html/). Raw HTML is never sent.

import type { App } from '../../core/app.ts'
import { contentIdsIn } from '../../kit/content-id.ts'
import { type Issue, invalidField } from '../../kit/error.ts'
import { rewriting } from '../content/rendering/own-html/rewrite.ts'

export interface OwnHtml {
  html: string
  /** What was left out of it. */
  warnings: Issue[]
  /** The pictures that it shows as `cid:…`. */
  shows: string[]
}

/** Throws 422 for HTML that is not read. */
export async function writeOwnHtml(app: App, html: string): Promise<OwnHtml> {
  const written = await app.aside.run(rewriting, html, html.length)
  if ('fault' in written) throw invalidField('html', written.fault, 'unreadable')
  return { html: written.html, warnings: written.leftOut, shows: contentIdsIn(written.html) }
}

export type WriteHtml = (html: string) => Promise<OwnHtml>

/** For the mails of one request, which may all bring the same. */
export function writesOnce(app: App): WriteHtml {
  const known = new Map<string, Promise<OwnHtml>>()
  return (html) => {
    const written = known.get(html) ?? writeOwnHtml(app, html)
    known.set(html, written)
    return written
  }
}
