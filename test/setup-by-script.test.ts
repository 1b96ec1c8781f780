// An installation set up by a script: what people otherwise do signed in, on the command line, with the checks of the routes.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { cli } from './support/cli.ts'

const init = ['init', '--workspace', 'acme', '--email', 'ada@acme.test']

async function installation() {
  const paquebot = await cli()
  await paquebot.run(init)
  const environment = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const json = async (command: string, ...flags: string[]) => {
    const args = [...command.split(' '), '--workspace', 'acme', '--json', ...flags]
    const run = await paquebot.run(args, environment)
    return { ...run.json, exit: run.code }
  }
  return { paquebot, json, environment, [Symbol.dispose]: () => paquebot[Symbol.dispose]() }
}

test('a webhook endpoint is made, tried, changed and deleted, and refused as over the API', async () => {
  using it = await installation()
  const signatures: (string | null)[] = []
  using receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      signatures.push(request.headers.get('webhook-signature'))
      return new Response(null, { status: 204 })
    },
  })
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const made = await it.json('webhook create', '--url', url, '--event', 'email.*', '--event', 'contact.created')
  const { id, signingSecret } = made
  expect(made).toMatchObject({
    exit: 0,
    id: expect.stringMatching(/^whe_/),
    status: 'active',
    eventFilters: ['email.*', 'contact.created'],
    signingSecret: expect.stringMatching(/^whsec_/),
  })
  expect(await it.json('webhook test', '--endpoint', id)).toMatchObject({
    exit: 0,
    delivered: true,
    statusCode: 204,
  })
  expect(signatures).toEqual([expect.stringMatching(/^v1,/)])
  const rotated = await it.json('webhook rotate-secret', id)
  expect(rotated.signingSecret).not.toBe(signingSecret)
  expect(await it.json('webhook update', id, '--status', 'disabled')).toMatchObject({
    status: 'disabled',
    eventFilters: ['email.*', 'contact.created'],
  })
  expect((await it.json('webhook list')).data).toMatchObject([{ id, url, hasSigningSecret: true }])
  expect(await it.json('webhook create', '--url', url, '--event', 'nonsense')).toMatchObject({
    exit: 1,
    code: 'validation_failed',
    message: expect.stringContaining('nonsense'),
  })
  expect(await it.json('webhook update')).toMatchObject({ exit: 2, code: 'wrong_usage' })
  expect(await it.json('webhook delete', id)).toMatchObject({ exit: 0, success: true })
  expect(await it.json('webhook delete', id)).toMatchObject({ exit: 1, code: 'not_found' })
})

