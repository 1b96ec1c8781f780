// The head of a mail: a logo, a text or both.

import { type Static, Type } from '@sinclair/typebox'
import { type AnyNode, defineBranch, type Page, type TextPage } from '../component.ts'
import { boxTable, spacer } from '../html-box.ts'
import { alignment, copyAttributes, hasTarget } from '../html-copy.ts'
import { address, align, colour, picture, shared, words } from '../properties.ts'
import { linkText, wrap } from '../text-copy.ts'
import { onBackground, type Surface } from '../theme.ts'

const schema = Type.Object(
  {
    ...shared,
    logoUrl: Type.Optional(picture()),
    darkLogoUrl: Type.Optional(picture()),
    logoAlt: Type.Optional(words()),
    href: Type.Optional(address()),
    text: Type.Optional(words()),
    align: Type.Optional(align()),
    backgroundColor: Type.Optional(colour()),
  },
  {
    description: 'The header of the mail: a logo, a text or both. Not inside a header or footer, nor in an if or each.',
  },
)

type HeaderNode = Static<typeof schema> & { children?: AnyNode[] }

export const header = defineBranch({
  schema,
  html: headerHtml,
  text: (node, page) => [headerText(node, page), ...page.blocks(node.children ?? [])],
  notInside: ['header', 'footer', 'if', 'each'],
  isWide: true,
  makesLink: ({ href }) => hasTarget(href),
})

function headerHtml(node: HeaderNode, page: Page, surface: Surface): string {
  const { background } = onBackground(node.backgroundColor, surface)
  const within = { width: surface.width - (node.backgroundColor ? 48 : 0), background }
  const copy = {
    tone: 'heading' as const,
    fontSize: 18,
    lineHeight: 150,
    align: node.align,
    extra: 'font-weight:600;',
  }
  const logoUrl = node.logoUrl ?? (node.text === undefined ? page.logoUrl : null)
  const alt = page.slots.attribute(node.logoAlt ?? '{{company_name}}')
  const align = alignment(node.align, page)
  const night = node.darkLogoUrl ?? (node.logoUrl === undefined ? (page.darkLogoUrl ?? undefined) : undefined)
  const logo = logoUrl
    ? logosHtml(logoUrl, night, (url, shown, className) => {
        const extra = `${copy.extra}${shown}border:0;height:32px;width:auto;max-width:100%;`
        return `<img src="${page.slots.image(url)}" alt="${alt}" height="32" ${copyAttributes(page, within, { ...copy, extra, className })}>`
      })
    : ''
  const children = node.children ?? []
  const words = node.text ?? (logoUrl || children.length > 0 ? '' : '{{company_name}}')
  const name = words ? `<span ${copyAttributes(page, within, copy)}>${page.slots.text(words)}</span>` : ''
  const gap = logo && name ? spacer(8) : ''
  const link = hasTarget(node.href)
    ? `<a href="${page.slots.link(node.href)}" style="color:inherit;text-decoration:none;">${logo}${gap}${name}</a>`
    : `${logo}${gap}${name}`
  const brand = link ? `<div style="text-align:${align};">${link}</div>` : ''
  const below = children.length > 0 ? `${brand ? spacer(16) : ''}${page.rows(children, within)}` : ''
  return node.backgroundColor ? boxTable(node, 24, `${brand}${below}`, null, page) : `${brand}${below}`
}

/** The logo, and beside it the one for the dark, which only a client that knows the dark shows. */
function logosHtml(
  day: string,
  night: string | undefined,
  image: (url: string, shown: string, className: string) => string,
): string {
  if (night === undefined) return image(day, 'display:inline-block;', '')
  const hidden = image(night, 'display:none;mso-hide:all;', 'm-night')
  return `${image(day, 'display:inline-block;', 'm-day')}<!--[if !mso]><!-->${hidden}<!--<![endif]-->`
}

function headerText(node: HeaderNode, page: TextPage): string {
  const name = node.text ?? node.logoAlt ?? (node.children?.length ? '' : '{{company_name}}')
  return name ? wrap(linkText(page, page.slots.plain(name), node.href)) : ''
}
