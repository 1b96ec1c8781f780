// A real browser: Debian's chromium, driven by playwright-core; the one without a window takes half of the processors. CI must have one;
// elsewhere tests that need it say so and are left out.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

const path = places.find((one) => existsSync(one))

/** False on a machine without a browser; in CI always true, so that a missing one fails. */
export const browserExpected = path !== undefined || process.env.CI === 'true'

if (!browserExpected)
  process.stderr.write('tests in a browser are left out here: apt install chromium-headless-shell\n')

/** `hosts`: names that lead to 127.0.0.1, as a resolver would tell. */
export async function openBrowser({ hosts = [] }: { hosts?: string[] } = {}): Promise<Browser> {
  if (path === undefined) throw new Error('no browser: apt install chromium-headless-shell')
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ')
  const args = ['--no-sandbox', '--disable-gpu', ...(rules ? [`--host-resolver-rules=${rules}`] : [])]
  // Without a language of UTF-8 it cannot name the file of a download.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  return await chromium.launch({ executablePath: path, args, env })
}
