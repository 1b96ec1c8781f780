// The first e-mail, from nothing: makes a workspace, serves, stores a template, sends it and shows where to look. It uses only
// what any user has: the commands and the HTTP API. `bun run first-mail [--exit]`

import { join } from 'node:path'

const main = join(import.meta.dir, '../src/main.ts')
const workspace = 'acme'
const stay = !process.argv.includes('--exit')

const template = {
  id: 'welcome',
  name: 'Welcome',
  subject: 'Welcome aboard, {{name}}',
  previewText: 'Your first e-mail from your own server',
  content: [
    { type: 'header', text: 'Paquebot' },
    { type: 'heading', text: 'Welcome aboard, {{name}}' },
    {
      type: 'text',
      text: 'This mail went from an **API call** through the outbox to a mailbox you can look into.',
      format: 'markdown',
    },
    { type: 'button', text: 'Confirm your address', href: 'https://example.com/confirm?token={{token}}' },
    {
      type: 'list',
      ordered: true,
      items: [
        'It was accepted in one transaction with its job.',
        'It was rendered from a component tree.',
        'It was captured, not sent: SMTP_URL is not set.',
      ],
    },
    { type: 'footer' },
  ],
}

/** The API key, and the path of a link that signs in once. */
async function init(): Promise<{ key: string; signIn: string }> {
  const command = [process.execPath, main, 'init', '--workspace', workspace, '--email', 'you@example.com', '--json']
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
  const answer = JSON.parse(await new Response(child.stdout).text())
  if (answer.code === 'already_initialised') {
    say(`This data directory has a workspace already. Set DATA_DIR to an empty one, or go on with what is there:
  serve            npx -y bun@1.4.5 src/main.ts serve
  an API key       npx -y bun@1.4.5 src/main.ts key create --workspace ${workspace}`)
    process.exit(1)
  }
  if (!answer.apiKey) throw new Error(JSON.stringify(answer))
  return { key: answer.apiKey, signIn: new URL(answer.loginLink).pathname }
}

async function serve() {
  const child = Bun.spawn([process.execPath, main, 'serve'], {
    env: { ...process.env, LOG_FORMAT: 'pretty' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const decoder = new TextDecoder()
  let heard = ''
  for await (const chunk of child.stderr) {
    heard += decoder.decode(chunk)
    const url = /listening on (\S+)/.exec(heard)?.[1]
    if (url) return { child, url }
  }
  throw new Error(`the server ended: ${heard}`)
}

async function api(url: string, key: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

async function untilSent(
  url: string,
  key: string,
  messageId: string,
): Promise<{ captured: { url: string; subject: string } }> {
  for (;;) {
    const activity = await api(url, key, 'GET', `/v1/activity/${messageId}`)
    if (activity.status === 'sent') return activity
    await Bun.sleep(20)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const { key, signIn } = await init()
const { child, url } = await serve()
await api(url, key, 'POST', '/v1/transactional/create', template)
const mail = { email: 'ada@example.net', templateId: 'welcome', dataVariables: { name: 'Ada', token: 'f00' } }
const { messageId } = await api(url, key, 'POST', '/v1/transactional/send', mail)
const { captured } = await untilSent(url, key, messageId)
say(`
Sent: "${captured.subject}" to ${mail.email}
  API key          ${key}
  look at it       ${url}${signIn}?to=/dashboard/${workspace}${new URL(captured.url).pathname}
  what happened    curl -s ${url}/v1/activity/${messageId} -H 'Authorization: Bearer ${key}'
  send another     curl -s ${url}/v1/transactional/send -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(mail)}'
  documentation    ${url}/docs
`)
if (!stay) {
  child.kill('SIGTERM')
  process.exit(await child.exited)
}
say('Serving until Ctrl-C.')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
process.exit(await child.exited)
