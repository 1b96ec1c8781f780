// The blocks that a mail may use, for choosing one and for saying its name.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { get } from '../../api.ts'
import { all } from '../../parts/all.ts'
import { useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'

export interface NamedBlock {
  id: string
  name: string
}

const Blocks = createContext<NamedBlock[]>([])
export const BlocksProvider = Blocks.Provider

export function useBlocks(): NamedBlock[] {
  return useContext(Blocks)
}

/** None for what holds no blocks, and until they came. */
export function useLoadedBlocks(isWanted: boolean): NamedBlock[] {
  const { workspace } = usePlace()
  const { value } = useLoaded(`blocks ${workspace.id} ${isWanted}`, async () =>
    isWanted ? await all((query) => get('/v1/blocks', { query })) : [],
  )
  return value ?? []
}
