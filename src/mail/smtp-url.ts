// Parses SMTP_URL, or the URL of another relay: smtp://[user:password@]host[:port] or smtps://…, with the options spelled as in other clients.

import { hostname } from 'node:os'
import { ConfigError, reader } from '../kit/environment.ts'
import { nearest } from '../kit/nearest.ts'
import { credentialsIn } from '../kit/url-credentials.ts'

export interface SmtpOptions {
  host: string
  /** Where the host was found. Default: its name is looked up. */
  address?: string
  /** Our own address for the connection. Default: as the system chooses. */
  localAddress?: string | undefined
  /** A certificate authority to trust instead of the system's; PEM. */
  ca?: string | undefined
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
export const mostConnections = 1_000

const form = 'smtp://[user:password@]host[:port], smtps://… or mx://name'
const knownOptions = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized', 'name', 'maxConnections']

/** Throws ConfigError, which names it as it is called, and never repeats it: it may contain a password. */
export function readSmtpUrl(text: string, called = 'SMTP_URL'): SmtpOptions {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname) || url.hash)
    throw new ConfigError(`${called} must be ${form}`)
  const credentials = credentialsIn(url)
  if (credentials === null)
    throw new ConfigError(`${called} has a % in its user or password that begins no escape: write it as %25`)
  const { text: option, whole, flag } = readOptions(url, { known: knownOptions, called })
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: flag('requireTLS', false),
    ignoreTls: flag('ignoreTLS', false),
    verifyCertificate: flag('tls.rejectUnauthorized', true),
    user: credentials.user || null,
    password: credentials.password,
    name: option('name') ?? ehloName(hostname()),
    maxConnections: whole('maxConnections', defaultMaxConnections, 1, mostConnections),
  }
}

/** Options of the query. An unknown or doubled one is refused: a misspelt requireTLS would send mail in the clear. */
export function readOptions({ searchParams }: URL, { known, called }: { known: string[]; called: string }) {
  const names = [...searchParams.keys()]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const near = nearest(unknown, known)
    const hint = near === null ? `it knows ${known.join(', ')}` : `did you mean ${near}?`
    throw new ConfigError(`${called} has no option ${JSON.stringify(unknown.slice(0, 40))}; ${hint}`)
  }
  const double = names.find((name, index) => names.indexOf(name) < index)
  if (double !== undefined) throw new ConfigError(`${called} has ${double} twice`)
  const given = Object.fromEntries([...searchParams].map(([name, value]) => [`${called} ${name}`, value]))
  const { text, whole, oneOf } = reader(given)
  return {
    text: (name: string) => text(`${called} ${name}`),
    whole: (name: string, fallback: number, min: number, max: number) => whole(`${called} ${name}`, fallback, min, max),
    flag: (name: string, fallback: boolean) =>
      oneOf(`${called} ${name}`, ['true', 'false'], String(fallback)) === 'true',
  }
}

/** RFC 5321, 4.1.4: a domain, or an address literal without one. */
function ehloName(host: string): string {
  return /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(host) ? host : '[127.0.0.1]'
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
