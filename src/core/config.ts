// The only reader of the environment; a group of settings has a file of its own in config/. Every setting is validated at the start: a wrong one ends the process with a one-line message.

import { join } from 'node:path'
import type { TrustLevel } from '../../db/tables/workspaces.ts'
import { parseMailbox } from '../kit/email-address.ts'
import { ConfigError, type Environment, reader } from '../kit/environment.ts'
import { type LogLevel, logLevels } from '../kit/log.ts'
import { nearest } from '../kit/nearest.ts'
import type { S3Config } from '../kit/store/store.ts'
import { withoutEnd } from '../kit/text.ts'
import type { OtelConfig } from '../kit/tracing/tracer.ts'
import { isTypingMistake } from '../kit/typing-mistake.ts'
import { isMxUrl, readMxUrl } from '../mail/mx/mx-url.ts'
import { readSmtpUrl } from '../mail/smtp-url.ts'
import { type AlarmConfig, alarmSettings, readAlarms } from './config/alarms.ts'
import { type ArchiveConfig, archiveSettings, readArchive } from './config/archive.ts'
import { type BackupConfig, backupSettings, readBackup } from './config/backup.ts'
import { absolute, minSecretLength, readDomain } from './config/kinds.ts'
import { type MediaConfig, mediaSettings, readMedia } from './config/media.ts'
import { type OidcConfig, oidcSettings, readOidc } from './config/oidc.ts'
import { otelSettings, readOtel } from './config/otel.ts'
import { readS3, s3Settings } from './config/s3.ts'
import { readSubmission, type SubmissionConfig, submissionSettings } from './config/submission.ts'
import { readTls, type TlsFiles } from './config/tls.ts'

export { ConfigError }

export interface Config {
  port: number
  host: string
  /** Without a trailing slash. */
  baseUrl: string
  /** An absolute path. */
  dataDir: string
  databaseUrl: string
  databaseAuthToken: string | undefined
  /** Undefined = capture mode. */
  smtpUrl: string | undefined
  /** The sender of mail that names no other. */
  mailFrom: { name: string | null; address: string; domain: string }
  inboundSmtpPort: number | undefined
  inboundDomain: string | undefined
  /** PEM, for STARTTLS on the inbound port. */
  inboundTls: TlsFiles | undefined
  submission: SubmissionConfig
  /** Undefined = read from the data directory, or generated there. */
  secretKey: string | undefined
  /** Former secrets: what was sealed or signed with them still opens. */
  secretKeysPrevious: string[]
  logLevel: LogLevel
  logFormat: 'json' | 'pretty'
  /** Requests per second and API key; 0 = no limit. */
  apiRateLimit: number
  /** Addresses or CIDR blocks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  /** Who sends it reads /metrics. Undefined: programs of this machine do. */
  metricsToken: string | undefined
  /** Who sends it asks at /tls/ask. Undefined: programs of this machine do. */
  tlsAskToken: string | undefined
  webhookAllowCidrs: string[]
  webhookAllowHttp: boolean
  defaultTrustLevel: TrustLevel
  /** How many suppressed complaints a workspace may remove in 30 days. */
  complaintRemovalLimit: number
  /** How long finished messages are kept; 0 = until their person is erased. */
  messageRetentionDays: number
  /** How long lines of the audit log are kept; 0 = for ever. */
  auditRetentionDays: number
  shutdownGraceMs: number
  /** How long the body of a request may take in total. */
  bodyTimeoutMs: number
  /** A service of others that signs people in (OpenID Connect). */
  oidc: OidcConfig | undefined
  s3: S3Config
  backup: BackupConfig
  archive: ArchiveConfig
  media: MediaConfig
  alarms: AlarmConfig
  /** Undefined: no collector of traces and logs. */
  otel: OtelConfig | undefined
}

