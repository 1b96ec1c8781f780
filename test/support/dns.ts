// A name server on loopback that knows TXT records, and a resolver that asks it: the real one, over UDP.

import { createSocket } from 'node:dgram'
import { type DnsResolver, systemResolver } from '../../src/mail/dns-auth.ts'

export interface NameServer extends AsyncDisposable {
  resolver: DnsResolver
  /** By name: the records, or what goes wrong. A name that is not here does not exist. */
  names: Map<string, string[] | 'servfail' | 'silent'>
  /** Names asked for so far. */
  asked: string[]
}

const noError = 0
const serverFailure = 2
const nameError = 3

export async function nameServer(): Promise<NameServer> {
  const names: NameServer['names'] = new Map()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const name = nameIn(query)
    asked.push(name)
    const known = names.get(name.toLowerCase())
    if (known === 'silent') return
    const code = known === undefined ? nameError : known === 'servfail' ? serverFailure : noError
    socket.send(answer(query, code, Array.isArray(known) ? known : []), peer.port, peer.address)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.bind(0, '127.0.0.1', resolve)
  await promise
  return {
    names,
    asked,
    resolver: systemResolver([`127.0.0.1:${socket.address().port}`]),
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}

/** RFC 1035, 4.1.2: labels behind the header of 12 bytes. */
function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; query[at]; at += (query[at] ?? 0) + 1)
    labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString('latin1'))
  return labels.join('.')
}

function answer(query: Buffer, code: number, records: string[]): Buffer {
  let end = 12
  while (query[end]) end += (query[end] ?? 0) + 1
  const question = query.subarray(12, end + 5)
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records.map(textRecord)])
}

/** A TXT record of the name asked for; strings of at most 255 bytes (RFC 1035, 3.3.14). */
function textRecord(text: string): Buffer {
  const strings = (text.match(/[\s\S]{1,255}/g) ?? ['']).map((part) => {
    return Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')])
  })
  const data = Buffer.concat(strings)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(16, 2)
  head.writeUInt16BE(1, 4)
  // The resolver keeps an answer for its time to live; a test changes its mind at once.
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
