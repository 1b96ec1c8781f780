import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { loadCommands } from '../src/doors/cli/commands.ts'
import { runCommandLine } from '../src/doors/cli/run.ts'
import { defaultAttachmentTypes as five } from '../src/people/attachment-types.ts'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'

const initArgs = ['init', '--workspace', 'acme', '--email', 'ada@acme.test', '--json']

test('init prints what a first request and a first sign-in need, and a second one changes nothing', async () => {
  using paquebot = await cli()
  const first = await paquebot.run([...initArgs, '--password', 'long enough', '--name', 'Acme', '--trust', 'M2'])
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(Object.keys(first.json)).toEqual(['workspaceId', 'workspaceSlug', 'apiKey', 'userId', 'email', 'loginLink'])
  expect(first.json).toMatchObject({ workspaceSlug: 'acme', email: 'ada@acme.test' })
  expect(first.json.loginLink).toMatch(/^http:\/\/127\.0\.0\.1:3000\/login\/[\w-]{43}$/)
  expect(statSync(join(paquebot.directory, 'secret.key')).mode & 0o777).toBe(0o600)

  const again = await paquebot.run([...initArgs.slice(0, 2), 'other', ...initArgs.slice(3)])
  expect(again).toMatchObject({ code: 1, json: { success: false, code: 'already_initialised' } })
  const { json } = await paquebot.run(['workspace', 'list', '--json'])
  expect(json.workspaces.map(({ slug, trustLevel }: Record<string, string>) => [slug, trustLevel])).toEqual([
    ['acme', 'M2'],
  ])
})

test('what init printed opens a running server: the key, the password and the link', async () => {
  using paquebot = await cli()
  const { json } = await paquebot.run([...initArgs, '--password', 'long enough'])
  const server = await paquebot.serve()
  expect(server.said()).not.toContain('/setup/')
  const ask = (path: string, init: RequestInit = {}) => fetch(server.url + path, { redirect: 'manual', ...init })
  const test = await ask('/v1/api-key', { headers: { authorization: `Bearer ${json.apiKey}` } })
  expect(await test.json()).toEqual({ success: true, teamName: 'acme' })
  const login = await ask('/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ email: json.email, password: 'long enough' }),
  })
  expect(login.status).toBe(200)
  const link = await ask(new URL(json.loginLink).pathname, { method: 'POST' })
  expect([link.status, link.headers.get('set-cookie')?.startsWith('session=')]).toEqual([303, true])
  const who = { headers: { cookie: link.headers.get('set-cookie')?.split(';')[0] ?? '' } }
  expect((await ask('/v1/auth/session', who)).status).toBe(200)
  const user = async (...args: string[]) =>
    (await paquebot.run(['user', ...args, '--email', json.email, '--json'])).json
  for (const reset of ['reset-second-factor', 'reset-passkeys', 'reset-oidc']) {
    const { loginLink } = await user('login-link')
    await user(reset)
    expect((await ask(new URL(loginLink).pathname, { method: 'POST' })).status, reset).toBe(410)
    expect((await ask('/v1/auth/session', who)).status, reset).toBe(401)
  }

  const made = await paquebot.run(['key', 'create', '--workspace', 'acme', '--scope', 'members.read', '--json'])
  const headers = { authorization: `Bearer ${made.json.apiKey}` }
  expect((await ask('/v1/members', { headers })).status).toBe(200)
  await paquebot.run(['key', 'revoke', '--workspace', 'acme', '--id', made.json.id])
  expect((await ask('/v1/members', { headers })).status).toBe(401)
  server.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, json: { stopped: 'SIGTERM', ok: true } })
})

