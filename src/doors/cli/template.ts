// paquebot template put | import | show | preview: what is written in a file, from the command line.

import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { columns, defineCommand, reading, readText, UsageError } from './command.ts'
import { type Answer, type Api, cells, withApi } from './with-api.ts'

const path = '/v1/transactional'
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const template = { type: 'string', value: 'ID', required: true, says: 'the id of the template' } as const
const file = {
  type: 'string',
  value: 'FILE',
  required: true,
  says: 'JSON, the body of the request; - for stdin',
} as const
/** The fields of a shown template that `template put` accepts. */
const written = ['id', 'name', 'fromName', 'fromEmail', 'replyTo', 'primaryLocale', 'status']

function readBody(from: string): Answer {
  const text = readText(from)
  const body: unknown = reading(from, () => JSON.parse(text))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new UsageError(`${from} does not contain a JSON object`)
}

function warningsOf({ warnings }: Answer): string[] {
  return Array.isArray(warnings) ? warnings.map(({ message }) => `warning: ${message}`) : []
}

const put = defineCommand({
  name: 'template put',
  says: 'Creates the template in a file, or updates the one with its id.',
  flags: { workspace, file },
  run: ({ workspace: slug, file: from }, config) => {
    const body = readBody(from)
    return withApi(config(), slug, async (api) => {
      const isThere = typeof body['id'] === 'string' && (await exists(api, body['id']))
      const json = await (isThere ? api('PUT', `${path}/update`, body) : api('POST', `${path}/create`, body))
      return { json, lines: [`Template ${json['id']} was ${isThere ? 'updated' : 'created'}.`, ...warningsOf(json)] }
    })
  },
})

async function exists(api: Api, id: string): Promise<boolean> {
  try {
    await api('GET', `${path}/${encodeURIComponent(id)}`)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false
    throw error
  }
}

const imported = defineCommand({
  name: 'template import',
  says: 'Reads a mail of HTML or MJML from a file, lists what is left out of it, and makes a draft of it, or the content of a template.',
  flags: {
    workspace,
    file: { ...file, says: 'HTML or MJML; - for stdin' },
    template: { type: 'string', value: 'ID', says: 'a template that is there; default: a new draft' },
    locale: { type: 'string', value: 'LOCALE', says: 'default: the primary locale' },
    name: { type: 'string', value: 'NAME', says: 'of a new draft; default: the title of the mail' },
    dialect: { type: 'string', value: 'SERVICE', says: 'whose placeholders it has: listmonk, mailchimp or brevo' },
  },
  run: ({ workspace: slug, file: from, template: id, locale, name, dialect }, config) => {
    const source = readText(from)
    const kind = /<mjml[\s>]/i.test(source) ? 'mjml' : 'html'
    return withApi(config(), slug, async (api) => {
      const read = await api('POST', `${path}/import`, withoutUndefined({ kind, source, dialect }))
      const { content, subject, kind: is, warnings } = read
      const title = name ?? (String(subject) || basename(from).replace(/\.\w+$/, ''))
      const json = await (id === undefined
        ? api('POST', `${path}/create`, {
            ...withoutUndefined({ primaryLocale: locale }),
            name: title,
            subject: subject || title,
            content,
            status: 'draft',
          })
        : putContent(api, id, locale, content))
      const at =
        id === undefined ? `The draft ${json['id']} was made` : `Template ${id} was changed in ${json['locale']}`
      return { json: { ...json, kind: is, warnings }, lines: [`${at}, as ${is}.`, ...warningsOf(read)] }
    })
  },
})

async function putContent(api: Api, id: string, locale: string | undefined, content: unknown): Promise<Answer> {
  const { primaryLocale } = await api('GET', `${path}/${encodeURIComponent(id)}`)
  const at = encodeURIComponent(locale ?? String(primaryLocale))
  return await api('PUT', `${path}/${encodeURIComponent(id)}/content/${at}`, { content })
}

const show = defineCommand({
  name: 'template show',
  says: 'Shows a template as JSON, with its content in one locale, as `template put` accepts it.',
  flags: { workspace, template, locale: { type: 'string', value: 'LOCALE', says: 'default: its primary locale' } },
  run: ({ workspace: slug, template: id, locale }, config) =>
    withApi(config(), slug, async (api) => {
      const found = await api('GET', `${path}/${encodeURIComponent(id)}`)
      const at = encodeURIComponent(locale ?? String(found['primaryLocale']))
      const { content, subject, previewText } = await api('GET', `${path}/${encodeURIComponent(id)}/content/${at}`)
      const kept = Object.entries(found).filter(([name, value]) => written.includes(name) && value !== null)
      const json = { ...Object.fromEntries(kept), subject, previewText, content }
      return { json, lines: JSON.stringify(json, null, 2).split('\n') }
    }),
})

const preview = defineCommand({
  name: 'template preview',
  says: 'Renders a stored template, or one in a file, as a mail, and lists its problems. Stores and sends nothing.',
  flags: {
    workspace,
    template: { type: 'string', value: 'ID', says: 'the id of a stored one' },
    file: {
      type: 'string',
      value: 'FILE',
      says: 'a template in a file instead: JSON as `template put` takes it; - for stdin',
    },
    locale: { type: 'string', value: 'LOCALE', says: 'default: its primary locale' },
    email: { type: 'string', value: 'EMAIL', says: 'the contact whose values are shown' },
    variables: { type: 'string', value: 'FILE', says: 'JSON, like the dataVariables of a send' },
    html: { type: 'string', value: 'FILE', says: 'where to write the HTML' },
  },
  run: ({ workspace: slug, template: id, file: from, locale, email, variables, html }, config) => {
    if ((id === undefined) === (from === undefined)) throw new UsageError('use --template or --file')
    const at = id === undefined ? `${path}/preview` : `${path}/${encodeURIComponent(id)}/preview`
    const dataVariables = variables === undefined ? undefined : readBody(variables)
    const { content, subject, previewText } = from === undefined ? {} : readBody(from)
    return withApi(config(), slug, async (api) => {
      const json = await api(
        'POST',
        at,
        withoutUndefined({ locale, email, dataVariables, content, subject, previewText }),
      )
      if (html !== undefined) writeFileSync(html, String(json['html']))
      return { json, lines: previewLines(json, html) }
    })
  },
})

function previewLines(json: Answer, file: string | undefined): string[] {
  const findings: Answer[] = Array.isArray(json['findings']) ? json['findings'] : []
  return [
    `Subject: ${json['subject']}`,
    `Preview text: ${json['previewText']}`,
    `Locale ${json['locale']}, HTML of ${json['htmlBytes']} bytes${file === undefined ? '' : ` in ${file}`}`,
    '',
    ...String(json['text']).trimEnd().split('\n'),
    '',
    ...(findings.length === 0 ? ['No problems were found.'] : columns(findings.map((one) => cells(one, finding)))),
  ]
}

const finding = ['severity', 'code', 'path', 'message']

export const templateCommands = [put, imported, show, preview]
