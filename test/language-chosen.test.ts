// Who is shown which language: as they chose, else as their browser asks, else English.

import { expect, test } from 'bun:test'
import { testApp } from './support/app.ts'

test('the dashboard and the pages before it follow what was chosen, then the browser, then English', async () => {
  await using t = await testApp()
  const session = (await t.request('GET', '/dashboard', undefined, { as: 'session' })).status
  expect(session).toBe(200)
  const shown = async (accepted: string, cookie?: string) => {
    const headers = { 'accept-language': accepted, ...(cookie && { cookie }) }
    const { text } = await t.request('GET', '/login', undefined, { as: 'nobody', headers })
    const dashboard = await t.request('GET', '/dashboard', undefined, {
      as: 'session',
      headers: { 'accept-language': accepted },
    })
    return [/<html lang="([\w-]+)"/.exec(text)?.[1], /dashboard-([\w-]+)-\w+\.js/.exec(dashboard.text)?.[1]]
  }
  expect(await shown('de-AT, en;q=0.5')).toEqual(['de', 'de'])
  expect(await shown('xx, de;q=0.3, en;q=0.2')).toEqual(['de', 'de'])
  expect(await shown('xx')).toEqual(['en', 'en'])
  expect(await shown('en', 'a=b; language=de')).toEqual(['de', 'en'])
  expect(await shown('de', 'language=../../etc')).toEqual(['de', 'de'])
})

test('a form that signs in says in German what it asks for, and what went wrong as the API says it', async () => {
  await using t = await testApp()
  const { text } = await t.request('GET', '/login', undefined, { as: 'nobody', headers: { 'accept-language': 'de' } })
  expect(text).toContain('<h1>Bei Paquebot anmelden</h1>')
  expect(text).toContain(
    'Auf dem Server schreibt <code>paquebot user login-link --email you@example.com</code> einen Link',
  )
})

test('a link that does not work says so in the language of who followed it', async () => {
  await using t = await testApp()
  const { text } = await t.request('GET', '/t/c/x/1', undefined, {
    as: 'nobody',
    headers: { 'accept-language': 'fr-CA' },
  })
  expect(text).toContain('<h1>Ce lien ne fonctionne pas</h1>')
})
