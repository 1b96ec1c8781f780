// Mail that applications hand over by SMTP: where we listen for it, and with which certificate.

import { ConfigError, type Reader } from '../../kit/environment.ts'
import { isLoopback } from '../../mail/smtp-url.ts'
import { readPair, type TlsPaths } from '../../mail/tls-files.ts'
import { absolute } from './kinds.ts'

export const submissionSettings = [
  'SUBMISSION_PORT',
  'SUBMISSIONS_PORT',
  'SUBMISSION_TLS_CERT',
  'SUBMISSION_TLS_KEY',
] as const

export interface SubmissionConfig {
  /** With STARTTLS; undefined = off. */
  port: number | undefined
  /** Inside TLS from the first byte; undefined = off. */
  tlsPort: number | undefined
  /** Undefined: without TLS, on the loopback address only. */
  tls: TlsPaths | undefined
}

export function readSubmission(
  read: Reader,
  { host, directory }: { host: string; directory: string },
): SubmissionConfig {
  const portOf = (name: string) => (read.text(name) === undefined ? undefined : read.whole(name, 0, 0, 65_535))
  const [port, tlsPort] = [portOf('SUBMISSION_PORT'), portOf('SUBMISSIONS_PORT')]
  const tls = readPaths(read, directory)
  if (tls === undefined && tlsPort !== undefined)
    throw new ConfigError('SUBMISSIONS_PORT needs SUBMISSION_TLS_CERT and SUBMISSION_TLS_KEY')
  if (tls === undefined && port !== undefined && !isLoopback(host))
    throw new ConfigError(
      `SUBMISSION_PORT needs SUBMISSION_TLS_CERT and SUBMISSION_TLS_KEY: on HOST ${host} an API key would cross the network unencrypted`,
    )
  return { port, tlsPort, tls }
}

function readPaths({ text }: Reader, directory: string): TlsPaths | undefined {
  const [cert, key] = [text('SUBMISSION_TLS_CERT'), text('SUBMISSION_TLS_KEY')]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new ConfigError('SUBMISSION_TLS_CERT and SUBMISSION_TLS_KEY must be set together')
  const paths = { cert: absolute(cert, directory), key: absolute(key, directory) }
  try {
    readPair(paths)
  } catch (error) {
    throw new ConfigError(
      `SUBMISSION_TLS_CERT and SUBMISSION_TLS_KEY must be PEM files that belong together: ${error instanceof Error ? error.message : error}`,
    )
  }
  return paths
}
