// The socket under a conversation with a mail server: to its address, encrypted for its name.

import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { withoutUndefined } from '../kit/without-undefined.ts'
import type { NotSentReason, SmtpStage } from './mailer.ts'
import type { SmtpOptions } from './smtp-url.ts'

/** It connects; `secureConnect` or `connect` tells when. */
export function openSocket(options: SmtpOptions): Socket {
  const { host, address = host, port, localAddress, secure } = options
  const to = { host: address, port, ...withoutUndefined({ localAddress }) }
  return secure ? connectTls({ ...to, ...trust(options) }) : connectTcp(to)
}

/** STARTTLS: the same connection, encrypted from here on. */
export function secureSocket(plain: Socket, options: SmtpOptions): TLSSocket {
  return connectTls({ socket: plain, host: options.host, ...trust(options) })
}

function trust({ host, verifyCertificate: rejectUnauthorized, ca }: SmtpOptions) {
  return { rejectUnauthorized, ...withoutUndefined({ servername: isIpLiteral(host) ? undefined : host, ca }) }
}

/** Whether it is encrypted, with a certificate that is valid for the host. */
export function isTrusted(socket: Socket): boolean {
  return 'authorized' in socket && socket.authorized === true
}

function isIpLiteral(host: string): boolean {
  return host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

export function toReason(error: Error, stage: SmtpStage): NotSentReason {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'ECONNREFUSED') return 'refused_connection'
  if (code.startsWith('ENOTFOUND') || code.startsWith('EAI_') || code.startsWith('DNS')) return 'dns'
  if (code === 'ETIMEDOUT') return 'timeout'
  if (stage === 'starttls' || /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|DEPTH_ZERO/i.test(code)) return 'tls'
  return 'cut'
}
