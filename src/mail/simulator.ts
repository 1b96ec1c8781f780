// Addresses of the simulator: the local part decides the result of a mail, as in `bounce@simulator.paquebot.test`, and no server is
// contacted. Nobody can own the domain (RFC 6761: `.test`). docs/testing.md has the same table; simulated reports are in
// campaigns/simulated-reports.ts.

import type { Mailer, MailOutcome } from './mailer.ts'

const simulatorDomain = 'simulator.paquebot.test'

/** The feedback about a mail after it was accepted. */
export type SimulatedReport = 'delivered' | 'hard' | 'soft' | 'complaint' | 'unsubscribe' | 'open' | 'click'

interface Simulation {
  /** The server's reply instead of accepting the mail. */
  refusal?: Extract<MailOutcome, { outcome: 'refused' }>
  /** Only the first attempt gets this reply. */
  once?: true
  reports?: SimulatedReport[]
  /** Counts as suppressed from the beginning. */
  suppressed?: true
}

const simulations = new Map<string, Simulation>([
  ['delivered', { reports: ['delivered'] }],
  ['bounce', { reports: ['hard'] }],
  ['soft-bounce', { reports: ['soft'] }],
  ['complaint', { reports: ['delivered', 'complaint'] }],
  ['unsubscribe', { reports: ['delivered', 'unsubscribe'] }],
  ['open', { reports: ['delivered', 'open'] }],
  ['click', { reports: ['delivered', 'open', 'click'] }],
  ['out-of-office', { reports: ['delivered'] }],
  ['delay', { refusal: refusal(451, '4.2.1', 'the mailbox is busy, try again'), once: true, reports: ['delivered'] }],
  ['reject', { refusal: refusal(550, '5.1.1', 'no such mailbox') }],
  ['mailbox-full', { refusal: refusal(552, '5.2.2', 'the mailbox is full') }],
  ['content-rejected', { refusal: refusal(554, '5.6.0', 'the content was rejected') }],
  ['suppressed', { suppressed: true }],
])

function refusal(code: number, enhanced: string, text: string): Extract<MailOutcome, { outcome: 'refused' }> {
  const reply = `${code} ${enhanced} ${text} (simulated)`
  return { outcome: 'refused', permanent: code >= 500, stage: 'rcpt', code, enhanced, reply }
}

const unknownName = refusal(550, '5.1.1', `no such simulation; there are ${[...simulations.keys()].join(', ')}`)

/** Null for an address that may be real. What follows a + is a label and changes nothing. */
function findSimulation(address: string): (Simulation & { hasLabel: boolean }) | null {
  // Most addresses are real, and each is asked about several times.
  if (address.slice(-simulatorDomain.length).toLowerCase() !== simulatorDomain) return null
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  if (domain !== simulatorDomain) return null
  const [name = '', label] = local.split('+', 2)
  return { ...(simulations.get(name) ?? { refusal: unknownName }), hasLabel: label !== undefined }
}

export function isSimulated(address: string): boolean {
  return findSimulation(address) !== null
}

/** A bounce or a complaint does not suppress it, so that it serves again and again; one with a label is treated as a real one is. */
export function isReusable(address: string): boolean {
  return findSimulation(address)?.hasLabel === false
}

export function isAlwaysSuppressed(address: string): boolean {
  return findSimulation(address)?.suppressed ?? false
}

export function simulatedReports(address: string): SimulatedReport[] {
  return findSimulation(address)?.reports ?? []
}

/** Answers for these addresses; what it takes is captured. */
export function simulatorTransport(capture: Mailer): Mailer {
  return {
    kind: 'capture',
    async send(mail, handOver) {
      const { refusal, once } = findSimulation(mail.envelope.to) ?? {}
      const isRefused = refusal !== undefined && !(once && (handOver.attempt ?? 1) > 1)
      return isRefused ? refusal : await capture.send(mail, handOver)
    },
    async close() {},
  }
}
