// Locales are BCP 47 tags in canonical form (`pt-BR`); every lookup goes through one fallback chain.

const shape = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i
const maxLength = 35
const maxAccepted = 1_000
const english = 'en'
const rightToLeft = new Set(['ar', 'he', 'fa', 'ur', 'ps', 'yi', 'dv', 'ckb', 'sd', 'ug'])

const maxRemembered = 1_000
/** A cache: every send parses locales, always the same few, and Intl is slow. */
const remembered = new Map<string, string | null>()

/** `PT-br` and `pt_BR` -> `pt-BR`; null when it is not a language tag. */
export function canonicalLocale(input: string): string | null {
  const known = remembered.get(input)
  if (known !== undefined) return known
  const canonical = canonicalise(input)
  if (remembered.size >= maxRemembered) remembered.clear()
  if (input.length <= maxLength) remembered.set(input, canonical)
  return canonical
}

function canonicalise(input: string): string | null {
  const tag = input.trim().replaceAll('_', '-')
  if (tag.length > maxLength || !shape.test(tag)) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/** Those of an Accept-Language, the one that its sender likes best first. */
export function acceptedLocales(header: string | null): string[] {
  const ranges = (header ?? '').slice(0, maxAccepted).split(',').map(readRange)
  const best = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
  return best.flatMap(({ tag }) => tag ?? [])
}

/** The first of them that is offered, exactly or in another country's kind: `pt` and `pt-PT` are served by `pt-BR`. */
export function closestLocale(wanted: string[], offered: string[]): string | undefined {
  for (const one of wanted) {
    const found =
      offered.find((other) => other === one) ?? offered.find((other) => baseLocale(other) === baseLocale(one))
    if (found !== undefined) return found
  }
  return undefined
}

/** `de-AT;q=0.8` */
function readRange(range: string): { tag: string | null; weight: number } {
  const [tag = '', ...parameters] = range.split(';')
  const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/i.exec(one)?.[1]).find((one) => one !== undefined)
  return { tag: canonicalLocale(tag), weight: weight === undefined ? 1 : Number(weight) || 0 }
}

/** `pt-BR` -> `pt`. */
export function baseLocale(locale: string): string {
  return locale.split('-')[0] ?? locale
}

/**
 * Which locales to try for content, best first: the exact one, its bases (RFC 4647 lookup), the brand's, English; each once. An invalid tag
 * is skipped, so bad contact data never stops a mail.
 */
export function localeChain(requested: string | null | undefined, brand: string | null | undefined): string[] {
  const exact = requested ? canonicalLocale(requested) : null
  const home = brand ? canonicalLocale(brand) : null
  const chain = [...truncations(exact), ...(home ? [home] : []), english]
  return [...new Set(chain)]
}

/** The writing direction of the language, for the `dir` attribute. */
export function textDirection(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(baseLocale(locale).toLowerCase()) ? 'rtl' : 'ltr'
}

/**
 * For Intl, where what is read stands beside addresses, versions and answers of the API: 0 to 9 in every language. Some countries write Arabic
 * with other digits, and browsers differ in which they take for `ar`.
 */
export function withLatinDigits(locale: string): string {
  return new Intl.Locale(locale, { numberingSystem: 'latn' }).toString()
}

function truncations(locale: string | null): string[] {
  const tags: string[] = []
  const parts = locale?.split('-') ?? []
  for (; parts.length > 0; parts.pop()) {
    // RFC 4647, 3.4: a single letter introduces an extension and never ends a tag.
    if (parts.at(-1)?.length !== 1) tags.push(parts.join('-'))
  }
  return tags
}
