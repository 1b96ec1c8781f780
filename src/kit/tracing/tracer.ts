// Traces and logs for a collector of OpenTelemetry: spans are begun and ended here, and leave in batches (exporter.ts). Null in `App` unless
// an operator named a collector.

import type { Clock } from '../clock.ts'
import { type Log, type LogFields, type LogLevel, logLevels } from '../log.ts'
import { Counter } from '../measures.ts'
import { createOperatorDialer, type Dialer } from '../outbound/dialer.ts'
import type { OutboundConfig } from '../outbound/url.ts'
import type { Random } from '../random.ts'
import { currentTrace, type Trace } from '../trace.ts'
import { Exporter } from './exporter.ts'
import { type Attributes, type EndedSpan, type LogRecord, logsBody, type SpanKind, spansBody } from './otlp.ts'

export interface Sampler {
  /** The share of traces that begin here. */
  share: number
  /** Whether a caller's decision is followed. */
  followsParent: boolean
}

export interface OtelConfig {
  /** Null: not exported. */
  tracesUrl: string | null
  logsUrl: string | null
  headers: [string, string][]
  resource: Record<string, string>
  sampler: Sampler
}

/** The first bits of a trace's id decide, so that everybody who samples by it keeps the same ones. */
const ratioDigits = 12
const ratioRange = 16 ** ratioDigits

export interface Span extends Trace {
  end(attributes: Attributes, outcome?: { name?: string; hasFailed?: boolean }): void
}

type Signal = 'traces' | 'logs'

export interface Ports {
  outbound: OutboundConfig
  clock: Clock
  random: Random
  /** Is told of what is lost, and drained nowhere. */
  log: Log
}

export class Tracer {
  readonly #config: OtelConfig
  readonly #ports: Ports
  readonly #dialer: Dialer
  readonly #spans: Exporter<EndedSpan> | null
  readonly #records: Exporter<LogRecord> | null
  readonly #lossesTold = new Set<Signal>()
  /** For /metrics. */
  readonly counted = new Counter('paquebot_telemetry_total', 'Spans and log lines for a collector, by result.')

  constructor(config: OtelConfig, ports: Ports) {
    this.#config = config
    this.#ports = ports
    this.#dialer = createOperatorDialer(ports.outbound)
    this.#spans = this.#exporter('traces', config.tracesUrl, spansBody)
    this.#records = this.#exporter('logs', config.logsUrl, logsBody)
  }

  begin(name: string, kind: SpanKind, parent: Trace | null): Span {
    const { clock, random } = this.#ports
    const traceId = parent?.traceId ?? hex(random.bytes(16))
    const span = { traceId, spanId: hex(random.bytes(8)), sampled: this.#isSampled(traceId, parent) }
    const startedAt = clock.now().getTime()
    const beganAt = performance.now()
    return {
      ...span,
      end: (attributes, { name: endName = name, hasFailed = false } = {}) => {
        if (!span.sampled) return
        const endedAt = startedAt + performance.now() - beganAt
        const parentSpanId = parent?.spanId ?? null
        this.#spans?.add({ ...span, parentSpanId, name: endName, kind, startedAt, endedAt, attributes, hasFailed })
      },
    }
  }

  /** The same log, whose lines also go to the collector. */
  drain(log: Log, level: LogLevel, bound: LogFields = {}): Log {
    if (this.#records === null) return log
    const line = (at: LogLevel) => (message: string, fields?: LogFields) => {
      log[at](message, fields)
      if (logLevels.indexOf(at) >= logLevels.indexOf(level)) this.#record(at, message, { ...bound, ...fields })
    }
    return {
      debug: line('debug'),
      info: line('info'),
      warn: line('warn'),
      error: line('error'),
      with: (fields) => this.drain(log.with(fields), level, { ...bound, ...fields }),
    }
  }

  async flush(): Promise<void> {
    await Promise.all([this.#spans?.flush(), this.#records?.flush()])
  }

  async close(): Promise<void> {
    await Promise.all([this.#spans?.close(), this.#records?.close()])
    this.#dialer.close()
  }

  #exporter<T>(signal: Signal, url: string | null, encode: (resource: Record<string, string>, items: T[]) => string) {
    if (url === null) return null
    const { headers, resource } = this.#config
    return new Exporter<T>({
      url,
      headers,
      dialer: this.#dialer,
      encode: (items) => encode(resource, items),
      onEnd: (count, lost) => this.#note(signal, count, lost),
    })
  }

  #note(signal: Signal, count: number, lost: string | null): void {
    this.counted.add({ signal, outcome: lost === null ? 'taken' : 'lost' }, count)
    if (lost === null) this.#lossesTold.delete(signal)
    else if (!this.#lossesTold.has(signal)) {
      this.#lossesTold.add(signal)
      this.#ports.log.warn('traces or logs are lost', { signal, reason: lost })
    }
  }

  #record(level: LogLevel, message: string, fields: LogFields): void {
    this.#records?.add({ at: this.#ports.clock.now().getTime(), level, message, fields, trace: currentTrace() })
  }

  #isSampled(traceId: string, parent: Trace | null): boolean {
    if (this.#spans === null) return false
    const { share, followsParent } = this.#config.sampler
    if (parent !== null && followsParent) return parent.sampled
    return Number.parseInt(traceId.slice(-ratioDigits), 16) / ratioRange < share
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
