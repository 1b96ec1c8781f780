// A picture from the web, or of an attachment.

import { type Static, Type } from '@sinclair/typebox'
import { defineComponent, type Page } from '../component.ts'
import { alignment, hasTarget } from '../html-copy.ts'
import { address, align, flag, picture, pixels, shared, words } from '../properties.ts'
import { linkText, wrap } from '../text-copy.ts'
import { ink, type Surface } from '../theme.ts'

const schema = Type.Object(
  {
    ...shared,
    src: picture(),
    alt: Type.Optional(words()),
    href: Type.Optional(address()),
    width: Type.Optional(pixels(12, 600)),
    height: Type.Optional(pixels(1, 2000)),
    align: Type.Optional(align()),
    borderRadius: Type.Optional(pixels(0, 300)),
    notrack: Type.Optional(flag()),
  },
  {
    description:
      'An image from the web; in a template also one that each send attaches (`cid:` and its `contentId`). `alt` is read by screen readers, and shown where images are not loaded.',
  },
)

export const image = defineComponent({
  schema,
  html: imageHtml,
  text: (node, page) => (node.alt ? [wrap(linkText(page, `[${page.slots.plain(node.alt)}]`, node.href))] : []),
  isWide: true,
  doubt: ({ alt }) =>
    alt
      ? null
      : {
          name: 'alt',
          code: 'missing_alt',
          message: 'The image has no alternative text; readers without images see nothing.',
        },
  makesLink: ({ href }) => hasTarget(href),
})

function imageHtml(node: Static<typeof schema>, page: Page, surface: Surface): string {
  const width = Math.min(node.width ?? surface.width, surface.width)
  // A height belongs to a width: where the picture shrinks, the height follows.
  const height = node.height && width === (node.width ?? width) ? ` height="${node.height}"` : ''
  const copy = ink(surface, 'muted', undefined, page.accent)
  // An image that fills its place still fills it where a phone makes the place wider than computed.
  const className = [copy.className, width === surface.width ? 'm-img' : ''].filter(Boolean).join(' ')
  const { color } = copy
  const align = alignment(node.align, page)
  const centring = align === 'center' ? 'margin:0 auto;' : align === 'right' ? 'margin:0 0 0 auto;' : ''
  const style = `display:block;${centring}width:100%;max-width:${width}px;height:auto;border:0;${node.borderRadius ? `border-radius:${node.borderRadius}px;` : ''}color:${color};font-family:${page.font};font-size:14px;line-height:20px;`
  const picture = `<img src="${page.slots.image(node.src)}" alt="${page.slots.attribute(node.alt ?? '')}" width="${width}"${height}${className ? ` class="${className}"` : ''} style="${style}">`
  const linked = hasTarget(node.href)
    ? `<a href="${page.slots.link(node.href)}" style="text-decoration:none;">${picture}</a>`
    : picture
  return `<div align="${align}">${linked}</div>`
}
