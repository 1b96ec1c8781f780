// A newcomer, who has read nothing, makes a welcome series of three mails in the browser, begins with two people, sees who is where, and
// why one of them did not get the second mail. What they press and fill in is counted.

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserExpected, openBrowser } from './support/browser.ts'
import type { Json } from './support/calls.ts'
import { judge, openDashboard } from './support/dashboard.ts'
import { remoteDatabase } from './support/database.ts'
import { type Installation, isCheckout, openInstallation } from './support/installation.ts'
import { Person } from './support/person.ts'

const [ada, ben] = ['ada@example.net', 'ben@example.net']
/** As a mail program does it for its reader (RFC 8058). */
async function unsubscribe(t: Installation, to: string): Promise<void> {
  const { mail } = await t.get(`/v1/activity/captured/wait?to=${to}`, 200)
  const { href } = mail.links.find(({ text }: Json) => text === 'Unsubscribe')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await t.request('POST', new URL(href).pathname, 'List-Unsubscribe=One-Click', { as: 'nobody', headers })
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

test.skipIf(!browserExpected || remoteDatabase || !isCheckout)(
  'a newcomer makes a welcome series, and sees who is where and why',
  async () => {
    await using t = await openInstallation({ trustLevel: 'M1' })
    const browser = await openBrowser()
    try {
      await using dashboard = await openDashboard(browser, t)
      const { page } = dashboard
      const person = new Person()
      const began = performance.now()

      await person.press(page.getByRole('link', { name: 'Sequences', exact: true }))
      await judge(page, 'newcomer-1-empty')
      await person.press(button(page, 'Begin with it: Welcome series'))
      await page.getByText('3 things keep it from being published').waitFor()
      await judge(page, 'newcomer-2-draft')
      const texts = [
        'It is good that you are here.\n\nOpen acme.example and sign in.',
        'Most people begin with these: a project, a friend, a plan.',
        'This week your first order costs 10 % less. The code is HELLO.',
      ]
      for (const [n, text] of texts.entries()) {
        await person.press(button(page, `Step ${2 * n + 1}`))
        if (n === 0) await judge(page, 'newcomer-3-write')
        await person.write(page.getByLabel('Text', { exact: false }).last(), text)
        await person.press(button(page, 'Make the mail'))
        await button(page, 'Make the mail').waitFor({ state: 'detached' })
      }
      await judge(page, 'newcomer-4-written')

      await person.press(page.getByRole('link', { name: 'Contacts', exact: true }))
      await person.press(page.getByRole('link', { name: 'Add the first one' }))
      await person.write(page.getByRole('textbox', { name: 'E-mail' }), ada)
      await person.press(button(page, 'Add'))
      await person.press(button(page, 'Record that they agreed'))
      const asked = page.getByRole('dialog')
      await person.write(asked.getByRole('textbox'), 'By telephone, today')
      await person.press(button(page, 'Record that they agreed').last())
      await asked.waitFor({ state: 'detached' })

      await person.press(page.getByRole('link', { name: 'Sequences', exact: true }))
      await person.press(page.getByRole('link', { name: 'Welcome series' }))
      await person.write(page.getByLabel('For the contact with this address'), ada)
      await person.press(button(page, 'Rehearse'))
      await page.getByRole('listitem').filter({ hasText: '5. Send a mail (welcome-offer): sent' }).waitFor()
      await judge(page, 'newcomer-5-rehearsed')
      await person.press(button(page, 'Publish'))
      await person.press(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
      await page.getByText('People begin version 1, which is what stands here.').waitFor()
      await person.press(page.getByRole('link', { name: 'People', exact: true }))
      await person.write(page.getByLabel('Addresses of contacts'), ada)
      await person.press(button(page, 'See who would begin'))
      await person.press(button(page, 'Put 1 person in'))
      await page.getByRole('link', { name: ada }).waitFor()

      // Their product tells of another one, who has enough of it at once. Then time passes.
      await t.post('/v1/events/send', { eventName: 'signedUp', email: ben }, 200)
      await t.settle()
      await unsubscribe(t, ben)
      for (let times = 0; times < 9; times++) {
        await t.advance('11h')
        // They look in now and then, and stay signed in.
        await t.get('/v1/sequences', 200, { as: 'session' })
      }

      await page.getByRole('row').filter({ hasText: ada }).getByText('4. Wait for an event').waitFor()
      const row = page.getByRole('row').filter({ hasText: ben })
      await row.getByText('unsubscribed from all mail').waitFor()
      await judge(page, 'newcomer-6-people')
      await person.press(page.getByRole('link', { name: ben }))
      await page.getByText('They left at the step welcome-tips: unsubscribed from all mail.').waitFor()
      await judge(page, 'newcomer-7-why')

      const machine = (performance.now() - began) / 1_000
      const took = `${person.seconds.toFixed(0)} s of a person, ${machine.toFixed(0)} s of the machine`
      process.stdout.write(`a welcome series by a newcomer: ${person.acts} acts, ${took}\n`)
      expect(person.acts).toBeLessThanOrEqual(31)
    } finally {
      await browser.close()
    }
  },
  240_000,
)
