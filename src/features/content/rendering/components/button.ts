// A link that looks like a button.

import { type Static, Type } from '@sinclair/typebox'
import { sixDigits } from '../../../../kit/colour.ts'
import { defineComponent, type Page } from '../component.ts'
import { alignment, hasTarget } from '../html-copy.ts'
import { withoutPlaceholders } from '../placeholders.ts'
import { address, align, colour, flag, pixels, shared, words } from '../properties.ts'
import { wrap } from '../text-copy.ts'
import { buttonClass, outlookFont, readableOn, type Surface } from '../theme.ts'

const schema = Type.Object(
  {
    ...shared,
    text: words(),
    href: address(),
    align: Type.Optional(align()),
    backgroundColor: Type.Optional(colour()),
    textColor: Type.Optional(colour()),
    borderRadius: Type.Optional(pixels(0, 64)),
    borderColor: Type.Optional(colour()),
    borderWidth: Type.Optional(pixels(0, 8)),
    paddingX: Type.Optional(pixels(0, 80)),
    paddingY: Type.Optional(pixels(0, 40)),
    fullWidth: Type.Optional(flag()),
    notrack: Type.Optional(flag()),
  },
  { description: 'A link that looks like a button.' },
)

export const button = defineComponent({
  schema,
  html: buttonHtml,
  text: ({ text, href }, { slots }) => {
    const label = wrap(slots.plain(text))
    return [hasTarget(href) ? `${label}:\n${slots.link(href, 'plain')}` : label]
  },
  isWide: true,
  wants: ['text', 'href'],
  makesLink: () => true,
  words: ({ text, href }) => [href, text],
})

/** Outlook draws the button with VML, which wants a width: it is estimated from the text. */
function buttonHtml(node: Static<typeof schema>, page: Page, surface: Surface): string {
  const background = sixDigits(node.backgroundColor ?? page.accent)
  const color = node.textColor ? sixDigits(node.textColor) : readableOn(background)
  const [paddingX, paddingY, radius] = [node.paddingX ?? 22, node.paddingY ?? 12, node.borderRadius ?? page.radius ?? 8]
  const borderWidth = node.borderWidth ?? (node.borderColor ? 1 : 0)
  const borderColor = sixDigits(node.borderColor ?? background)
  const className = buttonClass(background, surface)
  const href = page.slots.link(node.href)
  const label = page.slots.text(node.text.replaceAll('\n', ' '))
  const height = 22 + 2 * paddingY + 2 * borderWidth
  const width = node.fullWidth
    ? surface.width
    : Math.min(surface.width, Math.round(shownLength(node.text) * 8.4) + 2 * paddingX)
  const arc = Math.min(50, Math.round((radius / height) * 100))
  const stroke = borderWidth > 0 ? `strokecolor="${borderColor}" strokeweight="${borderWidth}px"` : 'stroke="f"'
  const font = `font-family:${page.font};font-size:16px;font-weight:600;`
  const shape = `${node.fullWidth ? 'display:block;' : 'display:inline-block;'}background-color:${background};border-radius:${radius}px;${borderWidth > 0 ? `border:${borderWidth}px solid ${borderColor};` : ''}padding:${paddingY}px ${paddingX}px;`
  return `<div style="text-align:${alignment(node.align, page)};"><!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="${href}" style="height:${height}px;v-text-anchor:middle;width:${width}px;" arcsize="${arc}%" ${stroke} fillcolor="${background}"><w:anchorlock/><center style="color:${color};font-family:${outlookFont(page.font)};font-size:16px;font-weight:bold;">${label}</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="${href}"${className ? ` class="${className}"` : ''} style="${shape}color:${color};${font}line-height:22px;text-align:center;text-decoration:none;">${label}</a><!--<![endif]--></div>`
}

function shownLength(text: string): number {
  return withoutPlaceholders(text, 'a name here').length
}
