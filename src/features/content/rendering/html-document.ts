// The document around a mail's body: head, style sheets, the hidden preheader and the page's background.

import type { Page } from './component.ts'
import { withoutFrames } from './conditional.ts'
import { bodyHtml } from './html-layout.ts'
import type { Node } from './nodes.ts'
import { outlookFont, styleSheets } from './theme.ts'

/** Invisible characters after the preheader keep the mail's first words out of the inbox preview. */
const previewFiller = '\u034f\u200c\u00a0'.repeat(60)

const outlookHead = (font: string) =>
  `<!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript><style>body,table,td,p,a,h1,h2,h3,li,span{font-family:${font}!important;mso-line-height-rule:exactly}</style><![endif]-->`

export function documentHtml(content: Node[], page: Page, copy: { subject: string; previewText: string }): string {
  const { slots, direction, locale, ground } = page
  const pageClass = ground.switches ? ' class="m-page"' : ''
  const language = `lang="${slots.attribute(locale)}" dir="${direction}"`
  const title = slots.attribute(copy.subject)
  const styles = styleSheets.map((sheet) => `<style>${sheet}</style>`).join('\n')
  return `<!doctype html>
<html ${language} xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
${outlookHead(outlookFont(page.font))}
${styles}
</head>
<body${pageClass} style="margin:0;padding:0;background-color:${ground.color};font-family:${page.font};">
${preheader(page, copy.previewText)}<div role="article" aria-roledescription="email" aria-label="${title}" ${language}>
<table role="presentation"${pageClass} width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${ground.color};"><tr><td align="center" style="padding:${edgePadding(content)};">${bodyHtml(content, page)}</td></tr></table>
</div>
</body>
</html>
`
}

export function preheader(page: Page, previewText: string): string {
  if (previewText === '') return ''
  const hidden = 'display:none;max-height:0;max-width:0;overflow:hidden;mso-hide:all;'
  return `<div style="${hidden}">${page.slots.attribute(previewText)}${previewFiller}</div>\n`
}

/** A header and a footer bring their own space; a bare card needs some. */
function edgePadding(nodes: Node[]): string {
  const content = withoutFrames(nodes)
  const top = content[0]?.type === 'header' ? 0 : 32
  const bottom = content.at(-1)?.type === 'footer' ? 0 : 40
  return `${top}px 0 ${bottom}px`
}