test('an empty database gets a workspace and a set-up link that makes one account', async () => {
  using paquebot = await cli()
  const server = await paquebot.serve()
  const link = /^set up the dashboard: (\S+)$/m.exec(server.said())?.[1] ?? ''
  expect(link).toStartWith(`${server.url}/setup/`)
  expect((await fetch(link)).status).toBe(200)
  const submit = (password: string) =>
    fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ email: 'me@acme.test', password }) })
  expect((await submit('short')).status).toBe(422)
  expect((await submit('long enough')).status).toBe(303)
  expect((await submit('long enough')).status).toBe(410)
  expect((await fetch(link)).status).toBe(410)
  const { json } = await paquebot.run(['user', 'list', '--json'])
  expect(json.users).toMatchObject([{ email: 'me@acme.test', workspaces: ['default'] }])
  server.kill('SIGINT')
  expect((await server.ended).code).toBe(0)
})

test.skipIf(remoteDatabase)('a second server on the same file is refused', async () => {
  using paquebot = await cli()
  const server = await paquebot.serve()
  const second = await paquebot.spawn(['serve'], { environment: { PORT: '0' } })
  expect([second.code, second.err.includes('another paquebot serves')]).toEqual([1, true])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  server.kill('SIGKILL')
  await server.ended
  const third = await paquebot.serve()
  third.kill('SIGTERM')
  expect((await third.ended).code).toBe(0)
})

test('a second server on the same port ends with one line that names the port', async () => {
  using first = await cli()
  using second = await cli()
  const SECRET_KEY = 'two may share a server'
  const server = await first.serve({ SECRET_KEY })
  const { port } = new URL(server.url)
  const run = await second.spawn(['serve'], { environment: { PORT: port, SECRET_KEY } })
  expect([run.code, run.err.trim().split('\n').at(-1)]).toEqual([
    1,
    `paquebot: port ${port} of 127.0.0.1 is taken by another program; stop that one, or set PORT to a free port`,
  ])
  const mail = await second.spawn(['serve'], { environment: { PORT: '0', INBOUND_SMTP_PORT: port, SECRET_KEY } })
  expect([mail.code, mail.err]).toEqual([1, expect.stringContaining(`port ${port}`)])
  expect(mail.err).toContain('INBOUND_SMTP_PORT')
  const nowhere = await second.spawn(['serve'], { environment: { PORT: '0', HOST: '192.0.2.1', SECRET_KEY } })
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('HOST 192.0.2.1 is not an address')])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('workspaces, keys and people are made, listed and changed', async () => {
  using paquebot = await cli()
  const json = async (...args: string[]) => {
    const run = await paquebot.run([...args, '--json'])
    expect(run, args.join(' ')).toMatchObject({ code: 0, err: '' })
    return run.json
  }
  const workspace = await json('workspace', 'create', '--slug', 'acme')
  expect(workspace).toEqual({ id: expect.stringMatching(/^ws_/), slug: 'acme' })
  expect(await json('workspace', 'set-trust', '--workspace', 'acme', '--level', 'M3')).toMatchObject({
    trustLevel: 'M3',
    dailyCap: null,
    recipientsPerDay: 100_000,
  })
  const attachments = ['workspace', 'set-attachments', '--workspace', 'acme']
  expect(await json(...attachments, '--type', 'application/zip', '--type', 'application/pdf')).toMatchObject({
    attachmentTypes: [...five, 'application/zip'],
    maxAttachments: 3,
  })
  expect(await json(...attachments, '--max', '7')).toMatchObject({ attachmentTypes: five, maxAttachments: 7 })
  expect(await json(...attachments)).toMatchObject({ attachmentTypes: five, maxAttachments: 3 })
  const key = await json(
    'key',
    'create',
    '--workspace',
    'acme',
    '--name',
    'shop',
    '--scope',
    'events.send',
    '--scope',
    'contacts.read',
  )
  expect(key).toEqual({
    id: expect.stringMatching(/^key_/),
    apiKey: expect.stringMatching(/^pqk_\w{38}$/),
    scopes: ['events.send', 'contacts.read'],
  })
  expect((await json('key', 'create', '--workspace', 'acme')).scopes).toEqual(['full'])
  const { keys } = await json('key', 'list', '--workspace', 'acme')
  expect(keys).toHaveLength(2)
  expect(JSON.stringify(keys)).not.toContain(key.apiKey)
  expect(await json('key', 'revoke', '--workspace', 'acme', '--id', key.id)).toEqual({ id: key.id, revoked: true })
  const user = await json('user', 'create', '--workspace', 'acme', '--email', 'Ada@Acme.test', '--role', 'owner')
  expect(user).toMatchObject({ email: 'ada@acme.test', role: 'owner' })
  expect((await json('user', 'login-link', '--email', 'ada@acme.test')).loginLink).toContain('/login/')
  for (const reset of ['reset-passkeys', 'reset-oidc'])
    expect(await json('user', reset, '--email', 'ada@acme.test')).toMatchObject({ removed: 0 })
  const fromStdin = await paquebot.spawn(['user', 'set-password', '--email', 'ada@acme.test'], {
    stdin: 'long enough\n',
  })
  expect(fromStdin.code).toBe(0)
  expect(await json('migrate')).toMatchObject({ ok: true })
  expect(await json('verify')).toEqual({ ok: true, violations: [] })
  expect(await json('version')).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
})