test('domains, payments, lists, templates and campaigns', async () => {
  using it = await installation()
  const domain = await it.json('domain add', '--domain', 'example.com')
  expect(domain.dnsRecords.map(({ name }: { name: string }) => name)).toContain('_dmarc.example.com')
  expect((await it.json('domain list')).data).toMatchObject([{ domain: 'example.com' }])
  expect(await it.json('payments set', '--enable')).toMatchObject({ exit: 1, code: 'signing_secret_required' })
  expect(await it.json('payments set', '--secret', 'whsec_0123456789', '--enable')).toMatchObject({ enabled: true })
  expect(await it.json('payments get-settings')).toMatchObject({
    enabled: true,
    has_signing_secret: true,
    webhook_url: expect.any(String),
  })
  const list = await it.json('list create', '--name', 'News', '--opt-in', 'double', '--is-public', 'true')
  expect((await it.json('list list')).data).toMatchObject([{ id: list.id, optIn: 'double', isPublic: true }])

  const file = join(it.paquebot.directory, 'file.json')
  const content = [{ type: 'text', text: 'Hello {{name}}' }]
  await Bun.write(file, JSON.stringify({ id: 'hello', name: 'Hello', subject: 'Hi', content }))
  expect(await it.json('template put', '--file', file)).toMatchObject({
    exit: 0,
    id: 'hello',
    variables: ['name'],
    warnings: [],
  })
  const shown = await it.json('template show', '--template', 'hello')
  await Bun.write(file, JSON.stringify({ ...shown, exit: undefined, subject: 'Hi again' }))
  expect(await it.json('template put', '--file', file)).toMatchObject({ exit: 0, subject: 'Hi again', warnings: [] })
  const about = ['--template', 'hello'] as const
  const { revisions } = await it.json('template revisions', ...about)
  expect(revisions).toMatchObject([
    { subject: 'Hi again', isCurrent: true, author: { kind: 'operator' } },
    { subject: 'Hi' },
  ])
  const [, { id: first }] = revisions
  const differs = ['template', 'diff', '--workspace', 'acme', ...about, '--revision', revisions[0].id]
  expect((await it.paquebot.run(differs)).out).toBe('subject: Hi{+ again+}\n')
  expect(await it.json('template restore', ...about, '--revision', first)).toMatchObject({ exit: 0, subject: 'Hi' })
  expect(await it.json('template put', '--file', file)).toMatchObject({ exit: 0, subject: 'Hi again' })
  const page = join(it.paquebot.directory, 'page.html')
  const looked = await it.json('template preview', '--template', 'hello', '--html', page)
  expect(looked).toMatchObject({ exit: 0, subject: 'Hi again', missingVariables: ['name'] })
  expect(await Bun.file(page).text()).toBe(looked.html)
  await Bun.write(file, JSON.stringify({ subject: 'New', content: [{ type: 'text', text: 'Pale', color: '#cccccc' }] }))
  const unsaved = await it.paquebot.run(['template', 'preview', '--workspace', 'acme', '--file', file])
  expect(unsaved.out).toContain('low_contrast')
  const letter = join(it.paquebot.directory, 'letter.mjml')
  await Bun.write(
    letter,
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{code}}</mj-text><mj-x/></mj-column></mj-section></mj-body></mjml>',
  )
  expect(await it.json('template import', '--file', letter, '--name', 'Letter')).toMatchObject({
    exit: 0,
    id: 'letter',
    status: 'draft',
    kind: 'mjml',
    variables: ['code'],
    warnings: [{ message: "Line 1, <mj-x>: Element mj-x doesn't exist or is not registered." }],
  })
  expect(await it.json('template import', '--file', letter, '--template', 'hello', '--locale', 'de')).toMatchObject({
    exit: 0,
    locale: 'de',
    content: { kind: 'mjml' },
  })
  expect(await it.json('template preview')).toMatchObject({ exit: 2, code: 'wrong_usage' })
  expect((await it.json('template list')).data).toMatchObject([{ id: 'hello', subject: 'Hi again' }])
  await Bun.write(file, '[]')
  expect(await it.json('template put', '--file', file)).toMatchObject({ exit: 2, code: 'wrong_usage' })
  expect(await it.json('template delete', '--id', 'hello')).toMatchObject({ exit: 0, success: true })

  await Bun.write(
    file,
    JSON.stringify({ name: 'July', subject: 'July', mailingListId: list.id, content: [{ type: 'text', text: 'Hi' }] }),
  )
  const campaign = await it.json('campaign create', '--body', `@${file}`)
  expect(campaign).toMatchObject({ exit: 0, status: 'draft' })
  expect((await it.json('approval list')).data).toEqual([])
  const { contentHash } = await it.json('approval get', campaign.id)
  const decision = [campaign.id, '--content-hash']
  expect(await it.json('approval approve', ...decision, '0'.repeat(64))).toMatchObject({
    exit: 1,
    code: 'revision_mismatch',
  })
  expect(await it.json('approval refuse', ...decision, contentHash)).toMatchObject({ exit: 0, status: 'refused' })
  expect(await it.json('approval approve', ...decision, contentHash)).toMatchObject({ exit: 0, status: 'approved' })
  expect(await it.json('campaign send', campaign.id)).toMatchObject({
    exit: 0,
    status: 'sending',
    recipients: 0,
  })
  expect(await it.json('campaign send', campaign.id)).toMatchObject({
    exit: 1,
    code: 'invalid_state_transition',
  })
})

test('a mailbox is renamed, disabled, and holds what agents reply', async () => {
  using it = await installation()
  const { id } = await it.json('mailbox create', '--address', 'desk@in.example.net')
  const update = (...flags: string[]) => it.json('mailbox update', id, ...flags)
  expect(await update('--hold-replies', 'true', '--name', 'Desk')).toMatchObject({
    exit: 0,
    holdReplies: true,
    name: 'Desk',
  })
  expect(await update('--hold-replies', 'maybe')).toMatchObject({ exit: 2, code: 'wrong_usage' })
  expect(await update('--status', 'disabled')).toMatchObject({ exit: 0, status: 'disabled', holdReplies: true })
  expect((await it.json('mailbox list')).data).toMatchObject([{ id, holdReplies: true, status: 'disabled' }])
})

test('the command line reaches one workspace, and nobody over the network is taken for it', async () => {
  using it = await installation()
  await it.paquebot.run(['workspace', 'create', '--slug', 'other'])
  const made = await it.json('webhook create', '--url', 'http://127.0.0.1:4000/hook')
  const other = await it.paquebot.run(['webhook', 'delete', made.id, '--workspace', 'other', '--json'])
  expect([other.code, other.json.code]).toEqual([1, 'not_found'])
  const server = await it.paquebot.serve(it.environment)
  for (const headers of [{}, { authorization: 'Bearer operator' }, { cookie: 'session=operator' }]) {
    expect((await fetch(`${server.url}/v1/webhook-endpoints`, { headers })).status).toBe(401)
  }
  // What a script does while the server runs is there at once.
  const { apiKey } = (await it.paquebot.run(['key', 'create', '--workspace', 'acme', '--json'])).json
  await it.json('list create', '--name', 'Live')
  const lists = await fetch(`${server.url}/v1/mailing-lists`, { headers: { authorization: `Bearer ${apiKey}` } })
  expect((await lists.json()).data).toMatchObject([{ name: 'Live' }])
  server.kill('SIGTERM')
  await server.ended
})
