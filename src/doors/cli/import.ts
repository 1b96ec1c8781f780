// paquebot import: the export of another service, shown first and imported with --apply.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { formats } from '../../features/lists/moving/export-formats.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { writeZip } from '../../kit/zip.ts'
import { columns, defineCommand, type Output, UsageError } from './command.ts'
import { type Answer, cells, withApi } from './with-api.ts'

const path = '/v1/imports'

export const importExport = defineCommand({
  name: 'import',
  says: 'Shows what the export of another service would change, and imports it with --apply; the server imports the people.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    format: {
      type: 'string',
      value: 'SERVICE',
      required: true,
      operand: true,
      says: formats.join(', '),
    },
    file: {
      type: 'string',
      value: 'FILE',
      required: true,
      multiple: true,
      operand: true,
      says: 'the files of the export: CSV, JSON, HTML, or a ZIP of them',
    },
    list: { type: 'string', value: 'ID', says: 'the mailing list that everybody who agreed also joins' },
    agreed: {
      type: 'string',
      value: 'TEXT',
      says: 'where and how people agreed, for those whose consent the export does not state',
    },
    'not-agreed': { type: 'boolean', says: 'the others did not agree: import them as not subscribed' },
    column: {
      type: 'string',
      value: 'HEADER=MEANING',
      multiple: true,
      says: 'the meaning of a column that may be about consent: subscribed, status, unsubscribed, optedOut, …, the name of a property, or empty to leave it out',
    },
    apply: { type: 'boolean', says: 'import it; without this, nothing is written' },
  },
  run: ({ workspace, format, file: files, list, agreed, 'not-agreed': notAgreed, column, apply }, config) => {
    const bytes = readExport(files)
    const stated = agreed === undefined ? undefined : { subscribed: true, statement: agreed }
    const consent = notAgreed ? { subscribed: false } : stated
    const name = files.length === 1 ? basename(files[0] ?? '') : undefined
    const columns = column.length === 0 ? undefined : JSON.stringify(columnMap(column))
    const stating = consent && JSON.stringify(consent)
    const asked = withoutUndefined({ format, name, mailingListId: list, consent: stating, columns })
    const query = new URLSearchParams(asked)
    return withApi(config(), workspace, async (api) => {
      if (!apply) return importOutput(await api('POST', `${path}/preview?${query}`, bytes))
      const json = await api('POST', `${path}?${query}`, bytes)
      const stored = `Import ${json['id']} is stored; the server imports its people. GET /v1/contact-imports/${json['id']} shows its progress.`
      return { json, lines: [stored, ...reportLines(json['report'])] }
    })
  },
})

/** `Wants mail=subscribed`; with nothing behind the sign it is left out. */
function columnMap(given: string[]): Record<string, string | null> {
  const pairs = given.map((one) => {
    const at = one.lastIndexOf('=')
    if (at < 1) throw new UsageError(`--column ${one} must be HEADER=MEANING`)
    return [one.slice(0, at), one.slice(at + 1) || null]
  })
  return Object.fromEntries(pairs)
}

function readExport(files: string[]): Buffer {
  try {
    const read = files.map((file) => ({ name: basename(file), bytes: readFileSync(file) }))
    const [only, ...others] = read
    return only !== undefined && others.length === 0 ? only.bytes : writeZip(read)
  } catch (error) {
    throw new UsageError(`a file cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

const counts = [
  'rows',
  'created',
  'updated',
  'unchanged',
  'subscribed',
  'unsubscribed',
  'suppressed',
  'withoutConsent',
  'consentKept',
  'bad',
]

function importOutput(json: Answer): Output {
  const bad = answers(json['badRows']).map(
    ({ where, line, reason }) => `refused: ${where ?? `line ${line}`}: ${reason}`,
  )
  const needed =
    'The export does not say whether some of these people agreed: add --agreed "where and how", or --not-agreed.'
  return {
    json,
    lines: [
      ...columns(counts.map((name) => [name, String(json[name])])),
      ...reportLines(json['report']),
      ...bad,
      ...answers(json['unclear']).map(
        ({ column, example }) =>
          `unclear: ${column} (${example}) may say whether somebody agreed to mail: add --column ${JSON.stringify(`${column}=MEANING`)}`,
      ),
      ...(json['consentNeeded'] === true ? [needed] : []),
      'Nothing was written. With --apply it is imported.',
    ],
  }
}

function reportLines(report: unknown): string[] {
  const { files, lists, properties, templates, refused, notes } = (report ?? {}) as Answer
  const isTrue = (one: Answer, name: string) => one[name] === true
  return [
    ...answers(files).map(
      (one) =>
        `file: ${cells(one, ['name']).join()}: ${one['entries']} entries${one['entries'] === 0 ? ', nothing that is imported' : ''}`,
    ),
    ...answers(lists).map(
      (one) => `list: ${one['name']}, ${one['contacts']} people${isTrue(one, 'isNew') ? ', new' : ''}`,
    ),
    ...answers(properties).map((one) => `property: ${one['name']} (${one['type']})`),
    ...answers(templates).map((one) => {
      const why = Array.isArray(one['problems']) ? one['problems'].join('; ') : ''
      return `template: ${one['name']}: ${isTrue(one, 'converted') ? 'a draft' : 'left out'}${why === '' ? '' : `; ${why}`}`
    }),
    ...answers(refused).map((one) => `refused: ${one['where']}: ${one['reason']}`),
    ...(Array.isArray(notes) ? notes.map((note) => `note: ${note}`) : []),
  ]
}

function answers(value: unknown): Answer[] {
  return Array.isArray(value) ? value : []
}
