// Settings and payments in a real browser: what mail looks like, who is in the workspace, how one signs in, keys, who changed what, and what
// the payment provider reported.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { putInstallationValue } from '../db/installation-value.ts'
import { installation } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { noteBackup } from '../src/operator/backup/last.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { createUser } from '../src/people/access/users.ts'
import { defaultAttachmentTypes as five } from '../src/people/attachment-types.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { judge, openDashboard, press } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually, shown } from './support/eventually.ts'
import { deliver, providerEvent, secret } from './support/payment-provider.ts'

const password = 'correct horse battery'
const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const telephone = 'Mozilla/5.0 (Android 16; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'

const backup = { path: '/backups/one.age', bytes: 2_500_000, tables: 1, rows: 1, hasSecret: true }

describe.skipIf(!browserExpected || remoteDatabase)('settings and payments in the dashboard', () => {
  let browser: Browser
  let t: TestApp
  beforeAll(async () => {
    browser = await openBrowser()
    t = await testApp()
  })
  afterAll(async () => {
    await browser.close()
    await t[Symbol.asyncDispose]()
  })

  const enter = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

  test('a mail shows the brand while it is typed, and what is refused is said', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    await press(page, 'g e')
    const mail = page.frameLocator('iframe')
    await mail.getByRole('heading', { name: 'Your order is on its way' }).waitFor()
    await page.getByLabel('Company').fill('Paper & Sons')
    await page.getByLabel('Postal address').fill('1 Quay Street, Bristol')
    await mail.getByText('1 Quay Street').waitFor()
    await eventually(async () => (await t.get('/v1/workspace', 200)).brand).toEqual({})
    await page.getByLabel('Colour of buttons and links', { exact: true }).fill('teal')
    await page.getByText('must be a colour').waitFor()
    await page.getByLabel('Colour of buttons and links', { exact: true }).fill('#0f766e')
    await page.getByText('must be a colour').waitFor({ state: 'detached' })
    await page.getByLabel('What may be attached').fill('application/pdf\napplication/zip')
    await page.getByLabel('How many files a mail may have').fill('5')
    await enter(page, 'Save')
    await page.getByText('Saved.').waitFor()
    const { brand, attachmentTypes, maxAttachments } = await t.get('/v1/workspace', 200)
    expect(attachmentTypes).toEqual([...five, 'application/zip'])
    expect(maxAttachments).toBe(5)
    expect(brand).toEqual({
      companyName: 'Paper & Sons',
      companyAddress: '1 Quay Street, Bristol',
      primaryColor: '#0f766e',
    })
    await page.getByLabel('Quiet from').fill('21:00')
    await enter(page, 'Set quiet hours')
    await page.locator('input[name="quietHours.to"]:focus[aria-invalid=true]').waitFor()
    await dashboard.refused()
    await page.getByLabel('Until').fill('08:00')
    await enter(page, 'Set quiet hours')
    await page.getByText('Saved. Whoever waits').waitFor()
    const settings = await t.get('/v1/campaign-settings', 200)
    expect(settings.quietHours).toEqual({ from: '21:00', to: '08:00' })
    await judge(page, 'settings-brand')
    expect(complaints.filter((one) => !one.includes('422'))).toEqual([])
  })

  test('somebody is invited, comes in, gets another role and is removed; the only owner stays', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    const people = async () =>
      (await t.get('/v1/members', 200)).data.map(({ email, role }: Json) => [email.split('@')[0], role])
    await press(page, 'g e')
    await page.getByRole('link', { name: 'People' }).press('Enter')
    await page.getByText('The only owner stays').waitFor()
    await page.getByLabel('E-mail address').fill('hal@example.com')
    await press(page, 'Enter')
    await page.getByText('The link for hal@example.com').waitFor()
    await enter(page, 'Withdraw')
    await page.getByText('Nobody is invited').waitFor()
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await press(page, 'Enter')
    await page.getByText('The link for grace@example.com').waitFor()
    await judge(page, 'settings-people')

    // Who came first stands first.
    t.clock.advance(1_000)
    const visitor = await browser.newPage()
    await visitor.goto(await shown(page.locator('.notice code'), /^http/))
    await visitor.getByLabel('Name').fill('Grace')
    await visitor.getByLabel('Password').fill('correct horse battery')
    await visitor.keyboard.press('Enter')
    await visitor.waitForURL((url) => !url.pathname.startsWith('/invite'))
    await visitor.context().close()

    await page.reload()
    await page.getByLabel('Role of grace@example.com').selectOption('Owner')
    await page.getByText('grace@example.com is now: Owner.').first().waitFor()
    await eventually(() => people()).toEqual([
      ['owner', 'owner'],
      ['grace', 'owner'],
    ])
    await enter(page, 'Undo')
    await page.getByText('The only owner stays').waitFor()

    await page.getByLabel('Role of grace@example.com').selectOption('Member')
    await page.getByText('grace@example.com is now: Member.').first().waitFor()
    // What she makes ends with her right, unless somebody keeps it.
    const { data } = await t.get('/v1/members', 200)
    const userId = data.find(({ email }: Json) => email === 'grace@example.com').userId
    const grantor = { userId, role: 'member' } as const
    await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { name: 'Till', grantor }))
    await page.getByLabel('Role of grace@example.com').selectOption('Viewer')
    const lesser = page.getByRole('dialog', { name: 'grace@example.com: Viewer?' })
    await lesser.getByText('API key: Till').waitFor()
    await judge(page, 'settings-parting')
    await lesser.getByLabel('Keep them working, with my rights').check()
    await lesser.getByRole('button', { name: 'Give the lesser role' }).press('Enter')
    await page.getByText('grace@example.com is now: Viewer.').first().waitFor()
    const tillOf = async () => (await t.get('/v1/api-keys', 200)).data.find(({ name }: Json) => name === 'Till')
    await eventually(() => tillOf()).toMatchObject({ madeBy: { email: t.user.email }, role: 'member' })
    await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { name: 'Desk', grantor }))
    await enter(page, 'Remove')
    const dialog = page.getByRole('dialog', { name: 'Remove grace@example.com?' })
    await dialog.getByText('API key: Desk').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByLabel('Role of grace@example.com').waitFor({ state: 'detached' })
    await eventually(() => people()).toEqual([['owner', 'owner']])
    expect(complaints).toEqual([])
  })

  test('a key is made with what it may do, works as the page says, and is refused once it is revoked', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    // One of before makers were kept.
    const old = { name: 'Old shop', grantor: { userId: null, role: 'owner' } } as const
    const made = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, old))
    await press(page, 'g e')
    await page.getByRole('link', { name: 'API keys' }).press('Enter')
    await page.getByRole('row', { name: 'tests' }).getByText('command line').waitFor()
    await page.getByRole('row', { name: 'Old shop' }).getByText('maker unknown').waitFor()
    await t.delete(`/v1/api-keys/${made.row.id}`, undefined, 200)
    await page.getByLabel('Name').fill('Reports')
    await page.getByLabel('May').selectOption('what I choose')
    await page.getByLabel('activity.read').press('Space')
    await judge(page, 'settings-keys')
    await enter(page, 'Make the key')
    await page.getByText('It is shown only now.').waitFor()
    const [key = '', command = ''] = await eventually(() => page.locator('.code code').allTextContents()).toHaveLength(
      2,
    )
    const ask = async () => {
      const shell = Bun.spawn(['bash', '-c', command])
      return await new Response(shell.stdout).json()
    }
    await eventually(() => ask()).toEqual({ success: true, teamName: 'Acme' })
    const as = { as: { apiKey: key } }
    await t.get('/v1/activity', 200, as)
    await t.get('/v1/contacts', 403, as)
    await judge(page, 'settings-key-made')
    const row = page.getByRole('row', { name: 'Reports' })
    await eventually(() => row.textContent()).toContain('activity.read')
    await row.getByRole('button', { name: 'Revoke' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
    await row.waitFor({ state: 'detached' })
    await eventually(async () => (await ask()).code).toBe('invalid_api_key')
    await page.getByLabel('Name').fill('CI')
    await page.getByLabel('For tests').press('Space')
    await enter(page, 'Make the key')
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    const testKey = await shown(page.locator('.code code').first(), /^pqk_/)
    await page.getByLabel('Workspace').selectOption('Acme (test)')
    await page.getByText('Test: no mail leaves this workspace.').waitFor()
    const inTest = { as: { apiKey: testKey } }
    await t.template({ id: 'late', name: 'Late', subject: 'Late' }, inTest)
    const scheduledAt = new Date(t.clock.now().getTime() + 2 * 86_400_000).toISOString()
    await t.mail({ templateId: 'late', scheduledAt }, inTest)
    await press(page, 'g x')
    await page.getByText('Nothing yet.').waitFor()
    await page.getByText('Move the clock').press('Enter')
    await page.getByText('1 job waits, the next due').waitFor()
    await page.getByLabel('By').fill('soon')
    await enter(page, 'Move it')
    await page.getByText('must be a duration').waitFor()
    await dashboard.refused()
    await judge(page, 'settings-test-workspace')
    await page.getByLabel('By').fill('2d')
    await enter(page, 'Move it')
    await page.getByText('The clock was moved: 1 job is due sooner.').waitFor()
    await t.settle()
    await page.getByText('Nothing waits here.').waitFor()
    await page.getByRole('link', { name: 'Late', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('the log says who changed what, from where, and what it was before; the installation, what only its server does', async () => {
    const as = { as: 'session' } as const
    for (const name of ['Acme & Sons', 'Acme']) await t.patch('/v1/workspace', { name }, 200, as)
    await t.mailingList({ name: 'Letter' })
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    await press(page, 'g e')
    await page.getByRole('link', { name: 'Audit log' }).press('Enter')
    await page.getByRole('link', { name: 'createMailingList' }).waitFor()
    await page.getByRole('link', { name: 'updateWorkspace' }).first().press('Enter')
    await page.getByRole('link', { name: 'createMailingList' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('operation')).toBe('updateWorkspace')
    await press(page, 'k Enter')
    await page.locator('del').getByText('Acme & Sons').waitFor()
    await eventually(() => page.locator('tbody tr').first().textContent()).toContain('owner@acme.test')
    await eventually(() => page.locator('tbody tr').first().textContent()).toContain('127.0.0.1')
    await judge(page, 'settings-audit')
    await page.getByLabel('Before').fill('2020-01-01T00:00')
    await press(page, 'Enter')
    await page.getByText('No such change.').waitFor()
    await page.getByRole('link', { name: 'Everything' }).press('Enter')
    await page.getByRole('link', { name: 'createMailingList' }).waitFor()
    await noteBackup(t.app, { ...backup, takenAt: t.clock.now() })
    await page.getByRole('link', { name: 'Installation' }).press('Enter')
    await page.getByText('/backups/one.age').waitFor()
    await page.getByText('No mail is sent: it is captured').waitFor()
    await page.getByText('paquebot resume', { exact: true }).waitFor()
    await judge(page, 'settings-installation')
    await t.template({ id: 'trip' })
    const scheduledAt = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
    for (const email of ['ada@example.net', 'bob@example.net'])
      await t.post('/v1/transactional/send', { transactionalId: 'trip', email, scheduledAt }, 200)
    t.clock.advance(1)
    const held = { because: 'older', since: t.clock.now(), servedUntil: new Date(scheduledAt) }
    await write(t.app, (tx) => putInstallationValue(tx, 'held', JSON.stringify(held)))
    await page.reload()
    await page.getByRole('heading', { name: 'What waits here' }).waitFor()
    await page.getByRole('row', { name: 'ada@example.net' }).getByText('may have left').waitFor()
    await judge(page, 'settings-installation-held')
    await press(page, 'j Enter')
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    await write(t.app, (tx) => tx.db.delete(installation).where(eq(installation.name, 'held')))
    expect(complaints).toEqual([])
  })

  test('payments are connected, reported as the page says, and tried again when their contact is there', async () => {
    await using dashboard = await openDashboard(browser, t)
    const { page, complaints } = dashboard
    await press(page, 'g p')
    await page.getByText('Begin with the provider’s secret').waitFor()
    await page.getByLabel('Signing secret').fill(secret)
    await press(page, 'Enter')
    await page.getByText('active', { exact: true }).waitFor()
    await eventually(() => page.getByLabel('Another signing secret').inputValue()).toBe('')
    await judge(page, 'payments-empty')
    const [url = '', command = ''] = await eventually(() => page.locator('.code code').allTextContents()).toHaveLength(
      2,
    )
    // The signature is of the clock of the test.
    const date = `date() { echo ${Math.floor(t.clock.now().getTime() / 1_000)}; }`
    const env = { ...process.env, SIGNING_SECRET: secret }
    const shell = Bun.spawn(['bash', '-c', `${date}\n${command}`], { env })
    expect(await new Response(shell.stdout).json()).toEqual({
      received: true,
      status: 'processed',
      eventId: 'evt_1',
    })

    await page.getByLabel('Create a contact').press('Space')
    await enter(page, 'Save')
    await page.getByText('Saved.').waitFor()
    await t.advance('1m')
    const unpaid = providerEvent('invoice.payment_failed', { id: 'in_2', customer_email: 'una@example.net' })
    await deliver(t, new URL(url).pathname, unpaid)
    await press(page, 'g h')
    await page.getByLabel('Create a contact').waitFor({ state: 'detached' })
    await press(page, 'g p')
    await page.getByText('no contact found').waitFor()
    await judge(page, 'payments')
    await t.contact({ email: 'una@example.net' })
    await page.getByRole('link', { name: 'ignored' }).press('Enter')
    await page.getByRole('link', { name: 'an event of this contact' }).waitFor({ state: 'detached' })
    await enter(page, 'Try again')
    await page.getByText('Nothing is in this state.').waitFor()
    await page.getByRole('link', { name: 'all', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'an event of this contact' }).first().press('Enter')
    await page.getByRole('heading', { name: 'una@example.net' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a code is asked for beside the password, and the other sessions are ended', async () => {
    const passwordHash = await t.app.passwords.hash(password)
    const { id } = await write(t.app, (tx) =>
      createUser(tx, t.workspace, { email: 'ida@acme.test', passwordHash, role: 'viewer' }),
    )
    const signIn = async (userAgent: string) => {
      const device = { signedInBy: 'password', ip: '192.0.2.1', userAgent } as const
      return `session=${await write(t.app, (tx) => createSession(tx, id, device))}`
    }
    const [own, other] = [await signIn(desktop), await signIn(telephone)]
    await using dashboard = await openDashboard(browser, { ...t, sessionCookie: own })
    const { page, complaints } = dashboard
    await press(page, 'g e')
    await page.getByRole('link', { name: 'Sign-in' }).press('Enter')
    await page.getByRole('row', { name: /Chrome, Linux this one 192.0.2.1/ }).waitFor()
    await page.getByRole('row', { name: /Firefox, Android/ }).waitFor()
    await page.getByText('Passkeys belong to a host name').waitFor()
    await page.getByLabel('Your password').fill(password)
    await press(page, 'Enter')
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor()
    await judge(page, 'settings-sign-in')
    const secret = await shown(page.locator('section code').first(), /^[A-Z2-7]{16,}$/)
    const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() })
    await page.getByLabel('Code of the app').fill(code)
    await press(page, 'Enter')
    await page.getByText('Recovery codes left: 10.').waitFor()
    await judge(page, 'settings-recovery-codes')
    const [recovery = ''] = (await shown(page.locator('.code code'), /\n/)).split('\n')
    await page.getByLabel('Code of the app').fill(recovery)
    await press(page, 'Enter')
    await page.getByRole('button', { name: 'Turn it on' }).waitFor()
    const as = (cookie: string) => ({ as: 'nobody', headers: { cookie } }) as const
    await eventually(() => t.get('/v1/auth/second-factor', 200, as(own))).toMatchObject({ enabled: false })
    // No code was asked for it.
    await t.get('/v1/auth/session', 401, as(other))
    const later = await signIn(telephone)
    await page.reload()
    await enter(page, 'End all others')
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
    await t.get('/v1/auth/session', 401, as(later))
    await page.getByLabel('Present password').fill('not this one')
    await page.getByLabel('New password').fill('another horse battery')
    await press(page, 'Enter')
    await page.getByText('The present password is wrong.').waitFor()
    await page.getByLabel('Present password').fill(password)
    await press(page, 'Enter')
    await page.getByText('The password is changed').waitFor()
    await t.get('/v1/auth/session', 401, as(own))
    await page.getByRole('row', { name: /this one/ }).waitFor()
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([])
  })
})
