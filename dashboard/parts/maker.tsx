// Whose right something rests on: a person, whoever has the command line, or nobody known.

import { inLanguage } from '../words.ts'

export interface Made {
  maker: 'person' | 'operator' | 'unknown'
  madeBy: { email: string } | null
}

const words = inLanguage({
  en: { operator: 'command line', unknown: 'maker unknown' },
  de: { operator: 'Befehlszeile', unknown: 'unbekannt, von wem' },
})

export const makerOf = ({ maker, madeBy }: Made): string => (maker === 'person' ? (madeBy?.email ?? '') : words[maker])

export function Maker({ of }: { of: Made }) {
  const tone = { person: undefined, operator: 'muted', unknown: 'status warn' }[of.maker]
  return <span class={tone}>{makerOf(of)}</span>
}
