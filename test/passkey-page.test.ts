// Passkeys in a real browser with a virtual authenticator, by keyboard alone: made, renamed, used and removed.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { write } from '../src/core/app.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { setPassword } from '../src/people/access/users.ts'
import { check, type Look, looks } from './support/accessibility.ts'
import { type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'

const password = 'correct horse battery'
const wanted = browserExpected && !remoteDatabase
const inBrowser = test.skipIf(!wanted)

let browser: Browser | undefined
let t: TestApp
let at: string
beforeAll(async () => {
  if (!wanted) return
  browser = await openBrowser()
  t = await testApp({ environment: { BASE_URL: 'http://localhost:0' } })
  at = t.app.config.baseUrl
  const hash = await t.app.passwords.hash(password)
  await write(t.app, (tx) => setPassword(tx, t.user.id, hash))
})
afterAll(async () => {
  await browser?.close()
  await t?.[Symbol.asyncDispose]()
})

interface Device {
  page: Page
  devtools: CDPSession
  authenticatorId: string
}

/** A window with somebody signed in, and a device that knows its owner. */
async function open({ width, colorScheme }: Look): Promise<Device> {
  if (!browser) throw new Error('no browser')
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  const session = await write(t.app, (tx) => createSession(tx, t.user.id))
  await context.addCookies([{ name: 'session', value: session, url: at }])
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  return { page, devtools, authenticatorId }
}

/** Tab until this has the focus, as a person without a mouse would. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < 30; pressed++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const { activeElement: element } = document
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent
      return element?.getAttribute('aria-label') ?? label?.trim()
    })
    if (found === name) return
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

for (const look of looks) {
  inBrowser(`a passkey is made, renamed, used and removed by keyboard, ${look.name}`, async () => {
    const { page, devtools, authenticatorId } = await open(look)
    const faults: string[] = []
    await page.goto(`${at}/passkeys`)
    faults.push(...(await check(page, 'passkeys none', look)))
    await page.reload()
    await tabTo(page, 'Your password')
    await page.keyboard.type(password)
    await press(page, 'Add a passkey')
    await page.getByText('not used yet').waitFor()
    await eventually(
      async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    ).toHaveLength(1)
    await tabTo(page, 'Name of the passkey')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('The laptop on the desk in the room with the window')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove The laptop' }).waitFor()
    faults.push(...(await check(page, 'passkeys one', look)))

    await page.goto(at)
    await press(page, 'Sign out')
    await page.getByText('Not signed in').waitFor()
    await page.goto(`${at}/login?to=/passkeys`)
    faults.push(...(await check(page, 'sign-in with passkey', look)))
    await page.reload()
    await press(page, 'Sign in with a passkey')
    await page.getByText('last used').waitFor()
    expect(page.url()).toBe(`${at}/passkeys`)
    await press(page, 'Remove The laptop on the desk in the room with the window')
    await page.getByText('Add one').waitFor()
    await eventually(() => page.getByText('last used').count()).toBe(0)
    await page.context().close()
    expect(faults).toEqual([])
  })
}

inBrowser('what goes wrong is said in words, and the form can be used again', async () => {
  const { page, devtools, authenticatorId } = await open(looks[0])
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) problems.push(message.text())
  })
  await page.goto(`${at}/passkeys`)
  await page.getByLabel('Your password').fill('wrong')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('The present password is wrong.').waitFor()
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Nothing was done').waitFor()
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('not used yet').waitFor()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('holds a passkey of yours already').waitFor()
  await page.getByRole('button', { name: 'Remove Passkey' }).click()
  await page.getByText('Add one').waitFor()

  await page.goto(at)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(`${at}/login`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey is not known here').waitFor()
  await page.context().close()
  expect(problems).toEqual([])
})

inBrowser('the key of one place is of no use in another: a copy that was left behind is refused', async () => {
  const { page, devtools, authenticatorId } = await open(looks[0])
  await page.goto(`${at}/passkeys`)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('not used yet').waitFor()
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
  const [copy] = credentials
  if (!copy) throw new Error('there is no passkey')
  const signIn = async () => {
    await page.goto(`${at}/login?to=/passkeys`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  }
  await signIn()
  await page.getByText('last used').waitFor()
  await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy.credentialId })
  await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: copy })
  await signIn()
  await page.getByText('another copy of it was used since').waitFor()
  await page.context().close()
})

inBrowser('what an agent wrote leaves when the passkey confirms it, and not before', async () => {
  const mailbox = await testMailbox(t)
  const messageId = await mailbox.receive(rawMail({ to: mailbox.address, subject: 'A room' }))
  await using agent = await mcpClient('2026-07-28 (stateless)', `${t.url}/mailbox/mcp`, mailbox.token)
  await agent.callTool({ name: 'create_draft', arguments: { messageId, text: 'There is one.' } })
  const { page, devtools, authenticatorId } = await open(looks[0])
  await page.goto(`${at}/passkeys`)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('not used yet').waitFor()
  await page.goto(`${at}/dashboard/acme/approvals/read`)
  await page.getByRole('button', { name: 'Approve 1' }).waitFor()
  const before = (await t.sent()).length
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await page.getByText('the passkey was not used').waitFor()
  await t.settle()
  expect(await t.sent()).toHaveLength(before)
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing waits for you.').waitFor()
  await t.settle()
  expect((await t.sent()).slice(before).map(({ to }) => to)).toEqual(['ada@example.net'])
  await page.context().close()
})
