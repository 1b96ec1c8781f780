// What an operator sees of a running server in a terminal.

import { expect, test } from 'bun:test'
import { linesOf } from '../tools/process.ts'
import { cli } from './support/cli.ts'
import { program } from './support/program.ts'

const initArgs = ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json']

test('paquebot top shows lanes, rates and the machine, once or until Ctrl-C', async () => {
  using paquebot = await cli()
  const { apiKey } = (await paquebot.run(initArgs)).json
  const served = await paquebot.serve()
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    return (await fetch(served.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const content = [{ type: 'text', text: 'Hi' }]
  expect(await post('/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Hi', content })).toBe(201)
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  expect(await post('/v1/transactional/send', { templateId: 'hi', email: 'a@example.net', scheduledAt })).toBe(200)

  const at = ['--url', served.url]
  const run = await paquebot.run(['top', '--once', '--every', '2', '--json', ...at])
  expect(run.json).toMatchObject({ server: served.url, failed: 0 })
  expect(run.json.lanes).toContainEqual(
    expect.objectContaining({ lane: 'mail.tx', pending: 1, running: 0, lateSeconds: 0 }),
  )
  // The second look itself.
  expect(run.json.requests).toBeGreaterThan(0)
  const text = await paquebot.run(['top', '--once', '--every', '1', ...at])
  expect(text.out).toMatch(/^Paquebot \S+ at http/)
  expect(text.out).toMatch(/^LANE +PENDING +RUN /m)
  expect(text.out).toMatch(/^mail\.tx +1 +0 +0 +0 +0 +- /m)

  const live = Bun.spawn([...(await program()), 'top', '--every', '1', ...at], {
    env: { PATH: process.env.PATH ?? '' },
    stdout: 'pipe',
  })
  let screens = 0
  for await (const line of linesOf(live.stdout)) if (line.startsWith('LANE') && ++screens === 2) live.kill('SIGINT')
  expect(screens).toBeGreaterThanOrEqual(2)
  expect(await live.exited).toBe(0)
})

test('paquebot top says what is wrong with an address', async () => {
  using paquebot = await cli()
  const nobody = await paquebot.run(['top', '--once', '--url', 'http://127.0.0.1:1'])
  expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('no paquebot answers at http://127.0.0.1:1') })
  expect(await paquebot.run(['top', '--url', 'there'])).toMatchObject({ code: 2 })
  expect(await paquebot.run(['top', '--every', '0'])).toMatchObject({ code: 2 })
})

test('paquebot why says what holds a mail, with the server and without it', async () => {
  using paquebot = await cli()
  await paquebot.run(initArgs)
  const lane = ['why', 'lane', 'mail.tx', '--workspace', 'acme']
  expect((await paquebot.run(lane)).out).toMatch(
    /^stopped {2}server_off\n {2}Nothing is sent: no server runs on this database\n {2}Start it: /,
  )
  const served = await paquebot.serve()
  const { json } = await paquebot.run([...lane, '--json'])
  expect(json.data.map(({ code }: Record<string, string>) => code)).toEqual(['no_job'])
  served.kill('SIGTERM')
  await served.ended
  expect(await paquebot.run(['why', 'message', 'msg_none', '--workspace', 'acme'])).toMatchObject({ code: 1 })
  expect(await paquebot.run(['why', 'lane', 'none', '--workspace', 'acme'])).toMatchObject({ code: 1 })
})
