import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isRelativeUrl, isSafeImageUrl, isSafeUrl } from '../../src/kit/safe-url.ts'
import { hostileUrls } from './hostile-urls.ts'

describe('isSafeUrl', () => {
  test.each([
    'https://shop.example',
    'HTTPS://SHOP.EXAMPLE/A',
    'http://localhost:3000/u/abc?x=1#top',
    'http://[::1]:3000/u',
    'https://münchen.example/straße?q=ä&b=1',
    'https://medium.example/@ada/post?x=a@b',
    'https://shop.example/a"b<c>',
    'mailto:help@shop.example?subject=Order%20one',
    'tel:+33-2-35-00-00-00',
  ])('allows %p', (url) => expect(isSafeUrl(url)).toBe(true))

  test.each([...hostileUrls, '', '#', 'shop.example', '/path', 'https://shop.example/a b', 'tel:+33 2 35'])(
    'refuses %p',
    (url) => {
      expect(isSafeUrl(url)).toBe(false)
    },
  )

  test('an image may come from the web only', () => {
    expect(['https://a.example/x.png', 'mailto:a@b.example', 'tel:1'].map(isSafeImageUrl)).toEqual([true, false, false])
  })

  test("whatever is allowed, the platform's own URL parser reads with one of four schemes and no credentials", () => {
    const piece = fc.constantFrom(
      'https',
      'http',
      'javascript',
      ':',
      '//',
      '/',
      '\\',
      '@',
      'a.example',
      '\t',
      ' ',
      '&#58;',
      '?',
      '#',
      '[',
      'x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const url = pieces.join('')
        if (!isSafeUrl(url) || !URL.canParse(url)) return
        const parsed = new URL(url)
        expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(parsed.protocol)
        expect(parsed.username + parsed.password).toBe('')
      }),
      { numRuns: 5_000 },
    )
  })
})

test.each([
  ['shop.example/a', true],
  ['/a?b=c#d', true],
  ['#top', true],
  ['//evil.example', false],
  ['javascript&colon;x', false],
  ['a:b', false],
  ['a\\b', false],
])('%p is relative: %p', (url, relative) => expect(isRelativeUrl(url)).toBe(relative))
