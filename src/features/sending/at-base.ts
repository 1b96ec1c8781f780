// The pictures of a compiled mail at the host of its workspace. A revision is compiled once, with the addresses at BASE_URL; the same mail for
// another host is made from it once, and is the same object from then on, because what is built from it is cached.

import type { Config } from '../../core/config.ts'
import { withPicturesAt } from '../../people/links/base.ts'
import type { Compiled } from '../content/rendering/compile.ts'
import type { Segment } from '../content/rendering/segments.ts'

const versions = new WeakMap<Compiled, Map<string, Compiled>>()

/** `base` as publicBase() gives it. */
export function atBase(config: Pick<Config, 'baseUrl'>, base: string, compiled: Compiled): Compiled {
  if (base === config.baseUrl) return compiled
  const known = versions.get(compiled) ?? new Map<string, Compiled>()
  versions.set(compiled, known)
  return known.getOrInsertComputed(base, () => {
    const moved = (segments: Segment[]) => segments.map((segment) => moveSegment(config, base, segment))
    return { ...compiled, html: moved(compiled.html), text: moved(compiled.text) }
  })
}

function moveSegment(config: Pick<Config, 'baseUrl'>, base: string, segment: Segment): Segment {
  const moved = (segments: Segment[]) => segments.map((one) => moveSegment(config, base, one))
  if (typeof segment === 'string') return withPicturesAt(config, base, segment)
  if ('url' in segment) return { ...segment, url: moved(segment.url) }
  if ('each' in segment) return { ...segment, body: moved(segment.body) }
  return 'when' in segment ? { ...segment, there: moved(segment.there), otherwise: moved(segment.otherwise) } : segment
}
