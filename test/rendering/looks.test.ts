// How the mails look in a browser, by day and by night: everything can be read, nothing glares, pictures fill their place.

import { expect, test } from 'bun:test'
import { compileContent, type Source } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { confirmationFor } from '../../src/features/content/templates/built-in.ts'
import { browserExpected, openBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { marketingMail, orderMail, orderValues, receiptMail, rightToLeftMail } from './samples.ts'

const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='

const plain: Source = {
  subject: 'S',
  locale: 'en',
  kind: 'marketing',
  content: parseTree([
    {
      type: 'header',
      logoUrl: 'https://a.example/day.png',
      darkLogoUrl: 'https://a.example/night.png',
      logoAlt: 'Logo',
    },
    { type: 'text', text: 'Quiet', color: '#666' },
    { type: 'text', text: 'Red', color: '#b91c1c' },
    { type: 'heading', text: 'Blue', color: '#1d4ed8' },
    { type: 'link', text: 'Green', href: 'https://a.example/', color: '#15803d' },
    {
      type: 'button',
      text: 'White',
      href: 'https://a.example/',
      backgroundColor: '#fff',
      textColor: '#111',
      borderColor: '#ddd',
    },
    { type: 'button', text: 'Black', href: 'https://a.example/', backgroundColor: '#111' },
    { type: 'image', src: 'https://a.example/wide.png', alt: 'Wide' },
    { type: 'section', backgroundColor: '#fafafa', children: [{ type: 'text', text: 'Panel', color: '#666' }] },
    { type: 'footer', text: 'Why you get this.' },
  ]).content,
}

const confirmation = confirmationFor(['en'])
const mails: [string, Source][] = [
  ['order', orderMail],
  ['marketing', marketingMail],
  ['receipt', receiptMail],
  ['right-to-left', rightToLeftMail],
  ['confirmation', { ...confirmation, kind: 'transactional' }],
  ['plain', plain],
]

interface Word {
  text: string
  contrast: number
  large: boolean
}

/** Of every piece of text that is shown: how it stands out. In the page, so it holds nothing from here. */
function wordsShown(): { words: Word[]; brightest: number } {
  const parts = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const light = (rgb: number[]) => {
    const [r = 0, g = 0, b = 0] = rgb.map((part) => {
      const value = part / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ground = (element: Element | null): number[] => {
    for (let at = element; at; at = at.parentElement) {
      const [r = 0, g = 0, b = 0, alpha = 1] = parts(getComputedStyle(at).backgroundColor)
      if (alpha > 0) return [r, g, b]
    }
    return [255, 255, 255]
  }
  const words: Word[] = []
  let brightest = 0
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (!element || text === '' || element.getClientRects().length === 0) continue
    const style = getComputedStyle(element)
    const under = ground(element)
    const [one = 0, other = 0] = [light(parts(style.color).slice(0, 3)), light(under)].sort((a, b) => b - a)
    const size = Number.parseFloat(style.fontSize)
    words.push({ text, contrast: (one + 0.05) / (other + 0.05), large: size >= 24 })
    brightest = Math.max(brightest, light(under))
  }
  return { words, brightest }
}

test.skipIf(!browserExpected)(
  'every word of our mails can be read by day and by night, and nothing glares at night',
  async () => {
    const browser = await openBrowser()
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, javaScriptEnabled: true })
      await page.route('**/*.{png,jpg}', (route) => route.abort())
      for (const [name, source] of mails) {
        await page.setContent(fill(compileContent(source).html, orderValues), { waitUntil: 'domcontentloaded' })
        const { words, brightest } = await page.evaluate(wordsShown)
        expect(words.length, name).toBeGreaterThan(3)
        const faint = words.filter(({ contrast, large }) => contrast < (large ? 3 : 4.5))
        expect(faint, `${name}, ${colorScheme}`).toEqual([])
        if (colorScheme === 'dark') expect(brightest, `${name} glares`).toBeLessThan(0.7)
      }
      await page.close()
    }
    await browser.close()
  },
)

test.skipIf(!browserExpected)(
  'a picture fills its place at 600 pixels, and the logo for the dark is shown in the dark alone',
  async () => {
    const browser = await openBrowser()
    const html = fill(compileContent(plain).html, orderValues)
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 600, height: 800 } })
      await page.route('**/*.png', (route) =>
        route.fulfill({ contentType: 'image/gif', body: Buffer.from(picture.split(',')[1] ?? '', 'base64') }),
      )
      await page.setContent(html)
      const widths = await page.evaluate(() => {
        const wide = document.querySelector('img[alt=Wide]')
        return [wide?.getBoundingClientRect().width, wide?.closest('td')?.getBoundingClientRect().width]
      })
      expect(widths).toEqual([560, 560])
      const logos = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLImageElement>('img[alt=Logo]')]
          .filter((logo) => logo.getClientRects().length > 0)
          .map(({ src }) => src),
      )
      expect(logos).toEqual([`https://a.example/${colorScheme === 'dark' ? 'night' : 'day'}.png`])
      await page.close()
    }
    await browser.close()
  },
)

test.skipIf(!browserExpected)('no mail is wider than a phone, however long the address that it shows', async () => {
  const browser = await openBrowser()
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await page.route('**/*.{png,jpg}', (route) => route.abort())
  const confirm_url = `https://mail.example/confirm/${'Ab3'.repeat(20)}`
  for (const [name, source] of mails) {
    await page.setContent(fill(compileContent(source).html, { ...orderValues, confirm_url }))
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth), name).toBe(360)
  }
  await browser.close()
})

test('a confirmation shows the address of its link and who sends it', () => {
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt']) {
    const built = compileContent({ ...confirmationFor([language]), kind: 'transactional' })
    const [html, text] = [fill(built.html, orderValues), fill(built.text, orderValues)]
    const { confirm_url, company_address } = orderValues
    expect(html).toContain(`>${confirm_url}</a>`)
    for (const part of [html, text]) expect(part).toContain(company_address)
    expect(text).toContain(confirm_url)
  }
})