export const settingNames: string[] = [
  'PORT',
  'HOST',
  'BASE_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_AUTH_TOKEN',
  'SMTP_URL',
  'MAIL_FROM',
  'INBOUND_SMTP_PORT',
  'INBOUND_DOMAIN',
  'INBOUND_TLS_CERT',
  'INBOUND_TLS_KEY',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'LOG_LEVEL',
  'LOG_FORMAT',
  'API_RATE_LIMIT',
  'TRUSTED_PROXIES',
  'METRICS_TOKEN',
  'TLS_ASK_TOKEN',
  'WEBHOOK_ALLOW_CIDRS',
  'WEBHOOK_ALLOW_HTTP',
  'DEFAULT_TRUST_LEVEL',
  'COMPLAINT_REMOVAL_LIMIT',
  'MESSAGE_RETENTION_DAYS',
  'AUDIT_RETENTION_DAYS',
  'SHUTDOWN_GRACE_MS',
  'BODY_TIMEOUT_MS',
  ...alarmSettings,
  ...archiveSettings,
  ...backupSettings,
  ...mediaSettings,
  ...oidcSettings,
  ...otelSettings,
  ...s3Settings,
  ...submissionSettings,
]
/** Prefixes of our settings: an unknown variable with one of these is a misspelling, not somebody else's variable. */
const ownPrefixes =
  /^(PAQUEBOT_|SMTP_|INBOUND_|SUBMISSIONS?_|WEBHOOK_ALLOW_|SHUTDOWN_GRACE|DEFAULT_TRUST|API_RATE|TRUSTED_PROX|METRICS_|TLS_ASK|COMPLAINT_|AUDIT_|MEDIA_WORKSPACE|MAIL_FROM|SECRET_KEY_|OIDC_(ISSUER|CLIENT|JOIN))/

const trustLevels: TrustLevel[] = ['M0', 'M1', 'M2', 'M3', 'M4']
const databaseSchemes = ['file:', 'libsql:', 'http:', 'https:', 'ws:', 'wss:']
const maxPort = 65_535
const minRetentionDays = 30
const maxRetentionDays = 36_500
/** A year, plus a month to look back at it. */
const defaultAuditDays = 400
const maxGraceMs = 600_000
/** High enough for one's own installation, where nobody has to limit themselves. */
const maxRemovals = 1_000_000

/** Throws ConfigError naming the variable and its allowed values. */
export function readConfig(environment: Environment = process.env, directory: string = process.cwd()): Config {
  refuseUnknown(environment)
  const read = reader(environment)
  const port = read.whole('PORT', 3000, 0, maxPort)
  const host = read.text('HOST') ?? '127.0.0.1'
  const baseUrl = readBaseUrl(read.text('BASE_URL') ?? `http://${nameInUrl(host)}:${port}`)
  const dataDir = absolute(read.text('DATA_DIR') ?? './data', directory)
  const smtpUrl = checkSmtpUrl(read.text('SMTP_URL'))
  const s3 = readS3(read)
  const backup = readBackup(read, s3, directory)
  const databaseUrl = readDatabaseUrl(
    'DATABASE_URL',
    read.text('DATABASE_URL') ?? `file:${join(dataDir, 'paquebot.db')}`,
    directory,
  )
  return {
    port,
    host,
    baseUrl,
    dataDir,
    databaseUrl,
    databaseAuthToken: read.text('DATABASE_AUTH_TOKEN'),
    smtpUrl,
    mailFrom: readMailFrom(read.text('MAIL_FROM') ?? senderWithout(smtpUrl)),
    inboundSmtpPort:
      read.text('INBOUND_SMTP_PORT') === undefined ? undefined : read.whole('INBOUND_SMTP_PORT', 0, 0, maxPort),
    inboundDomain: readDomain('INBOUND_DOMAIN', read.text('INBOUND_DOMAIN')),
    inboundTls: readTls(read, 'INBOUND', directory),
    submission: readSubmission(read, { host, directory }),
    secretKey: readSecretKey('SECRET_KEY', read.text('SECRET_KEY')),
    secretKeysPrevious: readPreviousKeys(read.text('SECRET_KEY_PREVIOUS')),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    logFormat: read.oneOf('LOG_FORMAT', ['json', 'pretty'], 'json'),
    apiRateLimit: read.whole('API_RATE_LIMIT', 0, 0, 1_000_000),
    trustedProxies: read.cidrs('TRUSTED_PROXIES'),
    metricsToken: readSecretKey('METRICS_TOKEN', read.text('METRICS_TOKEN')),
    tlsAskToken: readSecretKey('TLS_ASK_TOKEN', read.text('TLS_ASK_TOKEN')),
    webhookAllowCidrs: read.cidrs('WEBHOOK_ALLOW_CIDRS'),
    webhookAllowHttp: read.switch('WEBHOOK_ALLOW_HTTP'),
    defaultTrustLevel: read.oneOf('DEFAULT_TRUST_LEVEL', trustLevels, 'M1'),
    complaintRemovalLimit: read.whole('COMPLAINT_REMOVAL_LIMIT', maxRemovals, 0, maxRemovals),
    messageRetentionDays: readRetention(read.whole('MESSAGE_RETENTION_DAYS', 0, 0, maxRetentionDays)),
    auditRetentionDays: read.whole('AUDIT_RETENTION_DAYS', defaultAuditDays, 0, maxRetentionDays),
    shutdownGraceMs: read.whole('SHUTDOWN_GRACE_MS', 10_000, 0, maxGraceMs),
    bodyTimeoutMs: read.whole('BODY_TIMEOUT_MS', 120_000, 100, maxGraceMs),
    oidc: readOidc(read),
    s3,
    backup,
    archive: readArchive(read, { s3, backup, databaseUrl, directory }),
    media: readMedia(read, s3, { dataDir, directory }),
    alarms: readAlarms(read),
    otel: readOtel(read),
  }
}

