// Debian's OpenSMTPD as it comes from the archive, unpacked into a folder: nothing is installed. Its places and its two users are compiled in, so it
// runs among mounts of its own, where folders of the test and a list of users with these two stand in the places; that needs root.

import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilOpen } from './postfix.ts'

interface Relaying {
  /** Where the package lies unpacked. */
  root: string
  relayPort: number
}

const users = [
  { name: 'opensmtpd', id: 2525 },
  { name: 'opensmtpq', id: 2526 },
]

/** Takes mail at `port` for anybody and hands it on to `relayPort`. */
export async function startOpensmtpd(directory: string, { root, relayPort }: Relaying) {
  const port = freePort()
  const home = join(directory, 'opensmtpd')
  for (const name of ['spool', 'lib/opensmtpd/empty', 'run']) mkdirSync(join(home, name), { recursive: true })
  for (const list of ['passwd', 'group']) copyFileSync(join('/etc', list), join(home, list))
  for (const { name, id } of users) {
    appendFileSync(join(home, 'passwd'), `${name}:x:${id}:${id}::/nonexistent:/usr/sbin/nologin\n`)
    appendFileSync(join(home, 'group'), `${name}:x:${id}:\n`)
  }
  const settings = [
    `listen on 127.0.0.1 port ${port} hostname peer.example`,
    `action "onward" relay helo peer.example host "smtp://127.0.0.1:${relayPort}"`,
    'match from any for any action "onward"',
  ]
  writeFileSync(join(home, 'smtpd.conf'), `${settings.join('\n')}\n`)
  const places = { passwd: '/etc/passwd', group: '/etc/group', spool: '/var/spool', lib: '/var/lib', run: '/run' }
  const mounts = Object.entries(places).map(([name, place]) => `mount --bind '${join(home, name)}' ${place}`)
  const script = [...mounts, `exec '${join(root, 'usr/sbin/smtpd')}' -d -f '${join(home, 'smtpd.conf')}'`].join(' && ')
  const child = Bun.spawn(['unshare', '--mount', 'sh', '-c', script], {
    env: { ...process.env, LD_LIBRARY_PATH: join(root, 'usr/lib/x86_64-linux-gnu') },
    stdout: Bun.file(join(home, 'log')),
    stderr: Bun.file(join(home, 'errors')),
  })
  await untilOpen(port)
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}
