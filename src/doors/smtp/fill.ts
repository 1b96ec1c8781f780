// The headers with which a client names a template instead of sending content: X-Paquebot-Template, -Variables and -Tags. They are removed
// before the mail is sent.

import { maxTagChars, maxTags } from '../../features/sending/schema.ts'
import { invalidField } from '../../kit/error.ts'
import { parseForeignJson } from '../../kit/json.ts'
import { hasControls } from '../../kit/text.ts'

export interface Fill {
  /** The slug; null: the mail is sent as it is. */
  template: string | null
  variables: Record<string, unknown>
  tags: string[] | null
}

const headerPrefix = 'x-paquebot-'
const headerNames = ['template', 'variables', 'tags']

/** Throws 422 naming the header. */
export function readFill(fields: [name: string, value: string][]): Fill {
  const given = new Map<string, string>()
  for (const [name, value] of fields) {
    const lower = name.toLowerCase()
    if (!lower.startsWith(headerPrefix)) continue
    const which = lower.slice(headerPrefix.length)
    if (!headerNames.includes(which))
      throw invalidField(
        name,
        `is not known; there are ${headerNames.map((one) => `X-Paquebot-${titled(one)}`).join(', ')}`,
      )
    if (given.has(which)) throw invalidField(name, 'may be there once')
    given.set(which, value)
  }
  const template = given.get('template') ?? null
  if (template === null && given.has('variables'))
    throw invalidField('X-Paquebot-Variables', 'needs an X-Paquebot-Template that they fill')
  return { template, variables: readVariables(given.get('variables')), tags: readTags(given.get('tags')) }
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function readVariables(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw invalidField('X-Paquebot-Variables', 'must be a JSON object, like {"name": "Ada"}')
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

function readTags(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const tags = text.split(',').flatMap((tag) => tag.trim() || [])
  if (tags.length > maxTags) throw invalidField('X-Paquebot-Tags', `may name at most ${maxTags} tags`)
  const wrong = tags.find((tag) => tag.length > maxTagChars || hasControls(tag))
  if (wrong !== undefined) throw invalidField('X-Paquebot-Tags', `must have tags of at most ${maxTagChars} characters`)
  return tags.length === 0 ? null : tags
}
