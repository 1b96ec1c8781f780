// A real browser: Debian's chromium, driven by playwright-core.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where a browser is; undefined on a machine without one (`apt install chromium`). */
export const browserPath = places.find((path) => existsSync(path))

export async function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no browser: apt install chromium')
  return await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] })
}
