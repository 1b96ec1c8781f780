// The documentation as the files that a browser loads: a page for each Markdown file, what they show and offer, the index of the search,
// a script and a style sheet. A link that leads nowhere stays text (a test finds it).

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type BuiltFile, built } from '../../dashboard/built.ts'
import type { Entry } from '../../src/doors/ui/docs-search.ts'
import { type Chapter, chapters, lastChapter } from './chapters.ts'
import { quoted, type Rendered, renderMarkdown } from './markdown.ts'
import { type Frame, framed } from './page.ts'

const root = join(import.meta.dir, '../..')

interface Page extends Rendered {
  name: string
  /** The page of the list that is shown as open. */
  here: string
}

/** Where the list of routes belongs on the first page, and what was found on the page of results: the server writes both. */
export const routesMark = '{{ROUTES}}'
export const resultsMark = '{{RESULTS}}'

export async function buildDocs(): Promise<BuiltFile[]> {
  const files = new Map<string, string>()
  const pages = readPages(files)
  const titles = new Map(pages.map(({ name, title }) => [name, title]))
  const listed = withUnlisted(pages).map(({ name, pages }) => ({
    name,
    pages: pages.map((file) => ({ name: nameOf(file), title: shortTitle(titles.get(nameOf(file)) ?? '') })),
  }))
  const assets = await bundle()
  const frame: Frame = { chapters: listed, style: assets.style.name, script: assets.script.name }
  const made: [string, string | Uint8Array][] = [
    ...pages.map(({ name, title, here, html, contents }): [string, string] => [
      `${name}.html`,
      framed(frame, { title, here, body: named(html, titles), contents }),
    ]),
    ['index.html', framed(frame, { title: 'Documentation', here: null, body: firstPage(listed, pages) })],
    ['search.html', framed(frame, { title: 'Search', here: null, body: `<h1>Search</h1>\n${resultsMark}` })],
    ['search.json', JSON.stringify(pages.flatMap(entriesOf))],
    ...[assets.style, assets.script].map(({ name, bytes }): [string, Uint8Array] => [`files/${name}`, bytes]),
    ...[...files].map(([path, file]): [string, Uint8Array] => [`files/${path}`, readFileSync(file)]),
  ]
  return made.map(([name, bytes]) => built(`docs/${name}`, bytes))
}

/** A link that says only the name of a file says the title of its page. */
function named(html: string, titles: Map<string, string>): string {
  return html.replace(
    /(<a href="\/docs\/([\w/-]+)(?:#[^"]*)?">)[\w-]+\.md<\/a>/g,
    (link, opening: string, name: string) => {
      const title = titles.get(name)
      return title === undefined ? link : `${opening}${quoted(title)}</a>`
    },
  )
}

async function bundle() {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'browser.ts')],
    target: 'browser',
    minify: true,
    naming: 'docs-[hash].[ext]',
  })
  const one = async (ending: string) => {
    const output = outputs.find(({ path }) => path.endsWith(ending))
    if (!output) throw new Error(`the documentation has no ${ending}`)
    return { name: basename(output.path), bytes: new Uint8Array(await output.arrayBuffer()) }
  }
  return { style: await one('.css'), script: await one('.js') }
}

/** `files` gets what the pages show and offer besides: pictures, examples. */
function readPages(files: Map<string, string>): Page[] {
  const decisions = markdownIn('docs/decisions')
  const sources = [...markdownIn('docs'), ...chapters.flatMap(outside), ...decisions]
  const known = new Set([...sources, 'docs/decisions'])
  const pages = sources.map((path) => {
    const link = (href: string) => linkFrom(path, href, known, files)
    const name = nameOf(relative(join(root, 'docs'), join(root, path)))
    const here = name.startsWith('decisions/') ? 'decisions' : name
    return { name, here, ...renderMarkdown(readFileSync(join(root, path), 'utf8'), link) }
  })
  return [...pages, listOf(pages.filter(({ name }) => name.startsWith('decisions/')))]
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name))
}

function outside({ pages }: Chapter): string[] {
  return pages.filter((page) => page.startsWith('../')).map((page) => page.slice(3))
}

/** `campaigns`, `architecture`, `decisions/0001-one-writer`. */
function nameOf(path: string): string {
  return path
    .replace(/^\.\.\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()
}

function linkFrom(from: string, href: string, known: Set<string>, files: Map<string, string>): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = relative(root, join(root, dirname(from), path))
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (target === 'README.md') return '/docs'
  if (known.has(target)) return `/docs/${nameOf(relative('docs', target))}${hash}`
  const file = join(root, target)
  // A source file is not on the site: its name is enough.
  if (!existsSync(file) || statSync(file).isDirectory() || /\.tsx?$/.test(target)) return null
  const name = target.replace(/^docs\//, '')
  files.set(name, file)
  return `/docs/files/${name}`
}

/** The page of a folder. */
function listOf(records: Page[]): Page {
  const items = records.map(({ name, title }) => `<li><a href="/docs/${name}">${quoted(title)}</a></li>`)
  const says =
    'Why it is made as it is: one page for each decision that was not plain, with what was tried and measured.'
  const html = `<h1>Decisions</h1>\n<p>${says}</p>\n<ul>\n${items.join('\n')}\n</ul>`
  return { name: 'decisions', here: 'decisions', title: 'Decisions', says, html, contents: [], sections: [] }
}

function withUnlisted(pages: Page[]): Chapter[] {
  const named = new Set(chapters.flatMap(({ pages }) => pages.map(nameOf)))
  const rest = pages.map(({ name }) => name).filter((name) => !named.has(name) && !name.startsWith('decisions/'))
  const there = new Set(pages.map(({ name }) => name))
  const known = chapters.map(({ name, pages }) => ({ name, pages: pages.filter((page) => there.has(nameOf(page))) }))
  return rest.length === 0 ? known : [...known, { name: lastChapter, pages: rest }]
}

/** What stands before a colon is enough in a list. */
function shortTitle(title: string): string {
  return title.split(': ')[0] ?? title
}

function firstPage(listed: Frame['chapters'], pages: Page[]): string {
  const says = new Map(pages.map((page) => [page.name, firstSentence(page.says)]))
  const chapter = ({ name, pages }: Frame['chapters'][number]) => `<section>
<h2>${quoted(name)}</h2>
<dl>
${pages.map(({ name, title }) => `<div><dt><a href="/docs/${name}">${quoted(title)}</a></dt><dd>${quoted(says.get(name) ?? '')}</dd></div>`).join('\n')}
</dl>
</section>`
  return `<h1>Documentation</h1>
<p class="lead">How to send, receive and understand mail with this installation. Begin with the
<a href="/docs/quick-start">quick start</a>, or with the <a href="/docs/concepts">words</a> that everything else uses. Press <kbd>/</kbd> to search.</p>
<p class="lead">The <a href="/docs/reference">API reference</a> lets you try every route; the same as a document for programs: <a href="/openapi.json">openapi.json</a>.
Every error code has <a href="/docs/errors">its row</a>.</p>
<div class="chapters">
${listed.map(chapter).join('\n')}
</div>
${routesMark}`
}

/** A sentence may end at a colon, but not at that of `In one sentence:`. */
function firstSentence(text: string): string {
  return (/^.{20,}?[.:!?](?= |$)/.exec(text)?.[0] ?? text).replace(/:$/, '.')
}

function entriesOf({ name, title, sections }: Page): Entry[] {
  return sections.map(({ anchor, heading, text }) => ({
    href: anchor === '' ? `/docs/${name}` : `/docs/${name}#${anchor}`,
    page: title,
    heading: heading === '' ? title : heading,
    text,
  }))
}
