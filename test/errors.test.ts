import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { errorCodeTable } from '../src/core/http/error-codes.ts'
import { errorCodes } from '../src/kit/error.ts'
import { testApp } from './support/app.ts'

const file = join(import.meta.dir, '../docs/errors.md')

/** A stroke would end the cell. */
const cell = (text: string) => text.replaceAll('|', '\\|')

function errorsDocument(): string {
  const rows = Object.entries(errorCodeTable).map(
    ([code, { status, cause, cure }]) =>
      `| <a id="${code}"></a>\`${code}\` | ${status} | ${cell(cause)} | ${cell(cure)} |`,
  )
  return `# Error codes

Every refusal is a problem document (RFC 9457). Decide by its \`code\`, which is stable; \`type\` leads to the row of the code on your own
server, \`/docs/errors#code\`. \`detail\` says what was wrong with this request, \`errors\` names every fault with its path, \`instance\` is
the path without its query, and \`success: false\` and \`message\` are for clients that look for those. A browser (\`Accept: text/html\`) gets a
page. In the order of the statuses: 400 cannot be read, 401 no valid credential, 403 valid but not for this, 404 not there or another workspace's, 405
with \`Allow\`, 409 contradicts what is stored, 413 too large, 415 wrong form of the body, 422 readable but wrong, 429 and 503 with \`Retry-After\`.
This file is made from
\`src/core/http/error-codes.ts\`: \`UPDATE_DOCS=1 bun test test/errors.test.ts\`.

| code | status | why it comes | what to do |
|---|---|---|---|
${rows.join('\n')}
`
}

test('docs/errors.md and the page that problems lead to have the cause and the cure of every code', async () => {
  if (process.env['UPDATE_DOCS']) await Bun.write(file, errorsDocument())
  expect(await Bun.file(file).text()).toBe(errorsDocument())
  expect(Object.keys(errorCodeTable).sort()).toEqual([...errorCodes].sort())
  await using t = await testApp()
  const problem = await t.get('/v1/nothing', 404)
  const [address = '', code = ''] = problem.type.split('#')
  const reply = await fetch(address)
  expect(reply.status).toBe(200)
  const text = await reply.text()
  for (const one of errorCodes) expect(text, one).toContain(`id="${one}"`)
  expect(text).toContain(`id="${code}"`)
})

test('a browser gets a page where a program gets JSON: unknown addresses, 401 and 404', async () => {
  await using t = await testApp()
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const cases = [
    ['/nothing', 404, 'not_found'],
    ['/v1/activity', 401, 'unauthorized'],
    ['/docs/nothing', 404, 'not_found'],
    ['/%ff', 400, 'invalid_request'],
  ] as const
  for (const [path, status, code] of cases) {
    const reply = await t.request('GET', path, undefined, { as: 'nobody', headers: { accept } })
    expect([reply.status, reply.headers.get('content-type')], path).toEqual([status, 'text/html; charset=utf-8'])
    expect(reply.headers.get('content-security-policy'), path).toContain("default-src 'none'")
    expect(reply.text, path).toContain(`/docs/errors#${code}`)
    expect(reply.text.includes('href="/login"'), path).toBe(status === 401)
    if (status === 401) expect(reply.headers.get('www-authenticate')).toBe('Bearer, Session')
    for (const asked of ['*/*', 'application/json']) {
      const plain = await t.request('GET', path, undefined, { as: 'nobody', headers: { accept: asked } })
      expect([plain.status, plain.body.code], path).toEqual([status, code])
    }
  }
  const posted = await t.request('POST', '/nothing', {}, { as: 'nobody', headers: { accept } })
  expect(posted.body.code).toBe('not_found')
  const evil = await t.request('GET', '/<script>alert(1)</script>', undefined, { as: 'nobody', headers: { accept } })
  expect(evil.text).not.toContain('<script>')
})

test('there is a favicon', async () => {
  await using t = await testApp()
  const reply = await t.request('GET', '/favicon.ico', undefined, { as: 'nobody' })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})
