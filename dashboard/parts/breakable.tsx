// A URL or an e-mail address that may wrap after its punctuation, and not within a word.

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
