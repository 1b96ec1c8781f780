// How the functions are called that read HTML of callers and write it anew (text-functions.ts).

import { maxInspectedChars } from '../../src/features/content/inspection/inspect-html.ts'
import { LeftOut } from '../../src/features/content/rendering/own-html/left-out.ts'
import { escapeText, type Words, type Writing } from '../../src/features/content/rendering/own-html/tags.ts'
import { safeLink, safePicture } from '../../src/features/content/rendering/own-html/urls.ts'
import { createSlots } from '../../src/features/content/rendering/segments.ts'
import { maxHtmlLength } from '../../src/features/lists/moving/templates.ts'
import { type HtmlDocument, parseHtml } from '../../src/kit/html-parse.ts'
import type { Call } from './text-functions.ts'

const limit = 16_000
/** To the whole of maxHtmlLength: test/lib/html.test.ts. */
export const htmlOfAnybody: Call = { limit: Math.min(limit, maxHtmlLength, maxInspectedChars), isBeside: true }

const words: Words = { text: escapeText, value: escapeText, link: safeLink, picture: safePicture }
const writing = (): Writing => ({ words, leftOut: new LeftOut(), styles: new Map() })

function documentOf(text: string): HtmlDocument {
  const document = parseHtml(text)
  return 'fault' in document ? documentOf('') : document
}

const beside = (call: (text: string) => unknown[]): Call => ({ limit, with: call, isBeside: true })
const ofDocument = (call: (document: HtmlDocument, text: string) => unknown[]): Call => ({
  ...htmlOfAnybody,
  with: (text) => call(documentOf(text), text),
})

const folder = 'src/features/content/rendering/own-html'

export const htmlCalls: Record<string, Call> = {
  [`${folder}/css.ts writeDeclarations`]: beside((text) => [text, new LeftOut()]),
  [`${folder}/css.ts writeSheet`]: beside((text) => [text, new LeftOut()]),
  [`${folder}/outlook.ts outlookComment`]: beside((text) => [`[if mso]>${text}<![endif]`, writing()]),
  [`${folder}/outlook.ts styleElement`]: beside((text) => [text, undefined, writing()]),
  [`${folder}/write.ts rewriteHtml`]: htmlOfAnybody,
  [`${folder}/write.ts writeDocument`]: ofDocument((document) => [document, writing()]),
  [`${folder}/places.ts readPlaces`]: ofDocument((document) => [document, 'mjml']),
  [`${folder}/plain-copy.ts plainCopy`]: ofDocument((document, text) => [document, createSlots(), text.length]),
  [`${folder}/tags.ts openTag`]: beside((text) => [
    'a',
    { name: 'a', attributes: { href: text, style: text, title: text } },
    writing(),
  ]),
  'src/features/lists/moving/convert-template.ts inOurWords': { with: (text) => ['listmonk', text] },
}
