// Debian's postfix, and its opendkim as a milter, as they come from the archive: downloaded and unpacked into a folder, nothing is
// installed. It needs root, as postfix does, and users of Debian's that no other program of the machine uses.

import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'

const packages = [
  ...['postfix', 'opendkim', 'libopendkim11', 'libmilter1.0.1', 'libopendbx1', 'libvbr2', 'librbl1', 'liblua5.3-0'],
  ...['libmemcached11', 'libhashkit2', 'libsasl2-2', 'libnsl2', 'libtirpc3', 'libicu72', 'libdb5.3'],
]
const [owner, group, privileges] = ['news', 'uucp', 'games']
const startsWithinMs = 20_000
const lookEveryMs = 50

/** Where the packages lie unpacked; null, with a word why, where that cannot be done. */
export async function unpackPostfix(directory: string): Promise<{ root: string } | { missing: string }> {
  if (process.getuid?.() !== 0) return { missing: 'postfix is started by root only' }
  const root = join(directory, 'root')
  const script = `apt-get download ${packages.join(' ')} && for one in *.deb; do dpkg -x "$one" '${root}'; done`
  const { success, stderr } = Bun.spawnSync(['sh', '-c', script], { cwd: directory, stderr: 'pipe' })
  return success ? { root } : { missing: `no packages of Debian: ${stderr.toString().trim().split('\n').at(-1)}` }
}

interface Relaying {
  root: string
  relayPort: number
  connections: number
  /** Signs what is from this domain. */
  signs?: string
  /** More of main.cf. */
  settings?: Record<string, string>
}

interface Postfix extends AsyncDisposable {
  port: number
  /** As programs of the machine hand over a mail. */
  sendmail(args: string[], mail: string): Promise<void>
  /** The first such words in its log, as soon as they are there. */
  whenLogged(words: RegExp): Promise<string>
}

/** Takes mail at `port`, and from sendmail, and hands it on to `relayPort`. */
export async function startPostfix(
  directory: string,
  { root, relayPort, connections, signs, settings: more = {} }: Relaying,
): Promise<Postfix> {
  const [port, milterPort] = [freePort(), freePort()]
  const home = join(directory, signs ? 'signing' : 'plain')
  const libraries = ['usr/lib/postfix', 'usr/lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu/opendbx', 'usr/lib']
  const mechanisms = 'usr/lib/x86_64-linux-gnu/sasl2'
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: libraries.map((one) => join(root, one)).join(':'),
    SASL_PATH: `${join(root, mechanisms)}:/${mechanisms}`,
  }
  // Its own users look into it.
  chmodSync(directory, 0o755)
  for (const name of ['', 'etc', 'queue', 'data']) mkdirSync(join(home, name), { recursive: true })
  chownSync(join(home, 'data'), idOf(owner), idOf(owner))
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(home, 'queue'),
    data_directory: join(home, 'data'),
    command_directory: join(root, 'usr/sbin'),
    daemon_directory: join(root, 'usr/lib/postfix/sbin'),
    shlib_directory: join(root, 'usr/lib/postfix'),
    meta_directory: join(root, 'etc/postfix'),
    mail_owner: owner,
    setgid_group: group,
    default_privs: privileges,
    import_environment: 'MAIL_CONFIG MAIL_LOGTAG LD_LIBRARY_PATH SASL_PATH',
    export_environment: 'MAIL_CONFIG MAIL_LOGTAG LD_LIBRARY_PATH SASL_PATH',
    maillog_file: join(home, 'log'),
    maillog_file_prefixes: home,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'peer.example',
    mydestination: '',
    alias_maps: '',
    relayhost: `[localhost]:${relayPort}`,
    smtp_dns_support_level: 'disabled',
    smtpd_recipient_restrictions: 'permit_mynetworks, reject',
    default_destination_concurrency_limit: String(connections),
    initial_destination_concurrency: String(connections),
    smtpd_milters: signs ? `inet:127.0.0.1:${milterPort}` : '',
    ...more,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(home, 'etc/main.cf'), lines.join(''))
  writeFileSync(join(home, 'etc/master.cf'), services(port))
  const postfix = [join(root, 'usr/sbin/postfix'), '-c', join(home, 'etc')]
  const output = { env, stdout: 'ignore', stderr: Bun.file(join(home, 'stderr')) } as const
  const milter = signs ? Bun.spawn(milterCommand(home, { root, port: milterPort, domain: signs }), output) : null
  if (milter) await untilOpen(milterPort)
  const master = Bun.spawn([...postfix, 'start-fg'], output)
  await untilOpen(port)
  return {
    port,
    async sendmail(args, mail) {
      const command = [join(root, 'usr/sbin/sendmail'), '-C', join(home, 'etc'), ...args]
      const child = Bun.spawn(command, { env, stdin: new Blob([mail]), stdout: 'ignore', stderr: 'pipe' })
      const told = await new Response(child.stderr).text()
      if ((await child.exited) !== 0) throw new Error(`sendmail failed: ${told}`)
    },
    async whenLogged(words) {
      const command = ['tail', '-n', '+1', '-F', join(home, 'log')]
      await using tail = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
      let said = ''
      for await (const piece of tail.stdout.pipeThrough(new TextDecoderStream())) {
        said += piece
        const [found] = words.exec(said) ?? []
        if (found !== undefined) return found
      }
      throw new Error('the log ended')
    },
    async [Symbol.asyncDispose]() {
      // It takes seconds, in which the test's own servers and clients go on.
      await Bun.spawn([...postfix, 'stop'], { env, stdout: 'ignore', stderr: 'ignore' }).exited
      milter?.kill()
      await master.exited
    },
  }
}

