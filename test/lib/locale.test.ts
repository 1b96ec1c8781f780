import { describe, expect, test } from 'bun:test'
import { canonicalLocale, localeChain, textDirection } from '../../src/kit/locale.ts'

describe('canonicalLocale', () => {
  test.each([
    ['pt-br', 'pt-BR'],
    ['PT_BR', 'pt-BR'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['EN', 'en'],
    ['iw', 'he'],
    ['sr-Latn', 'sr-Latn'],
    ['es-419', 'es-419'],
  ])('%p is %p', (input, canonical) => expect(canonicalLocale(input)).toBe(canonical))

  test.each([
    '',
    'e',
    'english',
    'en-',
    '-en',
    'en--GB',
    'en GB',
    '../en',
    'e\nn',
    'x-mine',
    '__proto__',
    'en-'.repeat(20),
    'en-u',
    '12',
  ])('%p is no language tag', (input) => expect(canonicalLocale(input)).toBeNull())
})

describe('localeChain', () => {
  test.each([
    ['pt-BR', 'de', ['pt-BR', 'pt', 'de', 'en']],
    ['pt-br', 'PT', ['pt-BR', 'pt', 'en']],
    ['de', 'de', ['de', 'en']],
    ['en-GB', 'de-AT', ['en-GB', 'en', 'de-AT']],
    ['zh-Hant-TW', 'en', ['zh-Hant-TW', 'zh-Hant', 'zh', 'en']],
    ['en-u-ca-buddhist', 'fr', ['en-u-ca-buddhist', 'en-u-ca', 'en', 'fr']],
    [null, 'fr', ['fr', 'en']],
    [undefined, null, ['en']],
    ['not a tag', 'nor this', ['en']],
  ])('%p with the brand in %p looks in %p', (requested, brand, chain) => {
    expect(localeChain(requested, brand)).toEqual(chain)
  })
})

test.each([
  ['ar', 'rtl'],
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['ur', 'rtl'],
  ['en', 'ltr'],
  ['arn', 'ltr'],
] as const)('%s is written %s', (locale, direction) => expect(textDirection(locale)).toBe(direction))
