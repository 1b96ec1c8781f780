// Deletes what an archive no longer needs: whatever only serves to restore a time before the retention period.

import type { Store } from '../../kit/store/store.ts'
import {
  basePrefix,
  headPrefix,
  parseBase,
  segmentName,
  segmentPrefix,
  segmentsPrefix,
  startName,
  startPrefix,
} from './segment.ts'

/** Keeps the last base from before that time (in ms), and all that follows it. */
export async function deleteOld(store: Store, before: number): Promise<void> {
  const bases = (await store.list(basePrefix)).flatMap((name) => parseBase(name) ?? [])
  const kept = bases.filter(({ time }) => time < before).at(-1)
  if (kept === undefined) return
  const [first, own] = [segmentName(kept.generation, kept.firstSegment), segmentPrefix(kept.generation)]
  const [, generation = ''] = own.split('-')
  const old = [
    ...(await store.list(basePrefix)).filter((name) => (parseBase(name)?.time ?? 0) < kept.time),
    ...(await store.list(segmentsPrefix)).filter((name) => name < first),
    ...(await store.list(headPrefix)).filter((name) => name < `${headPrefix}${generation}`),
    ...(await store.list(startPrefix)).filter((name) => name < startName(kept.generation)),
  ]
  for (const name of old) await store.delete(name)
}
