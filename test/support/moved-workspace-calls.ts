// How the file of a workspace that moves is written and read, with text of anybody (text-functions.ts).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolders, readLines, TableFile } from '../../src/operator/tenants/archive-file.ts'
import { Digest, listParts, readPart } from '../../src/operator/tenants/portable.ts'
import type { Call } from './text-functions.ts'

/** A table file in a folder that is gone afterwards. */
async function withTable(name: string, use: (file: TableFile, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paquebot-table-'))
  try {
    await makeFolders(folder)
    await using file = await TableFile.make(folder, name)
    await use(file, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const longestName = 100

export const movedWorkspaceCalls: Record<string, Call> = {
  'src/operator/tenants/archive-file.ts TableFile.make': {
    limit: longestName,
    isBeside: true,
    run: (text) => withTable(text.replaceAll(/\W/g, '_').slice(0, longestName), async () => {}),
  },
  'src/operator/tenants/archive-file.ts TableFile.write': {
    isBeside: true,
    run: (text) => withTable('users', (file) => file.write([text])),
  },
  'src/operator/tenants/archive-file.ts readLines': {
    isBeside: true,
    run: (text) =>
      withTable('users', async (file, folder) => {
        await file.write([text])
        for await (const line of readLines(folder, 'users')) if (line === '') continue
      }),
  },
  'src/operator/tenants/portable.ts Digest.add': { run: (text) => new Digest().add(text) },
  'src/operator/tenants/portable.ts readPart': {
    async run(text) {
      const [part] = listParts()
      if (part) for await (const rows of readPart({ rows: async () => [[text]] }, part, text)) if (rows) break
    },
  },
}