function milterCommand(home: string, { root, port, domain }: { root: string; port: number; domain: string }): string[] {
  const key = join(home, 'key.pem')
  Bun.spawnSync(['openssl', 'genrsa', '-out', key, '2048'], { stderr: 'ignore' })
  // It looks at who may write to the folders above the key, and one is everybody's.
  const settings = { Mode: 's', Domain: domain, Selector: 'peer', KeyFile: key, RequireSafeKeys: 'no' }
  const socket = `inet:${port}@127.0.0.1`
  const lines = Object.entries({ ...settings, Socket: socket }).map(([name, value]) => `${name} ${value}\n`)
  writeFileSync(join(home, 'opendkim.conf'), lines.join(''))
  return [join(root, 'usr/sbin/opendkim'), '-f', '-x', join(home, 'opendkim.conf')]
}

/** What Debian's master.cf starts of that which such mail needs; nothing in a chroot. */
function services(port: number): string {
  const line = (name: string, program = name, { isPrivate = true, wakeup = '-', most = '-', type = 'unix' } = {}) =>
    `${name} ${type} ${isPrivate ? 'y' : 'n'} - n ${wakeup} ${most} ${program}\n`
  const open = { isPrivate: false }
  return [
    line(`127.0.0.1:${port}`, 'smtpd', { ...open, type: 'inet' }),
    // Woken every second, for a mail that comes while they start is seen at the next time only.
    line('pickup', 'pickup', { ...open, wakeup: '1', most: '1' }),
    line('cleanup', 'cleanup', { ...open, most: '0' }),
    line('qmgr', 'qmgr', { ...open, wakeup: '1', most: '1' }),
    line('flush', 'flush', { ...open, wakeup: '1000?', most: '0' }),
    line('showq', 'showq', open),
    line('postlog', 'postlogd', { ...open, type: 'unix-dgram', most: '1' }),
    line('tlsmgr', 'tlsmgr', { wakeup: '1000?', most: '1' }),
    line('rewrite', 'trivial-rewrite'),
    ...['bounce', 'defer', 'trace'].map((name) => line(name, 'bounce', { most: '0' })),
    ...['error', 'retry'].map((name) => line(name, 'error')),
    ...['smtp', 'relay'].map((name) => line(name, 'smtp')),
    ...['anvil', 'scache'].map((name) => line(name, name, { most: '1' })),
    ...['proxymap', 'discard'].map((name) => line(name)),
  ].join('')
}

function idOf(user: string): number {
  return Number(Bun.spawnSync(['id', '-u', user]).stdout.toString())
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

export async function untilOpen(port: number): Promise<void> {
  const until = performance.now() + startsWithinMs
  for await (const _ of setInterval(lookEveryMs)) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
    })
    if (isOpen) return
    if (performance.now() > until) throw new Error(`nothing listens on ${port} after ${startsWithinMs} ms`)
  }
}
