// An address of the web or of a mailbox, which breaks behind its marks where it must, and not within a word.

import { Fragment } from 'preact'

export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[/.@?&=_-])(?=\w)/)
  return (
    <>
      {parts.map((part, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  )
}