test('set-trust prints the cap that holds, also one of before', async () => {
  using paquebot = await cli()
  await paquebot.run(initArgs)
  const set = async (...flags: string[]) =>
    (await paquebot.run(['workspace', 'set-trust', '--workspace', 'acme', ...flags])).out.trim()
  expect(await set('--level', 'M2', '--cap', '5000')).toBe(
    'Workspace acme has trust level M2: 5,000 recipients of campaigns in 24 h, by its own cap (--cap none for the 20,000 of the level).',
  )
  expect(await set('--level', 'M3')).toContain(
    'M3: 5,000 recipients of campaigns in 24 h, by its own cap (--cap none for the 100,000',
  )
  expect(await set('--level', 'M3', '--cap', 'none')).toBe(
    'Workspace acme has trust level M3: 100,000 recipients of campaigns in 24 h.',
  )
  const { json } = await paquebot.run(['workspace', 'set-trust', '--workspace', 'acme', '--level', 'M4', '--json'])
  expect(json).toMatchObject({ trustLevel: 'M4', dailyCap: null, recipientsPerDay: null })
})

test('what fails says so in one line and exits 1', async () => {
  using paquebot = await cli()
  await paquebot.run(initArgs)
  const failures: [string[], string][] = [
    [['workspace', 'create', '--slug', 'acme'], 'conflict'],
    [['workspace', 'create', '--slug', 'No Slug'], 'validation_failed'],
    [['workspace', 'set-trust', '--workspace', 'none', '--level', 'M1'], 'not_found'],
    [['key', 'create', '--workspace', 'none'], 'not_found'],
    [['key', 'create', '--workspace', 'acme', '--scope', 'nonsense'], 'validation_failed'],
    [['key', 'revoke', '--workspace', 'acme', '--id', 'key_none'], 'not_found'],
    [['user', 'create', '--workspace', 'acme', '--email', 'ada@acme.test'], 'conflict'],
    [['user', 'create', '--workspace', 'acme', '--email', 'nonsense'], 'validation_failed'],
    [['user', 'login-link', '--email', 'no@body.test'], 'not_found'],
    [['user', 'set-password', '--email', 'ada@acme.test', '--password', 'short'], 'validation_failed'],
  ]
  for (const [args, code] of failures) {
    const run = await paquebot.run([...args, '--json'])
    expect(run, args.join(' ')).toMatchObject({ code: 1, json: { success: false, code } })
    expect(run.err.trim().split('\n'), args.join(' ')).toHaveLength(1)
  }
})

test('real mail has a real sender: SMTP_URL without MAIL_FROM stops the start', async () => {
  using paquebot = await cli()
  const environment = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: '' }
  const { code, out, err } = await paquebot.spawn(['serve'], { environment })
  expect([code, out]).toEqual([2, ''])
  expect(err.trim()).toMatch(/^[^\n]*MAIL_FROM must be set when SMTP_URL is[^\n]*$/)
})

