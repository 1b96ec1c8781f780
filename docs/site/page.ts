// The frame of every page of the documentation: its head, the way to all others, and the one before and after it.

import { quoted, type Rendered } from './markdown.ts'

interface Listed {
  /** `campaigns`, as in `/docs/campaigns`. */
  name: string
  title: string
}

export interface Frame {
  chapters: { name: string; pages: Listed[] }[]
  /** The names of the files that every page loads. */
  style: string
  script: string
}

export interface Content {
  title: string
  /** Of the page in the list that is shown; null for one that stands in no chapter. */
  here: string | null
  body: string
  contents?: Rendered['contents']
}

export function framed({ chapters, style, script }: Frame, { title, here, body, contents = [] }: Content): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${quoted(title)} · Paquebot</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/files/${style}">
<link rel="service-desc" type="application/vnd.oai.openapi+json" href="/openapi.json">
<script type="module" src="/docs/files/${script}"></script>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs">Paquebot <span>docs</span></a>
<form role="search" action="/docs/search">
<label class="unseen" for="query">Search the documentation</label>
<input id="query" name="q" type="search" placeholder="Search" autocomplete="off" aria-keyshortcuts="/">
<ul id="results" role="listbox" aria-label="Pages found" hidden></ul>
</form>
<nav aria-label="Elsewhere"><a class="to-pages" href="#pages">Pages</a> <a href="/docs/reference">API reference</a> <a href="/dashboard">Dashboard</a></nav>
</header>
<div class="columns">
<main id="content" tabindex="-1">
<article>
${body}
</article>
${neighbours(chapters, here)}
</main>
${contentsOf(contents)}
<nav id="pages" aria-label="Pages">
${chapters.map((chapter) => chapterList(chapter, here)).join('\n')}
</nav>
</div>
</body>
</html>
`
}

function chapterList({ name, pages }: Frame['chapters'][number], here: string | null): string {
  const items = pages.map(
    (page) =>
      `<li><a href="/docs/${page.name}"${page.name === here ? ' aria-current="page"' : ''}>${quoted(page.title)}</a></li>`,
  )
  return `<h2>${quoted(name)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

function contentsOf(contents: Rendered['contents']): string {
  if (contents.length < 2) return ''
  const items = contents.map(({ anchor, heading }) => `<li><a href="#${anchor}">${quoted(heading)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary><ul>\n${items.join('\n')}\n</ul></details></nav>`
}

function neighbours(chapters: Frame['chapters'], here: string | null): string {
  const all = chapters.flatMap(({ pages }) => pages)
  const at = all.findIndex(({ name }) => name === here)
  if (at === -1) return ''
  const link = (page: Listed | undefined, rel: string, says: string) =>
    page ? `<a rel="${rel}" href="/docs/${page.name}"><span>${says}</span> ${quoted(page.title)}</a>` : ''
  return `<nav class="neighbours" aria-label="Before and after">${link(all[at - 1], 'prev', 'Before')}${link(all[at + 1], 'next', 'Next')}</nav>`
}
