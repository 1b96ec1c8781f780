// What SpamAssassin gives our mails for what we add to the words of an author: nothing. Its own rules only, no question to the network.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marketingMail, orderMail, orderValues, receiptMail, rightToLeftMail } from './rendering/samples.ts'
import { type TestApp, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'

const spamassassin = Bun.which('spamassassin')
if (spamassassin === null)
  process.stderr.write('spamassassin is not installed: the score of our mails is not measured here\n')

const preview = 'A few words that stand in the inbox, behind the subject.'
const brand = { companyName: 'Harbour & Co', companyAddress: '3 quai de Southampton, 76600 Le Havre, France' }

/** What left: the golden mails as transactional ones and as campaigns with tracking, and a confirmation, each with a preview text. */
async function ourMails(t: TestApp): Promise<{ subject: string; raw: string }[]> {
  await t.patch('/v1/workspace', { brand: { ...brand, website: 'https://shop.example' } }, 200)
  await t.patch('/v1/campaign-settings', { trackOpens: true, trackClicks: true, hoursBetween: 0 }, 200, {
    as: 'session',
  })
  const { list } = await listOf(t, 1)
  const { order_number, delivery_day, tracking_url, shipping_address, total, order_items } = orderValues
  const dataVariables = { order_number, delivery_day, tracking_url, shipping_address, total, order_items }
  for (const [id, mail] of Object.entries({ order: orderMail, receipt: receiptMail, rtl: rightToLeftMail })) {
    const { subject, content, locale } = mail
    await t.template({ id, name: id, subject, previewText: preview, content, primaryLocale: locale })
    await t.mail({ templateId: id, locale, dataVariables })
  }
  for (const mail of [marketingMail, rightToLeftMail]) {
    const { content, subject } = mail
    const id = await draft(t, list, { content, subject, previewText: preview })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  }
  const news = await t.mailingList({ optIn: 'double' })
  const source = await t.post('/v1/subscription-sources/create', { name: 'Form', mailingListIds: [news.id] }, 201)
  await t.post('/v1/contact-subscriptions/opt-in', { email: 'bob@example.net', sourceId: source.id }, 202)
  await t.settle()
  return (await t.sent()).map(({ raw }) => ({ subject: /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? '', raw }))
}

/** One run for all of them: the rules take longer to read than a mail to judge. */
async function scoresOf(mails: string[]): Promise<{ score: number; tests: string }[]> {
  const home = mkdtempSync(join(tmpdir(), 'paquebot-spam-'))
  const mbox = mails.map((raw) => `From shop@shop.example Thu Jan 15 12:00:01 2026\n${raw.replaceAll('\r\n', '\n')}\n`)
  const { stdout } = Bun.spawn([spamassassin ?? '', '--mbox', '-t', '-L', '--nocreate-prefs'], {
    stdin: Buffer.from(mbox.join('\n'), 'latin1'),
    stdout: 'pipe',
    stderr: 'ignore',
    env: { ...Bun.env, HOME: home },
  })
  const judged = await new Response(stdout).text()
  rmSync(home, { recursive: true, force: true })
  return [...judged.matchAll(/^X-Spam-Status: \w+, score=([-\d.]+) required=[\d.]+ tests=([\s\S]*?)autolearn=/gm)].map(
    ([, score = '', tests = '']) => ({ score: Number(score), tests: tests.replaceAll(/\s+/g, '') }),
  )
}

test.skipIf(spamassassin === null)('what we add to a mail costs no point of SpamAssassin', async () => {
  await using t = await testApp()
  const mails = await ourMails(t)
  expect(mails).toHaveLength(6)
  // The preview text is there, and no reader sees it in the mail.
  for (const { raw } of mails.slice(0, 5)) expect(raw.replaceAll('=\r\n', '')).toContain('display:none')
  const scores = await scoresOf(mails.map(({ raw }) => raw))
  expect(scores).toHaveLength(6)
  for (const [index, { score, tests }] of scores.entries())
    expect(score, `${mails[index]?.subject}: ${tests}`).toBeCloseTo(0, 5)
  const hidden = '<div style="display:none;font-size:1px;color:transparent;">An older preview</div>'
  const whole = mails[0]?.raw.replaceAll('=\r\n', '') ?? ''
  const older = whole.replace(/<div style=3D"display:none[^>]*>/, hidden.replaceAll('=', '=3D'))
  expect((await scoresOf([older]))[0]?.tests).toContain('FONT_INVIS')
})