test.each([
  ['http://mail.example.com', 'SMTP_URL must be smtp://'],
  ['smtp://mail.example.com/path', 'SMTP_URL must be smtp://'],
  ['smtp://ada:se%cret@mail.example.com', 'write it as %25'],
  ['smtp://mail.example.com?requireTls=true', 'did you mean requireTLS?'],
  ['smtp://mail.example.com?colour=red', 'it knows requireTLS, ignoreTLS'],
  ['smtp://mail.example.com?requireTLS=yes', 'SMTP_URL requireTLS must be one of true, false'],
  ['smtp://mail.example.com?requireTLS=true&requireTLS=false', 'SMTP_URL has requireTLS twice'],
  ['smtp://mail.example.com?maxConnections=0', 'SMTP_URL maxConnections must be a whole number from 1 to 1000'],
  ['mx://', 'must be followed by the full name of this machine'],
  ['mx:mail.example.com', 'SMTP_URL without a relay must be mx://name'],
  ['mx://mail.example.com/path', 'SMTP_URL without a relay must be mx://name'],
  ['mx://ada:secret@mail.example.com', 'SMTP_URL mx:// takes no user and no password'],
  ['mx://mail.example.com:25', '?port= is that of all receivers'],
  ['mx://localhost', 'must be followed by the full name of this machine'],
  ['mx://192.0.2.1', 'must be followed by the full name of this machine'],
  ['mx://mail.example.com?requireTLS=true', 'it knows bindAddress, maxConnections'],
  ['mx://mail.example.com?bindAdress=192.0.2.1', 'did you mean bindAddress?'],
  ['mx://mail.example.com?bindAddress=eth0', 'SMTP_URL bindAddress must be an IPv4 or IPv6 address'],
  ['mx://mail.example.com?port=0', 'SMTP_URL port must be a whole number from 1 to 65535'],
  [
    'mx://mail.example.com?maxConnections=5&maxPerReceiver=6',
    'SMTP_URL maxPerReceiver must be a whole number from 1 to 5',
  ],
])('an SMTP_URL that is not wholly understood stops the start: %s', async (SMTP_URL, words) => {
  using paquebot = await cli()
  const { code, err } = await paquebot.run(['serve'], { SMTP_URL, MAIL_FROM: 'a@example.com' })
  expect(code).toBe(2)
  expect(err).toContain(words)
  expect(err).not.toContain('ada:')
})

test('wrong usage and wrong settings are one line and exit 2, a document with --json, and say what was meant', async () => {
  using paquebot = await cli()
  const wrong: [string[], Record<string, string>, string][] = [
    [['nonsense'], {}, 'nonsense'],
    [['key', 'nonsense'], {}, 'key nonsense'],
    [['serve', '--nonsense'], {}, '--nonsense'],
    [['--nonsense'], {}, '--nonsense'],
    [['key', 'create', 'acme'], {}, 'acme'],
    [['key', 'create'], {}, '--workspace'],
    [['key', 'create', '--workspace'], {}, '--workspace'],
    [['workspace', 'set-trust', '--workspace', 'acme', '--level', 'M9'], {}, 'M9'],
    [['user', 'create', '--workspace', 'a', '--email', 'a@b.test', '--role', 'king'], {}, 'king'],
    [['serve'], { PORT: 'eighty' }, 'PORT'],
    [['doctor'], { BASE_URL: 'ftp://x' }, 'BASE_URL'],
    [['migrate'], { SMTP_ULR: 'smtp://x' }, 'SMTP_ULR'],
    [['serve'], { MAIL_FORM: 'a@b.test', MAIL_FROM: '' }, 'did you mean MAIL_FROM?'],
    [['serve'], { LOGLEVEL: 'debug' }, 'did you mean LOG_LEVEL?'],
    [['serve'], { log_level: 'debug' }, 'did you mean LOG_LEVEL?'],
    [['doctor'], { BASEURL: 'https://x' }, 'did you mean BASE_URL?'],
    [['doctor'], { SHUTDOWN_GRACE_M: '1' }, 'did you mean SHUTDOWN_GRACE_MS?'],
    [['key', 'lst'], {}, 'did you mean "key list"?'],
    [['workspaces', 'list'], {}, 'did you mean "workspace list"?'],
    [['key', 'create', '--workspce', 'acme'], {}, 'did you mean --workspace?'],
  ]
  for (const [args, environment, named] of wrong) {
    const run = await paquebot.run([...args, '--json'], environment)
    const lines = run.err.trim().split('\n')
    expect([run.code, lines.length], `${args.join(' ')}: ${run.err}`).toEqual([2, 1])
    expect(lines[0], args.join(' ')).toContain(named)
    expect(run.json).toEqual({ success: false, code: 'wrong_usage', message: lines[0]?.replace('paquebot: ', '') })
  }
  expect((await paquebot.run(['nonsense'])).out).toBe('')
})

