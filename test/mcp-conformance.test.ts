// The conformance suite of the protocol's makers, against both endpoints. Most of its scenarios ask for tools, resources and prompts that only a
// server made for the suite has; each that does is named, and any other has to pass.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from './support/app.ts'
import { testMailbox } from './support/mailbox.ts'
import { freshDirectory } from './support/place.ts'

const suite = join(import.meta.dir, '../node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** What this server does not have: the things of the suite's own server, logging, completion and subscriptions. */
const foreign = [
  ...['logging-set-level', 'completion-complete', 'json-schema-2020-12', 'elicitation-sep1034-defaults'],
  ...['elicitation-sep1330-enums', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ...['resources-subscribe', 'resources-unsubscribe', 'prompts-get-simple', 'prompts-get-with-args'],
  ...['prompts-get-embedded-resource', 'prompts-get-with-image', 'tools-call-simple-text', 'tools-call-image'],
  ...['tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-with-logging'],
  // Of Streamable HTTP of 2025 with sessions and streams to resume: ours has none.
  ...['server-sse-polling', 'server-sse-multiple-streams'],
  ...['tools-call-error', 'tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation'],
]
const passing = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]

test.each(['/mcp', '/mailbox/mcp'] as const)('%s does what the suite asks of every server', async (path) => {
  let serve: (request: Request) => Promise<Response> = () => Promise.reject(new Error('not yet'))
  // The suite sends no credential.
  const door = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: (request) => serve(request) })
  try {
    const address = `http://localhost:${door.port}`
    await using t = await testApp({ environment: { BASE_URL: address } })
    const token = path === '/mcp' ? t.apiKey : (await testMailbox(t)).token
    serve = async (request) => {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      const body = request.body === null ? {} : { body: await request.arrayBuffer() }
      return await fetch(t.url + new URL(request.url).pathname, { method: request.method, headers, ...body })
    }
    const baseline = join(freshDirectory(), 'expected.yml')
    writeFileSync(baseline, `server:\n${foreign.map((name) => `  - ${name}\n`).join('')}`)
    const command = [process.execPath, suite, 'server', '--url', address + path, '--suite', 'all']
    const child = Bun.spawn([...command, '--expected-failures', baseline], { stdout: 'pipe', stderr: 'pipe' })
    const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
    expect(await child.exited, said).toBe(0)
    for (const name of passing) expect(said).toMatch(new RegExp(`^✓ ${name}: [1-9]\\d* passed, 0 failed`, 'm'))
  } finally {
    await door.stop(true)
  }
})
