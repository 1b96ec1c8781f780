// paquebot template revisions | diff | restore, and the same of a campaign: what it said before.

import type { Config } from '../../core/config.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { type Command, columns, type Output } from './command.ts'
import { type Answer, type Api, cells, rowsOf, withApi } from './with-api.ts'

const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const id = { type: 'string', value: 'ID', required: true } as const
const revision = { ...id, says: 'which revision' } as const
const perPage = 100

interface Change extends Answer {
  op: string
  from?: string
  path?: string
  properties?: { name: string; from?: unknown; to?: unknown; words?: Word[] }[]
}

interface Word {
  kind: 'same' | 'removed' | 'added'
  text: string
}

function commandsOf(noun: 'template' | 'campaign', base: string): Command[] {
  const about = { workspace, [noun]: { ...id, says: `which ${noun}` } }
  const ask = async (values: Values, config: () => Config, work: (api: Api, at: string) => Promise<Output>) => {
    const at = `${base}/${encodeURIComponent(values[noun] ?? '')}/revisions`
    return await withApi(config(), values['workspace'] ?? '', (api) => work(api, at))
  }

  const list = command(`${noun} revisions`, {
    says: `Lists the newest revisions of a ${noun}: who wrote each, and when.`,
    flags: { ...about, locale: { type: 'string', value: 'LOCALE', says: 'only those of this locale' } },
    run: (values, config) =>
      ask(values, config, async (api, at) => {
        const query = new URLSearchParams({
          perPage: String(perPage),
          ...withoutUndefined({ locale: values['locale'] }),
        })
        const revisions = rowsOf(await api('GET', `${at}?${query}`))
        return { json: { revisions }, lines: columns(revisions.map(rowOf)) }
      }),
  })

  const diff = command(`${noun} diff`, {
    says: `Shows how a revision of a ${noun} differs from an older one.`,
    flags: { ...about, revision, from: { type: 'string', value: 'ID', says: 'default: the one before it' } },
    run: (values, config) =>
      ask(values, config, async (api, at) => {
        const query = new URLSearchParams(withoutUndefined({ from: values['from'] }))
        const json = await api('GET', `${at}/${encodeURIComponent(values['revision'] ?? '')}/diff?${query}`)
        const lines = differenceLines(json)
        return { json, lines: lines.length > 0 ? lines : ['They are the same.'] }
      }),
  })

  const restore = command(`${noun} restore`, {
    says: `Restores the content of an earlier revision of a ${noun}, as a new revision.`,
    flags: { ...about, revision },
    run: (values, config) =>
      ask(values, config, async (api, at) => {
        const json = await api('POST', `${at}/${encodeURIComponent(values['revision'] ?? '')}/restore`, {})
        return { json, lines: [`Revision ${values['revision']} is restored as ${json['revisionId']}.`] }
      }),
  })
  return [list, diff, restore]
}

/** All flags of these are texts. */
type Values = Record<string, string | undefined>

function command(
  name: string,
  { run, ...words }: Pick<Command, 'says' | 'flags'> & { run(values: Values, config: () => Config): Promise<Output> },
): Command {
  return { name, ...words, run: (values, config) => run(values as Values, config) }
}

function rowOf(one: Answer): string[] {
  const state = one['isCurrent'] ? 'current' : ''
  return [...cells(one, ['id', 'createdAt', 'locale']), authorOf(one), state, String(one['subject'])]
}

function authorOf({ author }: Answer): string {
  if (typeof author !== 'object' || author === null || !('kind' in author)) return ''
  return String('name' in author && author.name !== null ? author.name : author.kind)
}

function differenceLines(json: Answer): string[] {
  const texts = ['subject', 'previewText'].flatMap((name) => {
    const words = json[name]
    return Array.isArray(words) ? [`${name}: ${marked(words)}`] : []
  })
  const settings: Change[] = Array.isArray(json['settings']) ? json['settings'] : []
  const changes: Change[] = Array.isArray(json['content']) ? json['content'] : []
  return [
    ...texts,
    ...settings.map(({ name, from, to }) => `${name}: ${displayValue(from)} -> ${displayValue(to)}`),
    ...changes.flatMap(changeLines),
  ]
}

function changeLines({ op, from, path, node, type, properties = [] }: Change): string[] {
  if (op === 'removed') return [`- ${from}: ${displayValue(node)}`]
  if (op === 'added') return [`+ ${path}: ${displayValue(node)}`]
  if (op === 'moved') return [`> ${path}: ${type} from ${from}`]
  return properties.map(({ name, words, ...change }) =>
    words
      ? `~ ${path}.${name}: ${marked(words)}`
      : `~ ${path}.${name}: ${displayValue(change.from)} -> ${displayValue(change.to)}`,
  )
}

const displayValue = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))

function marked(words: Word[]): string {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const
  return words.map(({ kind, text }) => marks[kind][0] + text + marks[kind][1]).join('')
}

export const templateRevisionCommands = commandsOf('template', '/v1/transactional')
export const campaignRevisionCommands = commandsOf('campaign', '/v1/campaigns')
