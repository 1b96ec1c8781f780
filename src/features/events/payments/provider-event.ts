// Parses the body of a payment event. Its signature was checked, so it is the provider's; it is read leniently and archived unchanged.

import type { App } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { readJson } from '../../../kit/json.ts'
import type { Values } from '../../content/rendering/fill.ts'
import type { ProviderEvent } from './event-types.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const maxIdLength = 255
/** The last second that a Date can represent. */
const lastSecond = 8_640_000_000_000

/** Throws `invalid_json`. */
export function decodeText(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new AppError('invalid_json', 'The body is not UTF-8.')
  }
}

/** What an event says; repetitions of it differ in the other fields. */
export async function parseContent({ aside }: App, text: string): Promise<unknown[]> {
  const { type, created, data } = parse(await readJson(aside, text, 'foreign'))
  return [type, created, data]
}

/** Throws `invalid_json` for anything else: without an id a repeated event could not be recognized. */
export async function parseProviderEvent({ aside }: App, text: string): Promise<ProviderEvent> {
  const { id, type, created, livemode, data } = parse(await readJson(aside, text, 'foreign'))
  if (!isName(id) || !isName(type))
    throw new AppError('invalid_json', 'The body is not an event: it has no id and type.')
  const object = isRecord(data) && isRecord(data.object) ? data.object : {}
  const hasTime = typeof created === 'number' && Number.isInteger(created) && Math.abs(created) <= lastSecond
  return { id, type, created: hasTime ? created : null, livemode: livemode === true, object }
}

function parse(value: unknown): Values {
  if (!isRecord(value)) throw new AppError('invalid_json', 'The body is not an event.')
  return value
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxIdLength
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
