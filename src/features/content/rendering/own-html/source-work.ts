// Runs the writing of a brought source (write-source.ts) on the side thread. A source that holds the thread is refused.

import { defineSideWork } from '../../../../kit/aside.ts'
import type { Source, WrittenSource } from './write-source.ts'

export const sourceWriting = defineSideWork({
  name: 'write-source',
  stallMs: 2_000,
  isAlwaysAside: true,
  async run(source: Source): Promise<WrittenSource> {
    const { writeSource } = await import('./write-source.ts')
    return await writeSource(source)
  },
  whenStuck: () => ({ fault: 'takes longer than 2 seconds to read' }),
})
