// paquebot media add: pictures from files into the library.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { type Answer, withApi } from './with-api.ts'

export const mediaAdd = defineCommand({
  name: 'media add',
  says: 'Uploads pictures to the library, and prints the address of each.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    file: {
      type: 'string',
      value: 'FILE',
      required: true,
      multiple: true,
      operand: true,
      says: 'PNG, JPEG, WebP or GIF, at most 10 MB',
    },
    name: { type: 'string', value: 'TEXT', says: 'what it is called; default: the name of the file' },
    alt: { type: 'string', value: 'TEXT', says: 'what it shows, for those who do not see it' },
  },
  run: ({ workspace, file: files, name, alt }, config) => {
    const read = files.map((path) => ({ path, bytes: readPicture(path) }))
    return withApi(config(), workspace, async (api) => {
      const media: Answer[] = []
      for (const { path, bytes } of read) {
        const query = new URLSearchParams(withoutUndefined({ name: name ?? basename(path), alt }))
        media.push(await api('POST', `/v1/media?${query}`, bytes))
      }
      return { json: { media }, lines: columns(media.map((one) => [String(one['id']), String(one['url'])])) }
    })
  },
})

function readPicture(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
