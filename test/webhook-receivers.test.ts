// Receivers as docs/webhooks.md writes them, run as they stand there, with each of the packages that it names: a real delivery is
// verified and printed, and one that is forged is refused.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from '../src/core/app.ts'
import { systemClock } from '../src/kit/clock.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { linesOf, until } from '../tools/process.ts'
import { testApp } from './support/app.ts'
import { sinkEnvironment } from './support/webhook-sink.ts'

const root = join(import.meta.dir, '..')

/** The receiver of the document, on any free port, which it prints. */
function receiverOf(document: string, packageName: string): string {
  const code = /```ts\n([\s\S]*?)```/.exec(document)?.[1] ?? ''
  expect(code).toContain("from 'standardwebhooks'")
  return code
    .replace("from 'standardwebhooks'", `from '${packageName}'`)
    .replace('port: 4000', 'port: 0')
    .replace('Bun.serve(', 'const server = Bun.serve(')
    .concat("console.log('listening on', server.port)\n")
}

for (const packageName of ['standardwebhooks', 'svix']) {
  test(`the receiver of docs/webhooks.md verifies with ${packageName}, and reads the event`, async () => {
    // The receiver reads the clock of this machine.
    await using t = await testApp({ environment: sinkEnvironment, clock: systemClock })
    const token = await write(t.app, (tx) => createSession(tx, t.user.id))
    const session = { as: 'nobody', headers: { cookie: `session=${token}`, origin: t.url } } as const
    const { id } = await t.post('/v1/webhook-endpoints', { url: 'http://127.0.0.1:4000/' }, 201, session)
    const rotated = await t.post(`/v1/webhook-endpoints/${id}/signing-secret`, undefined, 200, session)

    const receiver = Bun.spawn([process.execPath, 'run', '-'], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', SIGNING_SECRET: rotated.signingSecret },
      stdin: new Blob([receiverOf(readFileSync(join(root, 'docs/webhooks.md'), 'utf8'), packageName)]),
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const lines = linesOf(receiver.stdout)
    const first = await lines.next()
    const url = `http://127.0.0.1:${/^listening on (\d+)$/.exec(first.value ?? '')?.[1]}/`
    await t.patch(`/v1/webhook-endpoints/${id}`, { url }, 200, session)
    const sent = await t.post(`/v1/webhook-endpoints/${id}/send-test`, {}, 200, session)
    expect(sent).toMatchObject({ delivered: true, statusCode: 204 })
    const [, type] = await until(lines, new RegExp(`^${sent.webhookId} (\\S+)$`))
    expect(type).toBe('testing.testEvent')

    const forged = { 'webhook-id': 'wh_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
    expect((await fetch(url, { method: 'POST', headers: forged, body: '{}' })).status).toBe(401)
    receiver.kill()
    await receiver.exited
  })
}
