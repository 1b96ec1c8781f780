// The words of pictures, in the library and wherever one is chosen.

import { inLanguage, locale } from '../words.ts'

export const words = inLanguage(catalogue.parts.picture)

const units = ['B', 'kB', 'MB', 'GB']

/** `1.2 MB` */
export function bytes(n: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, n)) / 3))
  const value = n / 1000 ** step
  return `${value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[step]}`
}
