// All contacts of a workspace as CSV, read page by page while it is sent. The file can be imported again: the header contains the types of
// properties, and cells that a spreadsheet would run as a formula are guarded (kit/csv.ts).

import type { Reader } from '../../../core/app.ts'
import { csvRow } from '../../../kit/csv.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { nextTurn, StepSize } from '../../../kit/turn.ts'
import { contactsAfter, type Listed } from '../list.ts'
import { listProperties } from '../properties.ts'
import { headerOfProperty } from './columns.ts'

const perSlice = { least: 50, most: 500 }
const fields = [
  'id',
  'email',
  'userId',
  'firstName',
  'lastName',
  'source',
  'subscribed',
  'userGroup',
  'locale',
  'timezone',
  'mailingLists',
  'optInStatus',
  'createdAt',
  'updatedAt',
] as const

/** Pulled by the reader, so only one page is in memory. */
export async function contactsCsv(reader: Reader, workspaceId: string): Promise<ReadableStream<Uint8Array>> {
  const properties = (await listProperties(reader, workspaceId)).map(({ name, type }) => ({ name, type }))
  const header = properties.map(headerOfProperty)
  const encoder = new TextEncoder()
  const sizes = new StepSize(workspaceId, perSlice)
  let after = ''
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(csvRow([...fields, ...header])))
    },
    async pull(controller) {
      await nextTurn(workspaceId)
      const began = performance.now()
      const rows = await contactsAfter(reader, workspaceId, { after, limit: sizes.next() })
      const last = rows.at(-1)
      if (!last) return controller.close()
      after = last.contact.id
      const text = rows.map((row) => csvRow([...ownCells(row), ...properties.map(({ name }) => toProperty(row, name))]))
      controller.enqueue(encoder.encode(text.join('')))
      sizes.took(rows.length, performance.now() - began)
    },
  })
}

function ownCells({ contact, mailingListIds }: Listed): string[] {
  const cells: Record<(typeof fields)[number], string | null> = {
    ...contact,
    subscribed: String(contact.subscribed),
    mailingLists: mailingListIds.join(' '),
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  }
  return fields.map((name) => cells[name] ?? '')
}

function toProperty({ contact }: Listed, name: string): string {
  const value = ownValue(contact.properties, name)
  return value === undefined ? '' : String(value)
}
