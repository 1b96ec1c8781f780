// Parses SMTP_URL: smtp://[user:password@]host[:port] or smtps://…, with the options spelled as in other clients.

import { hostname } from 'node:os'

export interface SmtpOptions {
  host: string
  port: number
  /** TLS from the first byte (smtps:). */
  secure: boolean
  /** Fail when the server does not offer STARTTLS. */
  requireTls: boolean
  /** Do not use STARTTLS even if offered. */
  ignoreTls: boolean
  /** Check the server's certificate. */
  verifyCertificate: boolean
  user: string | null
  password: string
  /** Our name in EHLO. */
  name: string
  maxConnections: number
}

const defaultMaxConnections = 20

/** `requireTLS`, `ignoreTLS`, `tls.rejectUnauthorized`, `name` and `maxConnections` may be given in the query. */
export function readSmtpUrl(text: string): SmtpOptions {
  const url = new URL(text)
  const option = (name: string) => url.searchParams.get(name)
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: option('requireTLS') === 'true',
    ignoreTls: option('ignoreTLS') === 'true',
    verifyCertificate: option('tls.rejectUnauthorized') !== 'false',
    user: url.username === '' ? null : decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    name: option('name') ?? ehloName(hostname()),
    maxConnections: Number(option('maxConnections') ?? defaultMaxConnections) || defaultMaxConnections,
  }
}

/** RFC 5321, 4.1.4: a domain, or an address literal without one. */
function ehloName(host: string): string {
  return /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(host) ? host : '[127.0.0.1]'
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
