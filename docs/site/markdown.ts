// One Markdown file as a page: its HTML with anchors as a forge makes them, its sections for the search, and its links. Shell blocks name
// the address of the installation and a key to fill in.

import { ownValue } from '../../src/kit/own-value.ts'

interface Section {
  /** Empty for what comes before the first heading. */
  anchor: string
  heading: string
  text: string
}

export interface Rendered {
  title: string
  /** The first paragraph, as text. */
  says: string
  html: string
  /** The headings of the second level. */
  contents: { anchor: string; heading: string }[]
  sections: Section[]
}

/** What stands in a page where the address of the installation belongs: the server puts it there. */
const addressMark = '{{BASE_URL}}'

const keyMark = 'pqk_YOUR_KEY'
const exampleAddress = 'http://127.0.0.1:3000'

/** `linkTo`: where a link of the file leads on the site; null where it leads nowhere there. */
export function renderMarkdown(text: string, linkTo: (href: string) => string | null): Rendered {
  const anchorOf = anchors()
  const contents: Rendered['contents'] = []
  const html = Bun.markdown
    .html(withAddress(text), { tables: true })
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level: string, inner: string) => {
      const heading = plain(inner)
      const anchor = anchorOf(heading)
      if (level === '1') return `<h1>${inner}</h1>`
      if (level === '2') contents.push({ anchor, heading })
      return `<h${level} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="Link to ${quoted(heading)}">#</a></h${level}>`
    })
    .replace(/<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs, (_, href: string, rest: string, inner: string) => {
      const to = linkTo(href)
      return to === null ? inner : `<a href="${to}"${rest}>${inner}</a>`
    })
    .replace(/<img src="([^"]*)"/g, (_, source: string) => `<img loading="lazy" src="${linkTo(source) ?? ''}"`)
    .replace(/<thead>\s*<tr>(\s*<th[^>]*><\/th>)+\s*<\/tr>\s*<\/thead>\s*/g, '')
    .replace(/<th([^>]*)><\/th>/g, '<td$1></td>')
    .replace(/<table>.*?<\/table>/gs, withNamesOfColumns)
    .replace(/<table>/g, '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<t([dh])\b[^>]*>.*?<\/t\1>/gs, (cell) =>
      cell.replace(/<code>.*?<\/code>/gs, (code) => code.replace(/(?<=[a-z}])[/_.,:=@-](?=[a-z{])/gi, '$&<wbr>')),
    )
    .replace(/<pre><code(?: class="language-(\w+)")?>(.*?)<\/code><\/pre>/gs, (_, language: string, code: string) =>
      codeBlock(language ?? 'text', code),
    )
  const title = plain(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')
  return { title, says: plain(/<p>(.*?)<\/p>/s.exec(html)?.[1] ?? ''), html, contents, sections: sectionsOf(html) }
}

/** Each cell says of which column it is: where a row is drawn as a block, nothing else does. */
function withNamesOfColumns(table: string): string {
  const names = Array.from(
    table.matchAll(/<th\b[^>]*>(.*?)<\/th>|<td\b[^>]*>\s*<\/td>(?=.*<\/thead>)/gs),
    ([, name = '']) => plain(name),
  )
  return table.replace(/<tr>.*?<\/tr>/gs, (row) => {
    let at = 0
    return row.replace(/<td\b/g, (cell) => {
      const name = names[at++] ?? ''
      return name === '' ? cell : `${cell} data-of="${quoted(name)}"`
    })
  })
}

/** Shell blocks as they can be pasted here: a block that sets a variable by itself keeps its name. */
function withAddress(text: string): string {
  return text.replace(/^```sh\n(.*?)^```$/gms, (_, block: string) => {
    const sets = (name: string) => new RegExp(`(^|\\s)${name}=(?!\\$${name}\\b)`, 'm').test(block)
    const filled = block
      .replaceAll(exampleAddress, addressMark)
      .replace(/\$API\b/g, sets('API') ? '$API' : addressMark)
      .replace(/\$KEY\b/g, sets('KEY') ? '$KEY' : keyMark)
    return `\`\`\`sh\n${filled}\`\`\``
  })
}

function codeBlock(language: string, code: string): string {
  const filled = code.replaceAll(keyMark, `<span class="key">${keyMark}</span>`)
  return `<div class="code" data-language="${language}"><pre tabindex="0" role="group" aria-label="${language === 'sh' ? 'Shell' : 'Text'}"><code>${filled}</code></pre></div>`
}

/** As GitHub, Forgejo and GitLab name them: a heading that comes again gets a number. */
function anchors(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}

/** The text under each heading; a row of a table that has an anchor of its own is a section. */
function sectionsOf(html: string): Section[] {
  const parts = html.split(/(?=<h[1-6][ >]|<tr>\s*<td\b[^>]*><a id=)/)
  return parts
    .map((part) => ({
      anchor: / id="([^"]*)"/.exec(part)?.[1] ?? '',
      heading: plain(
        (/^<h[1-6][^>]*>(.*?)(?: <a class="anchor".*?)?<\/h/s.exec(part) ?? /<code>(.*?)<\/code>/s.exec(part))?.[1] ??
          '',
      ),
      text: proseFirst(part.replace(/^<h[1-6].*?<\/h[1-6]>/s, '')),
    }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

/** What is found is shown by its sentence: code is only read where no sentence has the word. */
function proseFirst(html: string): string {
  const blocks = /<pre.*?<\/pre>/gs
  const code = (html.match(blocks) ?? []).join(' ').replaceAll(addressMark, '')
  return plain(`${html.replace(blocks, ' ')} ${code}`)
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** HTML as text. */
function plain(html: string): string {
  return html
    .replace(/<\/(td|th|li|p|pre|tr)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ownValue(entities, entity) ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

export function quoted(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? '&quot;')
}
