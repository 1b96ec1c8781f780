// A time: how long ago, and exactly on hovering.

import { ago, moment } from '../words.ts'

export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at)}
    </time>
  )
}
