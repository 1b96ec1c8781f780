// What receivers say of a domain, as a person works it off in a browser: requirements first, then whose mail they report, and the policy.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { domainFindings } from '../db/tables/reports.ts'
import { write } from '../src/core/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { type ReportRow, reportStage, reportXml, selectorOf, sendingDomain, zipped } from './support/reporter.ts'

describe.skipIf(!browserExpected || remoteDatabase)('what receivers say of a domain', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('is on its screen: what to do, whose mail, and a policy that would be safe', async () => {
    await using stage = await reportStage()
    const { t, domain, address } = stage
    const reporter = await stage.reporter('receiver.example')
    const ours = selectorOf(domain)
    for (let daysAgo = 1; daysAgo < 9; daysAgo++) {
      const rows: ReportRow[] = [
        { count: 50, dkim: 'pass', signatures: [[sendingDomain, ours, 'pass']] },
        { ip: '203.0.113.7', count: 20, disposition: 'reject' },
      ]
      const xml = reportXml(t.app.clock.now(), rows, { daysAgo })
      expect(await stage.bring(await reporter.mail(address, zipped(xml)))).toStartWith('250')
    }
    const at = t.app.clock.now()
    await write(t.app, async (tx) => {
      await tx.db.insert(domainFindings).values({
        ...{
          domainId: domain.id,
          workspaceId: t.workspace.id,
          kind: 'refusal',
          receiver: 'google',
          requirement: 'ptr',
        },
        ...{ since: at, lastAt: at, evidence: '550 5.7.25 no PTR record' },
      })
    })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g d')
    await page.getByRole('link', { name: 'What receivers say of it' }).press('Enter')
    await page.getByRole('heading', { name: `What receivers say of ${sendingDomain}` }).waitFor()
    const first = page
      .getByRole('table', { name: 'What Gmail, Yahoo and Microsoft require' })
      .locator('tbody tr')
      .first()
    await eventually(() => first.textContent()).toContain('not met')
    await eventually(() => first.textContent()).toContain('550 5.7.25 no PTR record')
    await eventually(() => first.textContent()).toContain('Ask whoever owns the address')
    await page.getByText('p=quarantine is safe').waitFor()
    await page.getByText('v=DMARC1; p=quarantine').waitFor()
    const others = page.getByRole('table', { name: 'Who else sends as this domain' })
    await eventually(() => others.locator('tbody tr').count()).toBe(8)
    await page.getByRole('button', { name: 'Show as a table' }).press('Enter')
    await page.getByRole('table', { name: 'Messages a day, as receivers report' }).waitFor()
    await judge(page, 'domain-receivers')
  })
})
