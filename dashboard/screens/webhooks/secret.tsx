// A signing secret: it is nowhere else, and never shown again.

import { Code } from '../../parts/copy.tsx'
import { words } from './words.ts'

export function Secret({ children }: { children: string }) {
  return (
    <div class="notice" role="status">
      <p>
        <strong>{words.secret}.</strong> {words.secretOnce}
      </p>
      <Code>{children}</Code>
    </div>
  )
}
