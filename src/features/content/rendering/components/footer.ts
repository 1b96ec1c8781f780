// The foot of a mail: company, address, and the link to unsubscribe, which a marketing mail shows whatever the footer says when nothing
// else in it does.

import { type Static, Type } from '@sinclair/typebox'
import { type AnyNode, defineBranch, type Page, type TextPage } from '../component.ts'
import { layoutTable, spacer } from '../html-box.ts'
import { copyAttributes } from '../html-copy.ts'
import { align, colour, flag, shared, words } from '../properties.ts'
import { wrap } from '../text-copy.ts'
import type { Surface } from '../theme.ts'
import { unsubscribeLabel } from '../wording.ts'

const schema = Type.Object(
  {
    ...shared,
    text: Type.Optional(words()),
    companyName: Type.Optional(words()),
    address: Type.Optional(words()),
    showUnsubscribe: Type.Optional(flag()),
    align: Type.Optional(align()),
    color: Type.Optional(colour()),
  },
  {
    description:
      'The footer of the mail: company, address, and the unsubscribe link. Not inside a header or footer, nor in an if or each.',
  },
)

type FooterNode = Static<typeof schema> & { children?: AnyNode[] }

export const footer = defineBranch({
  schema,
  html: footerHtml,
  text: (node, page) => ['-- ', ...page.blocks(node.children ?? []), ...footerText(node, page)],
  notInside: ['header', 'footer', 'if', 'each'],
  isWide: true,
  makesLink: () => true,
  words: ({ text = '', showUnsubscribe }) => [text, ...(showUnsubscribe === false ? [] : ['{{unsubscribe_url}}'])],
})

function footerHtml(node: FooterNode, page: Page, surface: Surface): string {
  const { slots } = page
  const align = node.align ?? 'center'
  const copy = { tone: 'muted' as const, fontSize: 13, lineHeight: 155, color: node.color, align }
  const linkLook = copyAttributes(page, surface, { ...copy, extra: 'text-decoration:underline;' })
  const name = isolated(slots.text(node.companyName ?? '{{company_name}}'), page)
  const address = isolated(slots.text(node.address ?? '{{company_address}}'), page)
  const parts = [
    ...(node.text ? [slots.text(node.text)] : []),
    `<strong style="font-weight:600;">${name}</strong><br>${address}`,
    ...(showsUnsubscribe(node, page)
      ? [`<a href="${slots.link('{{unsubscribe_url}}')}" ${linkLook}>${slots.text(unsubscribeLabel(page.locale))}</a>`]
      : []),
  ]
  const rows = parts.map((part, index) => {
    const look = copyAttributes(page, surface, copy)
    return `<tr><td style="padding:${index === 0 ? 0 : 10}px 0 0;"><p ${look}>${part}</p></td></tr>`
  })
  const children = node.children?.length ? `${page.rows(node.children, surface)}${spacer(16)}` : ''
  return `${children}<table ${layoutTable} width="100%">${rows.join('')}</table>`
}

/** A Latin address in a right-to-left mail keeps its own order. */
function isolated(text: string, page: Page): string {
  return page.direction === 'rtl' ? `<span dir="auto">${text}</span>` : text
}

function showsUnsubscribe(node: FooterNode, { kind, keepsUnsubscribe }: Pick<Page, 'kind' | 'keepsUnsubscribe'>) {
  return kind === 'marketing' && (node.showUnsubscribe !== false || keepsUnsubscribe)
}

function footerText(node: FooterNode, page: TextPage): string[] {
  const company = `${page.slots.plain(node.companyName ?? '{{company_name}}')}\n${page.slots.plain(node.address ?? '{{company_address}}')}`
  const leave = `${unsubscribeLabel(page.locale)}: ${page.slots.link('{{unsubscribe_url}}', 'plain')}`
  return [
    ...(node.text ? [wrap(page.slots.plain(node.text))] : []),
    wrap(company),
    ...(showsUnsubscribe(node, page) ? [leave] : []),
  ]
}
