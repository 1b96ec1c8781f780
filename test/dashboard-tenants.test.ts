// Workspaces in a browser, as an owner of the first one makes, limits, suspends and resumes them; others are not shown that there are any.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type RequestOptions, session, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { fit, judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually, shown } from './support/eventually.ts'

const path = '/v1/workspaces'
const reason = 'The invoice of April is not paid.'

describe.skipIf(!browserExpected || remoteDatabase)('workspaces in the dashboard', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

  test('one is made with limits and gets its first key, fills, is limited anew, suspended and resumed', async () => {
    await using t = await testApp()
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await press(page, 'g e')
    await page.getByRole('link', { name: 'Workspaces', exact: true }).press('Enter')
    await page.getByRole('row', { name: /open acme Acme Mails this month: 0/ }).waitFor()
    await page.getByRole('link', { name: 'Make a workspace' }).press('Enter')
    await page.locator('input[name=slug]').fill('acme')
    await page.getByLabel('Name', { exact: true }).fill('Globex & Co')
    await page.getByLabel('Mails a day').fill('2')
    await page.getByLabel('Mails a month').fill('5')
    await enter(page, 'Make it')
    await page.getByRole('alert').waitFor()
    await judge(page, 'workspace-refused')
    await page.locator('input[name=slug]').fill('globex')
    await enter(page, 'Make it')
    await page.getByRole('heading', { name: 'Globex & Co' }).waitFor()
    const { id, limits } = (await t.get(`${path}?search=globex`, 200, session)).data[0]
    expect(limits).toEqual({ mailsPerDay: 2, mailsPerMonth: 5, mailsPerSecond: null, contacts: null })
    await enter(page, 'Make the first key')
    const apiKey = await shown(page.locator('.notice code', { hasText: 'pqk_' }), /^pqk_/)
    await judge(page, 'workspace-key')
    const as: RequestOptions = { as: { apiKey } }
    await t.template({}, as)
    await t.mail({}, as)
    await t.mail({}, as)
    const send = () =>
      t.request('POST', '/v1/transactional/send', { email: 'ada@example.net', templateId: 'hello' }, as)
    expect((await send()).body.code).toBe('limit_reached')
    await t.settle()
    await page.reload()
    await page.getByText('Mails today: 2 of 2').waitFor()
    await page.getByText('Mails this month: 2 of 5').waitFor()
    await page.getByText('Limits that were met').waitFor()
    await page
      .getByRole('definition')
      .getByText(/^[1-9]\d*(\.\d)? kB$/)
      .waitFor()
    await judge(page, 'workspace')
    await enter(page, 'Make the first key')
    await page.getByText('has a key already').waitFor()
    await page.getByLabel('Mails a day').fill('3')
    await page.getByLabel('Mails a month').fill('')
    await enter(page, 'Save')
    await eventually(async () => (await t.get(`${path}/${id}`, 200, session)).limits).toMatchObject({
      mailsPerDay: 3,
      mailsPerMonth: null,
    })
    await page.getByText('Mails today: 2 of 3').waitFor()
    await enter(page, 'Suspend')
    const dialog = page.getByRole('dialog', { name: 'Suspend this workspace?' })
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: 'Suspend' }).press('Enter')
    await page.locator('.notice.bad').getByText(reason).waitFor()
    expect((await send()).body.code).toBe('workspace_suspended')
    await judge(page, 'workspace-suspended')
    await page.getByRole('link', { name: 'All workspaces' }).press('Enter')
    await page.getByRole('row', { name: /suspended globex Globex & Co .* today: 2 of 3/ }).waitFor()
    await judge(page, 'workspaces')
    await press(page, '/')
    await page.keyboard.type('GLOB')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /acme/ }).waitFor({ state: 'detached' })
    await press(page, 'Tab j Enter')
    await enter(page, 'Resume')
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
    expect((await t.get(`${path}/${id}`, 200, session)).suspendedAt).toBeNull()
    await page.goto(`${t.url}/dashboard/acme/settings/workspaces/${t.workspace.id}`)
    await page.getByText('it cannot be suspended').waitFor()
    await judge(page, 'workspace-first')
    for (const locale of ['de-DE', 'ar']) {
      await using narrow = await openDashboard(browser, t, { locale })
      for (const each of ['', '/new', `/${id}`]) {
        await narrow.page.goto(`${t.url}/dashboard/acme/settings/workspaces${each}`)
        await narrow.page.locator('#content :is(table, form)').first().waitFor()
        await fit(narrow.page, `${locale} ${each}`)
      }
    }
  })

  test('one is exported to be read, and downloaded; suspended, it is exported to move', async () => {
    await using t = await testApp({ environment: { BACKUP_PASSPHRASE: 'what seals an export' } })
    const { id } = await t.post(path, { slug: 'globex' }, 201, session)
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    const screen = `${t.url}/dashboard/acme/settings/workspaces/${id}`
    await page.goto(screen)
    await enter(page, 'Export')
    await page.locator('#content p', { hasText: 'The export is being made.' }).waitFor()
    await t.settle()
    await page.getByText('A copy to read').waitFor()
    await judge(page, 'workspace-exported')
    const arriving = page.waitForEvent('download')
    await enter(page, 'Download')
    expect((await arriving).suggestedFilename()).toBe('globex.tar.zst.age')
    await t.post(`${path}/${id}/suspend`, { reason }, 200, session)
    await page.goto(screen)
    await page.getByLabel('It moves to').fill('https://other.example')
    await enter(page, 'Export')
    await eventually(async () => (await t.get(`${path}/${id}/export`, 200, session)).movesTo).toBe(
      'https://other.example',
    )
  })

  test('a campaign of one that is suspended says for what it waits', async () => {
    await using t = await testApp()
    const { workspace, apiKey } = await t.stranger('elsewhere')
    await t.patch(`${path}/${workspace.id}`, { trustLevel: 'M1' }, 200, session)
    const as: RequestOptions = { as: { apiKey } }
    const { id: mailingListId } = await t.post('/v1/mailing-lists', { name: 'News' }, 201, as)
    const content = [{ type: 'text', text: 'Hi' }]
    const campaign = { name: 'July', subject: 'News', mailingListId, content }
    const { id: campaignId } = await t.post('/v1/campaigns', campaign, 201, as)
    await t.post(`/v1/campaigns/${campaignId}/schedule`, { scheduledAt: '2026-02-01T12:00:00Z' }, 200, as)
    const definition = { steps: [{ id: 'rest', type: 'wait', for: { amount: 1, unit: 'd' } }] }
    const sequence = await t.post('/v1/sequences', { name: 'Welcome', definition }, 201, as)
    await t.post(`/v1/sequences/${sequence.id}/publish`, { contentHash: sequence.contentHash }, 200, as)
    await t.post(`${path}/${workspace.id}/suspend`, { reason }, 200, session)
    const eve = await t.person('owner', { email: 'eve@else.test', workspace })
    await using context = await browser.newContext()
    const [name = '', value = ''] = eve.sessionCookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    const page = await context.newPage()
    await page.goto(`${t.url}/dashboard/elsewhere/campaigns`)
    await page.getByRole('row', { name: /scheduled It waits: the workspace is suspended\. July/ }).waitFor()
    await judge(page, 'campaigns-suspended')
    await page.getByRole('link', { name: 'July' }).press('Enter')
    await page.locator('p.under').getByText('It waits: the workspace is suspended.').waitFor()
    await judge(page, 'campaign-suspended')
    await page.goto(`${t.url}/dashboard/elsewhere/sequences`)
    await page.getByRole('row', { name: /active It waits: the workspace is suspended\. Welcome/ }).waitFor()
    await page.getByRole('link', { name: 'Welcome' }).press('Enter')
    await page.locator('p.under').getByText('It waits: the workspace is suspended.').waitFor()
    await judge(page, 'sequence-suspended')
  })

  test('whoever runs another workspace, or is no owner, sees nothing of them', async () => {
    await using t = await testApp()
    const { workspace } = await t.stranger('elsewhere')
    const eve = await t.person('owner', { email: 'eve@else.test', workspace })
    const mia = await t.person('member', { email: 'mia@acme.test' })
    const visits = [
      [eve.sessionCookie, 'elsewhere'],
      [mia.sessionCookie, 'acme'],
    ] as const
    for (const [sessionCookie, slug] of visits) {
      const context = await browser.newContext()
      const [name = '', value = ''] = sessionCookie.split('=')
      await context.addCookies([{ name, value, url: t.url }])
      const page = await context.newPage()
      await page.goto(`${t.url}/dashboard/${slug}/settings`)
      await page.getByRole('link', { name: 'API keys' }).waitFor()
      await eventually(() => page.getByRole('link', { name: 'Workspaces' }).count()).toBe(0)
      await page.goto(`${t.url}/dashboard/${slug}/settings/workspaces`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      await context.close()
    }
  })
})
