// Whose rights a credential depends on: a person, the operator on the command line, or unknown.

import { inLanguage } from '../words.ts'

export interface WithMaker {
  maker: 'person' | 'operator' | 'unknown'
  madeBy: { email: string } | null
}

const words = inLanguage(catalogue.parts.maker)

export const makerName = ({ maker, madeBy }: WithMaker): string =>
  maker === 'person' ? (madeBy?.email ?? '') : words[maker]

export function Maker({ of }: { of: WithMaker }) {
  const tone = { person: undefined, operator: 'muted', unknown: 'status warn' }[of.maker]
  return <span class={tone}>{makerName(of)}</span>
}
