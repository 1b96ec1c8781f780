// What has changed between two texts or two trees: in words, never by a colour alone.

import { comma, inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.difference)

interface Word {
  kind: 'same' | 'removed' | 'added'
  text: string
}

interface Change {
  op: keyof typeof words.ops
  from?: string
  path?: string
  type?: string
  node?: unknown
  properties?: { name: string; from?: unknown; to?: unknown; words?: Word[] }[]
}

interface Props {
  of: {
    subject: Word[] | null
    previewText: Word[] | null
    variables: { added: string[]; removed: string[] }
    content: Change[]
  }
}

function Difference({ of: { subject, previewText, variables, content } }: Props) {
  const { added, removed } = variables
  const isSame = [subject, previewText].every((one) => one === null) && content.length === 0
  if (isSame) return <p class="muted">{words.nothing}</p>
  return (
    <ul class="difference">
      {subject && <Changed name={words.subject} said={subject} />}
      {previewText && <Changed name={words.previewText} said={previewText} />}
      {content.map((change) => (
        <InTree key={`${change.op} ${change.from} ${change.path}`} change={change} />
      ))}
      {added.length > 0 && <li>{words.needs(added.join(comma))}</li>}
      {removed.length > 0 && <li>{words.needsNot(removed.join(comma))}</li>}
    </ul>
  )
}

interface Changes {
  settings: { name: string; from?: unknown; to?: unknown }[]
  locales: (Props['of'] & { locale: string })[]
}

/** What has changed beside the words, and the words by language. */
export function Differences({ of: { settings, locales } }: { of: Changes }) {
  return (
    <>
      {settings.map(({ name, from, to }) => (
        <p key={name}>
          <code>{name}</code> <del>{JSON.stringify(from)}</del> <ins>{JSON.stringify(to)}</ins>
        </p>
      ))}
      {locales.map((one) => (
        <Difference key={one.locale} of={one} />
      ))}
    </>
  )
}

function Changed({ name, said }: { name: string; said: Word[] }) {
  return (
    <li>
      <span class="muted">{name}</span> <Words said={said} />
    </li>
  )
}

function InTree({ change: { op, from, path, type, node, properties = [] } }: { change: Change }) {
  return (
    <li>
      <span class="muted">
        {words.ops[op]} {type} <code>{path ?? from}</code>
      </span>
      {node !== undefined && <Words said={[{ kind: op === 'removed' ? 'removed' : 'added', text: toText(node) }]} />}
      {properties.map(({ name, from: old, to, words: said }) => (
        <div key={name}>
          {name !== 'text' && <code>{name}</code>}{' '}
          <Words
            said={
              said ?? [
                { kind: 'removed', text: toText(old) },
                { kind: 'added', text: toText(to) },
              ]
            }
          />
        </div>
      ))}
    </li>
  )
}

function Words({ said }: { said: Word[] }) {
  return (
    <span class="said">
      {said.map(({ kind, text }, number) => {
        const key = `${number} ${kind}`
        if (kind === 'same') return text
        return kind === 'removed' ? <del key={key}>{text}</del> : <ins key={key}>{text}</ins>
      })}
    </span>
  )
}

function toText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
