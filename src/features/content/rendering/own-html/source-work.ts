// Runs the compiling and the writing of a brought source on the side thread. A source that holds the thread is refused.

import { defineSideWork } from '../../../../kit/aside.ts'
import type { CompiledMjml } from './compile-mjml.ts'
import type { Source, WrittenSource } from './write-source.ts'

interface Mjml {
  source: string
  /** The HTML says where in the source its parts stand (places.ts). */
  marks: boolean
}

export const mjmlCompiling = defineSideWork({
  name: 'compile-mjml',
  stallMs: 2_000,
  isAlwaysAside: true,
  async run({ source, marks }: Mjml): Promise<CompiledMjml | { fault: string }> {
    const [{ compileMjml }, { withPlaces }] = await Promise.all([import('./compile-mjml.ts'), import('./places.ts')])
    return await compileMjml(marks ? withPlaces(source) : source)
  },
  whenStuck: () => ({ fault: 'takes longer than 2 seconds to compile' }),
})

export const sourceWriting = defineSideWork({
  name: 'write-source',
  async run(source: Source): Promise<WrittenSource> {
    const { writeSource } = await import('./write-source.ts')
    return writeSource(source)
  },
  whenStuck: () => ({ fault: 'takes too long to read' }),
})
