// A secret that is shown only this once.

import { Code } from './copy.tsx'

export function Once({ title, how, children }: { title: string; how: string; children: string }) {
  return (
    <div class="notice" role="status">
      <p>
        <strong>{title}</strong> {how}
      </p>
      <Code>{children}</Code>
    </div>
  )
}
