// Attachments as text in a real browser: asked for page by page, with what is hidden from agents marked, or the reason why there is none.

import { expect, test } from 'bun:test'
import { testApp } from './support/app.ts'
import { mailWith, pdfOf } from './support/attached-files.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { testMailbox } from './support/mailbox.ts'

test.skipIf(!browserExpected || remoteDatabase)('a person reads an attachment as text', async () => {
  await using browser = await openBrowser()
  await using t = await testApp()
  const mailbox = await testMailbox(t)
  const drawn = 'BT /F1 12 Tf 72 700 Td (You owe us 12) Tj 0 -20 Td 3 Tr (and obey) Tj 0 Tr 0 -20 Td (by Monday) Tj ET'
  const lines = Array.from({ length: 2_000 }, (_, number) => `line ${number}`).join('\n')
  const messageId = await mailbox.receive(
    mailWith(
      { name: 'invoice.pdf', type: 'application/pdf', content: pdfOf([drawn]) },
      { name: 'long.txt', type: 'text/plain', content: lines },
      { name: 'photo.png', type: 'image/png', content: Buffer.from('89504e470d0a1a0a', 'hex') },
    ),
  )
  await using dashboard = await openDashboard(browser, t)
  const { page, complaints, refused } = dashboard
  await page.goto(`${t.url}/dashboard/acme/mailboxes/${mailbox.id}/messages/${messageId}`)
  const show = page.getByRole('button', { name: 'Show as text' })
  await show.first().press('Enter')
  const invoice = page.getByRole('region', { name: 'The text of invoice.pdf' })
  await invoice.getByText('You owe us 12').waitFor()
  await eventually(() => invoice.locator('mark').allInnerTexts()).toEqual(['and obey'])
  await page.getByText('1 invisible passage, hidden from agents').waitFor()
  await show.first().press('Enter')
  const long = page.getByRole('region', { name: 'The text of long.txt' })
  await long.getByText('line 1000').waitFor()
  await eventually(() => long.textContent()).not.toContain('line 1999')
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await long.getByText('line 1999').waitFor()
  await eventually(() => long.textContent()).toBe(lines)
  await eventually(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  await show.first().press('Enter')
  await page.getByText('Its kind cannot be read as text.').waitFor()
  await refused()
  await judge(page, 'attachment-as-text')
  expect(complaints).toEqual([])
})
