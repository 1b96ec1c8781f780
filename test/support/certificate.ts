// A self-signed certificate for 127.0.0.1, made once per test process by openssl.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let made: { key: string; cert: string } | undefined

export function selfSigned(): { key: string; cert: string } {
  if (made) return made
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-cert-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const command = [
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ]
  const { exitCode, stderr } = Bun.spawnSync([...command, '-keyout', key, '-out', cert, '-subj', '/CN=127.0.0.1'])
  if (exitCode !== 0) throw new Error(`openssl failed: ${stderr}`)
  made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(directory, { recursive: true })
  return made
}
