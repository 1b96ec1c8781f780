// The export of a workspace as it is once it is made; what makes it is tested in test/export-tenant.test.ts.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceTransfers } from '../../db/tables/moves.ts'
import { write } from '../../src/core/app.ts'
import { mediaStore } from '../../src/features/content/media/store.ts'
import { sha256Hex } from '../../src/kit/digest.ts'
import { newId } from '../../src/kit/id.ts'
import type { TestApp } from './app.ts'
import { freshDirectory } from './place.ts'

/** Returns the id of an import that was refused, which leaves nothing else. */
export async function putImport(t: TestApp): Promise<string> {
  const id = newId(t.app, 'wtr', t.clock.now())
  const expiresAt = new Date('2100-01-01T00:00:00Z')
  const times = { expiresAt, createdAt: t.clock.now(), updatedAt: t.clock.now() }
  await write(t.app, (tx) =>
    tx.db
      .insert(workspaceTransfers)
      .values({ id, way: 'import', state: 'failed', detail: 'it is damaged', sizeBytes: 1, ...times }),
  )
  return id
}

export async function putExport(t: TestApp, workspaceId: string): Promise<void> {
  const [id, path] = [newId(t.app, 'wtr', t.clock.now()), join(freshDirectory(), 'file')]
  const bytes = `the rows of ${workspaceId}`
  writeFileSync(path, bytes)
  await mediaStore(t.app).put(id, path)
  await write(t.app, async (tx) => {
    const expiresAt = new Date('2100-01-01T00:00:00Z')
    await tx.db.insert(workspaceTransfers).values({
      ...{ id, way: 'export', state: 'done', workspaceId, expiresAt, createdAt: tx.now, updatedAt: tx.now },
      ...{ sizeBytes: bytes.length, sha256: sha256Hex(bytes) },
    })
  })
}