test('variables of others are not refused', async () => {
  using paquebot = await cli()
  const others = {
    HOSTS: 'x',
    POST: 'y',
    PORTS: '1',
    HOSTNAME: 'h',
    LOGNAME: 'l',
    PGPORT: '5',
    DATABASE: 'd',
    MAIL: '/var/mail/x',
  }
  const beside = {
    LOG_LEVEL: 'warn',
    LOGLEVEL: 'debug',
    SECRET_KEYS: '',
    DATA_DIR: paquebot.directory,
    DATADIR: '/var/lib/mysql',
  }
  expect((await paquebot.run(['migrate'], { ...others, ...beside })).code).toBe(0)
})

test('a group lists its commands, the version has the usual flags, and no command says what it does', async () => {
  using paquebot = await cli()
  const group = await paquebot.run(['key'])
  expect([group.code, group.out]).toEqual([0, expect.stringMatching(/key create .*\n.*key list .*\n.*key revoke /)])
  for (const flag of ['--version', '-v', '-V'])
    expect((await paquebot.run([flag])).out).toMatch(/^paquebot \d+\.\d+\.\d+/)
  expect((await paquebot.run(['--version', '--json'])).json).toMatchObject({ version: expect.any(String) })
  const silent = await paquebot.spawn([], { environment: { PORT: 'none' } })
  expect(silent.err).toContain('no command, so: paquebot serve')
  const unformatted = await paquebot.run(['--help'])
  const coloured = await paquebot.spawn(['--help'], { environment: { FORCE_COLOR: '1' } })
  const without = await paquebot.spawn(['--help'], { environment: { FORCE_COLOR: '1', NO_COLOR: '1' } })
  expect([unformatted.out, coloured.out, without.out].map((out) => out.includes('\x1b['))).toEqual([false, true, false])
})

test('bash completes commands and flags', async () => {
  using paquebot = await cli()
  const script = (await paquebot.run(['completion', 'bash'])).out
  const complete = async (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const ask = `${script}\nCOMP_WORDS=(paquebot ${line}); COMP_CWORD=${words.length}; _paquebot; echo "\${COMPREPLY[*]}"`
    const bash = Bun.spawn(['bash', '-c', ask], { stdout: 'pipe' })
    return (await new Response(bash.stdout).text()).trim().split(' ')
  }
  expect(await complete('do')).toEqual(['domain', 'doctor'])
  expect(await complete('key', '')).toEqual(['create', 'list', 'revoke', 'signing'])
  expect(await complete('key', 'create', '--')).toEqual([
    '--workspace',
    '--name',
    '--test',
    '--scope',
    '--airlock',
    '--json',
    '--help',
  ])
  // What stands at the end of a command is no group of that name.
  expect(await complete('list', '')).toEqual(['list', 'create', 'get', 'update', 'archive'])
  expect(await complete('key', 'list', '')).toEqual(['--workspace', '--json', '--help'])
  expect(await complete('key', 'create', '--name', 'x', '--')).toContain('--scope')
  expect((await paquebot.run(['completion', 'zsh'])).out).toContain('bashcompinit')
})

const fish = Bun.which('fish')

