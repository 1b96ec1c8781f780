// Jobs that triggers write in a transaction (0047): the dispatcher is told of their partitions as of any other's.

import { type Db, files } from './handle.ts'

/** As due-jobs.ts names them. A file is asked, which takes a microsecond; on a server the dispatcher finds the jobs itself within a second. */
export function takeTouched(db: Db): string[] {
  const file = files.get(db)
  if (!file) return []
  const found = file.prepare('SELECT key FROM touched_partitions').all() as { key: string }[]
  if (found.length > 0) file.prepare('DELETE FROM touched_partitions').run()
  return found.map(({ key }) => key)
}
