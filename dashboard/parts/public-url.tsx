// What names a public page of the workspace: it is at its link domain, or else at the address of the installation.

import type { ComponentChildren } from 'preact'
import { get } from '../api.ts'
import { Show, useLoaded } from './load.tsx'

export function WithPublicUrl({ children }: { children: (url: string) => ComponentChildren }) {
  const page = useLoaded('', (signal) => get('/v1/workspace', {}, signal))
  return <Show of={page}>{({ publicUrl }) => children(publicUrl)}</Show>
}
