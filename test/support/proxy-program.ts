// Real proxies in front of the product, set up with the words of docs/proxy.md.

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'

const page = readFileSync(join(import.meta.dir, '../../docs/proxy.md'), 'utf8')
const lookEveryMs = 20

/** The block of the page after `heading`, with what is of the page's machine replaced. */
export function fromPage(heading: string, replacements: [string, string][]): string {
  const [, block] = /```\w*\n(.*?)```/s.exec(page.slice(page.indexOf(heading))) ?? []
  let text = block ?? ''
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`docs/proxy.md does not say ${from} after ${heading}`)
    text = text.replaceAll(from, to)
  }
  return text
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

/** Ends when it takes connections at `port`. */
export async function untilOpen(port: number, server: Bun.Subprocess, log: string): Promise<void> {
  for await (const _ of setInterval(lookEveryMs)) {
    if (server.exitCode !== null) throw new Error(`the proxy ended: ${readFileSync(log, 'utf8')}`)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
    if (await promise) return
  }
}
