// Conditional comments: parts of a mail that only Outlook for Windows reads, such as tables around columns and shapes of buttons. They are
// kept, because the mail falls apart in Outlook without them. A comment need not be balanced, so it is written tag by tag, by the rules of
// the surrounding mail plus the shapes of Word.

import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { standingOf, voidElements } from './allowed.ts'
import { isMedia, writeSheet } from './css.ts'
import { escapeText, openTag, type Writing } from './tags.ts'

/** `mso`, `gte mso 9`, `(gt mso 9)|(IE)`, `!mso`. */
const condition = /^[\w\s|&!().]{1,100}$/

/** As it is written; empty for a comment of another kind, which nobody reads. */
export function outlookComment(comment: string, writing: Writing): string {
  const [, asked = '', rest = ''] = /^\s{0,20}\[if ([^\]]{1,100})\]([\s\S]*)$/i.exec(comment) ?? []
  if (asked === '') return /^\s{0,20}(?:<!)?\[endif\]\s{0,20}$/i.test(comment) ? '<!--<![endif]-->' : ''
  if (!condition.test(asked)) {
    writing.leftOut.note('The comment', `[if ${asked}]`)
    return ''
  }
  // What follows is for everybody else.
  if (/^(?:>\s{0,20}<!(?:--)?\s{0,20})?$/.test(rest)) return `<!--[if ${asked}]><!-->`
  const end = rest.lastIndexOf('<![endif]')
  if (!rest.startsWith('>') || end < 0) return ''
  const inside = writeTags(rest.slice(1, end), writing)
  return inside.trim() === '' ? '' : `<!--[if ${asked}]>${inside}<![endif]-->`
}

/** Tag by tag, in their order. */
function writeTags(html: string, writing: Writing): string {
  let out = ''
  /** What is inside of it is left out. */
  let hidden: string | null = null
  let sheet: { css: string; media: string | undefined } | null = null
  const text = (chars: string) => {
    if (sheet !== null) sheet.css += chars
    else if (hidden === null) out += writing.words.text(chars)
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, attrs, selfClosing }) {
        if (hidden !== null) return
        const mode = rawModes.get(tagName)
        if (mode !== undefined) tokenizer.state = mode
        if (tagName === 'style') {
          sheet = { css: '', media: attrs.find(({ name }) => name === 'media')?.value }
          return
        }
        const standing = standingOf(tagName, true)
        if (typeof standing === 'string') {
          writing.leftOut.note('The element', `<${tagName}> ${standing}`)
          if (standing === 'with its content' && !selfClosing && !emptyElements.has(tagName)) hidden = tagName
          return
        }
        const attributes = Object.fromEntries(attrs.map(({ name, value }) => [name, value]))
        const tag = openTag(standing.as, { name: tagName, attributes }, writing)
        // Shapes are XML.
        out += selfClosing && !voidElements.has(tagName) ? `${tag.slice(0, -1)}/>` : tag
      },
      onEndTag({ tagName }) {
        if (sheet !== null && tagName === 'style') {
          out += styleElement(sheet.css, sheet.media, writing)
          sheet = null
        } else if (hidden === tagName) hidden = null
        else if (hidden === null && !voidElements.has(tagName)) {
          const standing = standingOf(tagName, true)
          if (typeof standing === 'object') out += `</${standing.as}>`
        }
      },
      onCharacter: ({ chars }: Token.CharacterToken) => text(chars),
      onWhitespaceCharacter: ({ chars }: Token.CharacterToken) => text(chars),
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
    },
  )
  tokenizer.write(html, true)
  return out
}

/** Those without an end of their own. */
const emptyElements = new Set(['base', 'embed', 'frame', 'input', 'link', 'meta', 'param', 'source', 'track'])
const rawModes = new Map([
  ['style', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
])

/** Empty when nothing of it is left. */
export function styleElement(css: string, media: string | undefined, { leftOut }: Writing): string {
  if (media !== undefined && !isMedia(media)) {
    leftOut.note('The element', `<style media="${media}">`)
    return ''
  }
  const sheet = writeSheet(css, leftOut)
  const opened = media === undefined ? '<style>' : `<style media="${escapeText(media)}">`
  return sheet === '' ? '' : `${opened}\n${sheet}\n</style>`
}
