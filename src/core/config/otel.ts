// Where traces and logs go, by the variables that OpenTelemetry has named
// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). Others that begin with OTEL_ are left alone.

import { ConfigError, type Reader } from '../../kit/environment.ts'
import { ownValue } from '../../kit/own-value.ts'
import { withoutEnd } from '../../kit/text.ts'
import type { OtelConfig, Sampler } from '../../kit/tracing/tracer.ts'

export const otelSettings = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_EXPORTER',
  'OTEL_LOGS_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SDK_DISABLED',
]

const shares: Record<string, number | null> = { always_on: 1, always_off: 0, traceidratio: null }

/** Undefined: nothing is exported. */
export function readOtel(read: Reader): OtelConfig | undefined {
  const endpoint = read.text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined || read.switch('OTEL_SDK_DISABLED')) return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT must be an address like http://127.0.0.1:4318')
  const of = (setting: string, path: string) =>
    (read.text(setting) ?? 'otlp').split(',').includes('otlp') ? `${withoutEnd(endpoint, '/')}${path}` : null
  const tracesUrl = of('OTEL_TRACES_EXPORTER', '/v1/traces')
  const logsUrl = of('OTEL_LOGS_EXPORTER', '/v1/logs')
  if (tracesUrl === null && logsUrl === null) return undefined
  const resource = Object.fromEntries(readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES'))
  const service = read.text('OTEL_SERVICE_NAME') ?? resource['service.name'] ?? 'paquebot'
  const headers = readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS')
  return { tracesUrl, logsUrl, headers, resource: { ...resource, 'service.name': service }, sampler: readSampler(read) }
}

/** `a=b,c=d`, percent-encoded. They may be secret, so they are not repeated. */
function readPairs(read: Reader, setting: string): [string, string][] {
  const texts = (read.text(setting) ?? '').split(',').map((one) => one.trim())
  return texts.filter(Boolean).map((one) => {
    const [, name = '', value = ''] = /^([\w.!#$%&'*+^`|~-]+)\s*=([\x21-\x7e ]*)$/.exec(one) ?? []
    try {
      if (name !== '') return [decodeURIComponent(name), decodeURIComponent(value.trim())]
    } catch {}
    throw new ConfigError(`${setting} must be name=value, separated by commas and percent-encoded`)
  })
}

function readSampler(read: Reader): Sampler {
  const names = Object.keys(shares).flatMap((name) => [name, `parentbased_${name}`])
  const name = read.oneOf('OTEL_TRACES_SAMPLER', names, 'parentbased_always_on')
  const followsParent = name.startsWith('parentbased_')
  const share =
    ownValue(shares, name.replace('parentbased_', '')) ?? parseRatio(read.text('OTEL_TRACES_SAMPLER_ARG') ?? '1')
  return { share, followsParent }
}

function parseRatio(text: string): number {
  const ratio = Number(text)
  if (/^[\d.]+$/.test(text) && ratio >= 0 && ratio <= 1) return ratio
  throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${JSON.stringify(text)}`)
}
