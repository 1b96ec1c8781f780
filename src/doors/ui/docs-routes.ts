// Every route of the API by its group, as the OpenAPI document names them: the short form of the reference.

import { type Html, html } from '../../kit/page.ts'

interface Operation {
  method: string
  path: string
  tag: string
  summary: string
  operationId: string
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

export function listOfRoutes(document: unknown): Html {
  const operations = operationsOf(document)
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const groups = tags.map((tag) =>
    groupOf(
      tag,
      operations.filter((one) => one.tag === tag),
    ),
  )
  return html`<section class="routes"><h2 id="api-reference">API reference</h2>
<p>${operations.length} routes. Each leads to its place in <a href="/docs/reference">the reference</a>, with its fields, its answers and a form to try it.</p>
${groups}</section>`
}

function groupOf(tag: string, operations: Operation[]): Html {
  const rows = operations.map(
    ({ method, path, summary, operationId }) =>
      html`<tr><td><a href="/docs/reference#/${encodeURIComponent(tag)}/${operationId}"><code>${method} ${path}</code></a></td><td>${summary}</td></tr>`,
  )
  return html`<details><summary>${tag} <span class="muted">${operations.length}</span></summary><div class="wide" tabindex="0" role="group" aria-label="Routes of ${tag}"><table>${rows}</table></div></details>\n`
}

function operationsOf(document: unknown): Operation[] {
  return entriesOf(fieldOf(document, 'paths')).flatMap(([path, item]) =>
    entriesOf(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        tag: String(entriesOf(fieldOf(operation, 'tags'))[0]?.[1] ?? 'Others'),
        summary: String(fieldOf(operation, 'summary') ?? ''),
        operationId: String(fieldOf(operation, 'operationId') ?? ''),
      })),
  )
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function fieldOf(value: unknown, name: string): unknown {
  return entriesOf(value).find(([key]) => key === name)?.[1]
}
