// Downloads a file that the API returns.

import { save, toCall } from '../api.ts'
import { useAct, WhyNot } from './act.tsx'

interface Props {
  path: string
  /** Of the file. */
  name: string
  says: string
}

export function Download({ path, name, says }: Props) {
  const act = useAct()
  return (
    <>
      <button
        type="button"
        disabled={act.isRunning}
        onClick={() => void act.run(() => save(toCall('GET', path), name))}
      >
        {says}
      </button>
      <WhyNot act={act} />
    </>
  )
}
