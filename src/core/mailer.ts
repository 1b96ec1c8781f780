// What mail leaves by: the relay of SMTP_URL and those that were added (relays.ts); without any, it is captured, and so is what never meets one.

import { isTestWorkspace } from '../kit/id.ts'
import { allowedCidrs } from '../kit/outbound/url.ts'
import { captureTransport } from '../mail/capture-transport.ts'
import { type Apart, Fabric } from '../mail/fabric.ts'
import type { Mailer, OutgoingMail } from '../mail/mailer.ts'
import type { MxTransportOptions } from '../mail/mx/mx-transport.ts'
import { readRelayUrl, transport } from '../mail/mx/transport.ts'
import { ReceiverNames } from '../mail/receiver-names.ts'
import type { Way } from '../mail/relay.ts'
import { isSimulated, simulatorTransport } from '../mail/simulator.ts'
import type { Config } from './config.ts'

/** Of a mailer that was given, nothing is known. */
const unknownPlace = { host: '', connections: 20 }

interface MailerParts extends Omit<MxTransportOptions, 'url' | 'allowed'> {
  config: Config
  /** Keeps what is captured. */
  store: (mail: OutgoingMail) => Promise<void>
}

/** It sends by `mailer`, or as the configuration says. */
export function createMailer({ config, store, ...options }: MailerParts, mailer?: Mailer): Fabric {
  const capture = captureTransport({ store })
  const simulator = simulatorTransport(capture)
  const apart: Apart = ({ workspaceId, to }) =>
    isSimulated(to) ? simulator : isTestWorkspace(workspaceId) ? capture : null
  const { smtpUrl: url } = config
  const connect = (url: string): Way => {
    return { mailer: transport(url, { ...options, allowed: allowedCidrs(config) }), ...readRelayUrl(url) }
  }
  const fixed = mailer ? { mailer, ...unknownPlace } : url === undefined ? null : connect(url)
  const names = new ReceiverNames(options)
  return new Fabric({ clock: options.clock, apart, capture, names, fixed, connect })
}
