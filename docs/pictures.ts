// The pictures of docs/images that show captured mail, made anew: `bun run docs:pictures`. Needs a browser (apt install chromium).

import { join } from 'node:path'
import { testApp } from '../test/support/app.ts'
import { openBrowser } from '../test/support/browser.ts'

const images = join(import.meta.dir, 'images')

const brand = {
  companyName: 'Acme Ltd',
  companyAddress: '1 Harbour Road, Hull HU1 1AA',
  senderName: 'Acme',
  primaryColor: '#0f5e5a',
}
const column = (head: string, text: string) => ({
  type: 'container',
  padding: 0,
  children: [
    { type: 'heading', level: 3, text: head },
    { type: 'text', text },
  ],
})
const shipped = {
  id: 'shipped',
  name: 'Order shipped',
  subject: 'Order {{order}} is on its way',
  content: [
    { type: 'header', text: 'Acme' },
    {
      type: 'container',
      children: [
        { type: 'heading', text: 'It is on its way, {{name}}' },
        {
          type: 'text',
          format: 'markdown',
          text: 'Order **{{order}}** left our warehouse on {{date}}. [Follow it on the map](https://example.com/track/{{order}}).',
        },
        {
          type: 'section',
          columns: 2,
          children: [
            column('To', '{{name}} Hopper\n12 St James Square, London'),
            column('With', 'Royal Mail\nTomorrow before noon'),
          ],
        },
        {
          type: 'list',
          head: ['', 'Pieces', 'GBP'],
          items: [
            ['Punched cards, box of 500', '2', '18.40'],
            ['Analytical engine, brass', '1', '949.00'],
          ],
          totals: [['In all', '3', '967.40']],
          cellAlign: ['left', 'right', 'right'],
        },
        { type: 'button', text: 'See your order', href: 'https://example.com/orders/{{order}}' },
      ],
    },
    { type: 'footer', text: 'Questions? Just answer this mail.' },
  ],
}
const others = ['Confirm your address', 'Your receipt of November', 'You are on the list: News']

/** A server with a few mails in it. Returns where it is, and the cookie of somebody who is signed in. */
async function filled() {
  const t = await testApp()
  await t.patch('/v1/workspace', { name: 'Acme', brand }, 200)
  await t.post('/v1/transactional/create', shipped, 201)
  for (const [n, subject] of others.entries()) {
    const id = `other-${n}`
    await t.post('/v1/transactional/create', { id, name: id, subject, content: [{ type: 'text', text: subject }] }, 201)
    await t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: id }, 200)
    await t.advance('90s')
  }
  const data = Buffer.from('Invoice 4711\r\n').toString('base64')
  const mail = {
    email: 'grace@example.net',
    templateId: 'shipped',
    dataVariables: { name: 'Grace', order: '4711' },
    attachments: [{ filename: 'invoice-4711.txt', contentType: 'text/plain', data }],
  }
  const { messageId } = await t.post('/v1/transactional/send', mail, 200)
  await t.settle()
  const { captured } = await t.get(`/v1/activity/${messageId}`, 200)
  return { t, mail: new URL(captured.url).pathname }
}

const { t, mail } = await filled()
const browser = await openBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1000, height: 320 } })
    const [name = '', value = ''] = t.sessionCookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    const page = await context.newPage()
    await page.goto(`${t.url}/captured`)
    await page.screenshot({ path: join(images, `captured-list-${colorScheme}.png`) })
    await page.setViewportSize({ width: 1000, height: 1080 })
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
