// How much two mails differ to the eye: what part of their pixels, in a real browser, at the widths of a desk and of a phone, by day and in
// the dark. Pictures of other hosts are one and the same; nothing else is loaded.

import type { Browser, BrowserContext, Page } from 'playwright-core'

const widths = [640, 360]
const schemes = ['light', 'dark'] as const
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" fill="#7a9"/></svg>'

export interface Difference {
  look: string
  /** 0 to 1. */
  share: number
}

export async function openPixels(browser: Browser) {
  const looks = await Promise.all(
    widths.flatMap((width) =>
      schemes.map(async (scheme) => ({ scheme, width, page: await openLook(browser, width, scheme) })),
    ),
  )
  const judge = await (await browser.newContext()).newPage()
  return {
    /** In each look. */
    async differences(one: string, other: string): Promise<Difference[]> {
      return await Promise.all(
        looks.map(async ({ width, scheme, page }) => {
          const [first, second] = [await shot(page, one), await shot(page, other)]
          return {
            look: `${width} ${scheme}`,
            share: first === second ? 0 : await differingShare(judge, first, second),
          }
        }),
      )
    },
    /** The words that a reader sees. */
    async words(html: string): Promise<string> {
      const page = looks[0]?.page
      if (!page) return ''
      await page.setContent(html)
      return (await page.locator('body').allInnerTexts()).join(' ').replace(/\s+/g, ' ').trim()
    },
  }
}

async function openLook(browser: Browser, width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: false })
  await withOnePicture(context)
  return await context.newPage()
}

async function withOnePicture(context: BrowserContext): Promise<void> {
  await context.route(/^https?:/, (route) =>
    route.request().resourceType() === 'image'
      ? route.fulfill({ contentType: 'image/svg+xml', body: picture })
      : route.abort(),
  )
}

async function shot(page: Page, html: string): Promise<string> {
  await page.setContent(html, { waitUntil: 'load' })
  return (await page.screenshot({ fullPage: true, animations: 'disabled' })).toString('base64')
}

/** A pixel differs when one of its colours does by more than can be seen. */
async function differingShare(page: Page, one: string, other: string): Promise<number> {
  return await page.evaluate(
    async (pictures) => {
      const bitmaps = await Promise.all(
        pictures.map(async (data) => {
          const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
          return await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
        }),
      )
      const width = Math.max(...bitmaps.map((bitmap) => bitmap.width))
      const height = Math.max(...bitmaps.map((bitmap) => bitmap.height))
      const [first, second] = bitmaps.map((bitmap) => {
        const context = new OffscreenCanvas(width, height).getContext('2d')
        if (!context) throw new Error('no canvas')
        context.drawImage(bitmap, 0, 0)
        return context.getImageData(0, 0, width, height).data
      })
      if (!first || !second) return 1
      let differing = 0
      for (let at = 0; at < first.length; at += 4)
        if ([0, 1, 2, 3].some((part) => Math.abs((first[at + part] ?? 0) - (second[at + part] ?? 0)) > 2)) differing++
      return differing / (width * height)
    },
    [one, other],
  )
}
