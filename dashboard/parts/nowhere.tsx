// The page for an address that leads nowhere, or to something that the person may not see: both look the same.

import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.nowhere)

export function Nowhere() {
  return (
    <>
      <h1>{words.nowhere}</h1>
      <p>
        <a href="/dashboard">{words.back}</a>
      </p>
    </>
  )
}
