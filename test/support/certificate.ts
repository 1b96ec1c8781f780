// Self-signed certificates, made once per test process by openssl.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Certificate = { key: string; cert: string }

const made = new Map<string, Certificate>()

/** Its common name is 127.0.0.1. */
export function selfSigned(): Certificate {
  return certificate('127.0.0.1', ['-subj', '/CN=127.0.0.1', '-days', '2'])
}

/** For a host name, as itself an authority that can be trusted. */
export function certificateFor(name: string, { expired = false } = {}): Certificate {
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2']
  return certificate(`${name} ${expired}`, names, expired)
}

/** For a logo (BIMI). */
export function logoCertificate(name: string): Certificate {
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2']
  return certificate(`logo ${name}`, [...names, '-addext', 'extendedKeyUsage=1.3.6.1.5.5.7.3.31'])
}

function certificate(title: string, options: string[], expired = false): Certificate {
  const known = made.get(title)
  if (known) return known
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-cert-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...options])
  if (expired) openssl(['x509', '-in', cert, '-signkey', key, '-days', '-1', '-out', cert])
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(directory, { recursive: true })
  made.set(title, pair)
  return pair
}

function openssl(options: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...options])
  if (exitCode !== 0) throw new Error(`openssl failed: ${stderr}`)
}
