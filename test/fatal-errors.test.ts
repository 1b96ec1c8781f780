// A mistake that no request catches: what runs is finished, the process ends with a failure, and nothing of what it took is lost.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'

const environment = { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'support/fatal-errors.ts')}` }

const mistakes = [
  ['an error that is thrown', 'SIGUSR2', 'an uncaught error', 'nobody catches this'],
  ['a promise that is rejected', 'SIGWINCH', 'an unhandled rejection', 'nobody waits for this'],
] as const

test.skipIf(remoteDatabase).each(mistakes)(
  '%s ends the process with a failure, after the request that runs has its answer',
  async (_, signal, stopped, message) => {
    using paquebot = await cli()
    const { json } = await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json'])
    const server = await paquebot.serve(environment)
    const call = (path: string, body: object) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${json.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const content = [{ type: 'text', text: 'Hello' }]
    expect((await call('/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Hi', content })).status).toBe(201)

    const { hostname, port } = new URL(server.url)
    const body = JSON.stringify({ email: 'grace@example.net', templateId: 'hi' })
    const head = `POST /v1/transactional/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${json.apiKey}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
    const continued = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    let answer = ''
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, bytes) {
          answer += bytes.toString()
          if (answer.includes('100 Continue')) continued.resolve()
        },
        close: () => closed.resolve(),
        error: () => closed.resolve(),
      },
    })
    socket.write(head)
    await continued.promise
    server.kill(signal)
    await server.whenSaid(/stopping after a fatal error/)
    socket.write(body)
    const { code, out, err } = await server.ended
    await closed.promise

    expect(answer).toContain('HTTP/1.1 200')
    const { messageId } = JSON.parse(answer.slice(answer.lastIndexOf('{"')))
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({ stopped, ok: false })
    expect(err).toContain(message)
    expect(await fetch(server.url).catch(() => null)).toBeNull()

    expect((await paquebot.run(['verify', '--json'])).code).toBe(0)
    const again = await paquebot.serve()
    const told = await fetch(`${again.url}/v1/activity/${messageId}`, {
      headers: { authorization: `Bearer ${json.apiKey}` },
    })
    expect(told.status).toBe(200)
    again.kill('SIGTERM')
    expect((await again.ended).code).toBe(0)
  },
)
