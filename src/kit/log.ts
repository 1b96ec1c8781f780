// Structured logs on stderr, one line per entry. Values are JSON-encoded, so a line break in a value cannot forge a line.

import { failureText } from './error.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export const logLevels: LogLevel[] = ['debug', 'info', 'warn', 'error']

export type LogFields = Record<string, unknown>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A log that adds `fields` to every line, e.g. a request id. */
  with(fields: LogFields): Log
}

export interface LogOptions {
  level: LogLevel
  format: 'json' | 'pretty'
  now(): Date
  write(line: string): void
}

export function createLog(options: LogOptions, bound: LogFields = {}): Log {
  const threshold = logLevels.indexOf(options.level)
  const line = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (logLevels.indexOf(level) < threshold) return
    const all = { ...bound, ...fields }
    const time = options.now().toISOString()
    options.write(
      options.format === 'json' ? jsonLine(time, level, message, all) : prettyLine(time, level, message, all),
    )
  }
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    with: (fields) => createLog(options, { ...bound, ...fields }),
  }
}

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time, level, message, ...toLoggable(fields) })}\n`
}

function prettyLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(toLoggable(fields)).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${message.replace(/[\r\n\x1b]/g, ' ')}${pairs.join('')}\n`
}

/** What may be logged of an error, and its stack: JSON would print `{}`. */
function toLoggable(fields: LogFields): LogFields {
  const entries = Object.entries(fields).map(([name, value]) => {
    if (!(value instanceof Error)) return [name, value] as const
    const cause = value.cause instanceof Error ? failureText(value.cause) : undefined
    // The stack begins with the message.
    const at = value.stack?.split('\n').filter((line) => /^\s+at /.test(line))
    return [name, { message: failureText(value), at: at?.map((line) => line.trim()), cause }] as const
  })
  return Object.fromEntries(entries)
}
