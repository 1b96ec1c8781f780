// Removes the rows of files that were not imported, as they were written, where a person who is erased stands in them.

import { sql } from 'drizzle-orm'
import type { Tx } from '../../../core/app.ts'

export interface FaultPlace {
  importId: string
  line: number
}

/** Looks at the next `size` faults of the workspace after `after`. Returns the last one; null at the end. */
export async function forgetInFaults(
  tx: Tx,
  { workspaceId, emailKey }: { workspaceId: string; emailKey: string },
  { after, size }: { after: FaultPlace; size: number },
): Promise<FaultPlace | null> {
  const rows = await tx.db.all<FaultPlace & { names: number }>(
    sql`SELECT f.import_id AS importId, f.line AS line, instr(lower(f."row"), ${emailKey}) > 0 AS names
      FROM contact_imports AS i CROSS JOIN import_faults AS f ON f.import_id = i.id
      WHERE i.workspace_id = ${workspaceId} AND i.id >= ${after.importId} AND (i.id > ${after.importId} OR f.line > ${after.line})
      ORDER BY i.id, f.line LIMIT ${size}`,
  )
  const named = rows.flatMap(({ importId, line, names }) => (names ? [[importId, line]] : []))
  if (named.length > 0)
    await tx.db.run(
      sql`DELETE FROM import_faults WHERE (import_id, line) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(named)}))`,
    )
  return rows.length < size ? null : (rows.at(-1) ?? null)
}