/** The environment is full of other programs' variables, so only those meant for us are refused: by prefix, or as a misspelling. */
function refuseUnknown(environment: Environment): void {
  const isSet = (name: string) => Boolean(environment[name]?.trim())
  for (const name of Object.keys(environment)) {
    if (settingNames.includes(name) || !isSet(name)) continue
    const meant = settingNames.find((one) => isTypingMistake(name, one))
    // When the correct name is also set, this one belongs to somebody else.
    if (meant !== undefined && !isSet(meant)) {
      throw new ConfigError(`${name} is not a setting of paquebot; did you mean ${meant}?`)
    }
    if (ownPrefixes.test(name)) throw new ConfigError(`${name} is not a setting of paquebot; ${hint(name)}`)
  }
}

function hint(name: string): string {
  const near = nearest(name, settingNames)
  return near === null ? `known settings: ${settingNames.join(', ')}` : `did you mean ${near}?`
}

/** A shorter time would lose messages that the outbox still refers to. */
function readRetention(days: number): number {
  if (days === 0 || days >= minRetentionDays) return days
  throw new ConfigError(`MESSAGE_RETENTION_DAYS must be 0 (for ever) or at least ${minRetentionDays}, not ${days}`)
}

/** A server that listens everywhere is reached, on its own machine, through the loopback address. */
export function nameInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Throws unless it is one as in BASE_URL. */
export function readBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    throw new ConfigError(`BASE_URL must be an http or https URL, not ${JSON.stringify(value)}`)
  }
  return withoutEnd(value, '/')
}

export function readDatabaseUrl(name: string, value: string, directory: string = process.cwd()): string {
  const scheme = databaseSchemes.find((one) => value.startsWith(one))
  if (!scheme || value.length === scheme.length) {
    throw new ConfigError(`${name} must start with one of ${databaseSchemes.join(' ')}`)
  }
  return scheme === 'file:'
    ? `file:${absolute(value.slice(scheme.length).replace(/^\/\/(?=\/)/, ''), directory)}`
    : value
}

/** The sender used in capture mode, where nothing is really sent. */
function senderWithout(smtpUrl: string | undefined): string {
  if (smtpUrl === undefined) return 'Paquebot <paquebot@paquebot.localhost>'
  throw new ConfigError('MAIL_FROM must be set when SMTP_URL is: mail needs a sender that people can reply to')
}

function readMailFrom(value: string): Config['mailFrom'] {
  const mailbox = parseMailbox(value)
  if (!mailbox.ok) throw new ConfigError(`MAIL_FROM ${mailbox.reason}: ${JSON.stringify(value)}`)
  const { name, address, domain } = mailbox
  return { name, address, domain }
}

/** As it is, once it can be read. */
function checkSmtpUrl(value: string | undefined): string | undefined {
  if (value !== undefined) isMxUrl(value) ? readMxUrl(value) : readSmtpUrl(value)
  return value
}

function readSecretKey(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && value.length < minSecretLength) {
    throw new ConfigError(`${name} must have at least ${minSecretLength} characters`)
  }
  return value
}

/** Several are separated by commas; one that contains a comma itself is also tried as a whole. */
function readPreviousKeys(value: string | undefined): string[] {
  if (value === undefined) return []
  readSecretKey('SECRET_KEY_PREVIOUS', value)
  const parts = value.split(',').map((part) => part.trim())
  return [...new Set([value, ...parts])].filter((key) => key.length >= minSecretLength)
}
