// The pictures of docs/images that show captured mail and the dashboard, made anew: `bun run docs:pictures`. Needs a browser (apt install
// chromium).

import { join } from 'node:path'
import { testApp } from './support/app.ts'
import { openBrowser } from './support/browser.ts'
import { trust } from './support/campaign.ts'
import { openDashboard } from './support/dashboard.ts'
import { brand, fill, shipped } from './support/filled.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const images = join(import.meta.dir, '../docs/images')

/** A server with a mail in it. Returns where it is, and the cookie of somebody who is signed in. */
async function filled() {
  const t = await testApp()
  await t.patch('/v1/workspace', { name: 'Acme', brand }, 200)
  await t.template(shipped)
  const data = Buffer.from('Invoice 4711\r\n').toString('base64')
  const mail = {
    email: 'grace@example.net',
    templateId: 'shipped',
    dataVariables: { name: 'Grace', order: '4711' },
    attachments: [{ filename: 'invoice-4711.txt', contentType: 'text/plain', data }],
  }
  const { messageId } = await t.mail(mail)
  await t.settle()
  const { captured } = await t.get(`/v1/activity/${messageId}`, 200)
  return { t, mail: new URL(captured.url).pathname }
}

const { t, mail } = await filled()
const browser = await openBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1000, height: 1080 } })
    const [name = '', value = ''] = t.sessionCookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    const page = await context.newPage()
    await page.goto(t.url + mail, { waitUntil: 'networkidle' })
    const frame = await page.locator('iframe').boundingBox()
    const height = Math.ceil((frame?.y ?? 0) + (frame?.height ?? 0)) + 20
    const clip = { x: 0, y: 0, width: 1000, height }
    await page.screenshot({ path: join(images, `captured-${colorScheme}.png`), fullPage: true, clip })
    await context.close()
  }
} finally {
  await browser.close()
  await t[Symbol.asyncDispose]()
}

/** Screens of an installation in which something was done, at the time of its own clock. */
async function picturesOfDashboard(): Promise<void> {
  await using receiver = webhookSink()
  await using t = await testApp({ environment: sinkEnvironment })
  await using browser = await openBrowser()
  await trust(t, 'M1')
  await fill(t, receiver.url)
  const { data } = await t.get('/v1/campaigns', 200)
  const july = data.find(({ name }: { name: string }) => name === 'July')
  const shoot = async (path: string, name: string, colorScheme: 'light' | 'dark', sight: string) => {
    await using dashboard = await openDashboard(browser, t, { colorScheme })
    const { page } = dashboard
    await page.clock.setFixedTime(t.clock.now())
    await page.goto(`${t.url}/dashboard/acme${path}`)
    await page.locator(sight).first().waitFor()
    // What is named by its id until its name has come.
    await page.waitForLoadState('networkidle')
    const tools = await page.context().newCDPSession(page)
    const picture = await tools.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
    await Bun.write(join(images, `dashboard-${name}-${colorScheme}.webp`), Buffer.from(picture.data, 'base64'))
  }
  await shoot('/templates/shipped', 'template', 'light', 'iframe.mail')
  await shoot(`/campaigns/${july.id}`, 'campaign', 'dark', '.shares')
}

await picturesOfDashboard()