test.skipIf(fish === null)('fish completes commands and flags', async () => {
  using paquebot = await cli()
  const script = (await paquebot.run(['completion', 'fish'])).out
  /** The words, without what is said of them. */
  const complete = async (line: string) => {
    const ask = `${script}\ncomplete -C ${JSON.stringify(line)}`
    const shell = Bun.spawn([fish ?? '', '--no-config', '-c', ask], { stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])
    expect(err).toBe('')
    return out.split('\n').flatMap((found) => (found === '' ? [] : [found.split('\t')[0] ?? '']))
  }
  expect(await complete('paquebot do')).toEqual(['doctor', 'domain'])
  expect(await complete('paquebot key ')).toEqual(['create', 'list', 'revoke', 'signing'])
  expect(await complete('paquebot list ')).toEqual(['create', 'list'])
  // What stands at the end of a command is no group of that name.
  expect(await complete('paquebot key list ')).toEqual([])
  expect(await complete('paquebot list list ')).toEqual([])
  expect((await complete('paquebot key list --')).sort()).toEqual(['--help', '--json', '--workspace'])
  expect((await complete('paquebot key create --name x --')).sort()).toEqual(
    ['--help', '--json', '--name', '--scope', '--workspace'].sort(),
  )
  expect(await complete('paquebot version ')).toEqual([])
})

test('the debug log shows each request, and nothing that opens something', async () => {
  using paquebot = await cli()
  const server = await paquebot.serve({ LOG_LEVEL: 'debug' })
  await fetch(`${server.url}/v1/api-key?secret=s3cret`)
  const link = /\/setup\/(\S+)$/m.exec(server.said())?.[1] ?? ''
  await fetch(`${server.url}/setup/${link}`)
  server.kill('SIGTERM')
  const said = (await server.ended).err
  const lines = said
    .split('\n')
    .filter((line) => line.includes('"message":"request"'))
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { level: 'debug', method: 'GET', route: '/v1/api-key', status: 401, requestId: expect.stringMatching(/^req_/) },
    { method: 'GET', route: '/setup/:token', status: 200 },
  ])
  expect(JSON.stringify(lines)).not.toContain('s3cret')
  expect(link.length).toBeGreaterThan(20)
})

test('every command explains itself', async () => {
  const help = async (...args: string[]) => {
    const said: string[] = []
    const terminal = { out: (text: string) => said.push(text), err: () => {}, isTerminal: { out: false, err: false } }
    expect(await runCommandLine(args, { ...terminal, environment: {} }), args.join(' ')).toBe(0)
    return said.join('\n')
  }
  const overview = await help('--help')
  expect(overview).toContain('Without a command, paquebot runs the server (paquebot serve).')
  for (const { name, says, flags } of await loadCommands('help', '')) {
    expect(overview).toContain(name)
    const text = await help(...name.split(' '), '--help')
    expect(text, name).toContain(says)
    for (const flag of Object.keys(flags)) expect(text, name).toContain(`--${flag}`)
  }
  for (const args of [['key', '--help'], ['key'], ['help', 'key']]) {
    expect(await help(...args)).toContain('key revoke')
    expect(await help(...args)).not.toContain('user list')
  }
})

test('a person’s data is printed, and erased', async () => {
  using paquebot = await cli()
  const server = await paquebot.serve()
  const { json } = await paquebot.run(['key', 'create', '--workspace', 'default', '--json'])
  const headers = { authorization: `Bearer ${json.apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'ada@example.net', userId: 'u-1', note: 'a secret' })
  expect((await fetch(`${server.url}/v1/contacts/create`, { method: 'POST', headers, body })).status).toBe(200)
  server.kill('SIGTERM')
  await server.ended
  const data = ['--workspace', 'default', '--email', 'ADA@example.net']
  const person = await paquebot.run(['contact', 'export', ...data, '--json'])
  expect(person.json).toMatchObject({ contact: { email: 'ada@example.net', note: 'a secret' }, messages: [] })
  const { id } = person.json.contact
  const erased = await paquebot.run(['contact', 'erase', '--workspace', 'default', '--user-id', 'u-1', '--json'])
  expect(erased.json).toMatchObject({ id, messages: 0, suppressed: false })
  expect((await paquebot.run(['contact', 'export', ...data])).code).toBe(1)
  expect((await paquebot.run(['contact', 'erase', '--workspace', 'default'])).code).toBe(2)
})
