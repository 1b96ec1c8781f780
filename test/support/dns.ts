// A name server on loopback that knows a few names, and a resolver that asks it: the real one, over UDP.

import { createSocket } from 'node:dgram'
import { parseIp } from '../../src/kit/ip-address.ts'
import { type DnsResolver, systemResolver } from '../../src/mail/dns.ts'

export interface NameServer extends AsyncDisposable {
  resolver: DnsResolver
  /** By name: its TXT records, or all that it has, or what goes wrong. A name that is not here does not exist. */
  names: Map<string, string[] | Records | 'servfail' | 'silent'>
  /** Names asked for so far. */
  asked: string[]
}

export interface Records {
  txt?: string[]
  /** `10 mx.example.net`; `0 .` for none. */
  mx?: string[]
  a?: string[]
  aaaa?: string[]
  ptr?: string[]
  /** What is asked of it is answered by that name. */
  cname?: string
}

const noError = 0
const serverFailure = 2
const nameError = 3

const types = { a: 1, cname: 5, ptr: 12, mx: 15, txt: 16, aaaa: 28 }

export async function nameServer(): Promise<NameServer> {
  const names: NameServer['names'] = new Map()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name, type } = questionIn(query)
    asked.push(name)
    const known = names.get(name.toLowerCase())
    if (known === 'silent') return
    const code = known === undefined ? nameError : known === 'servfail' ? serverFailure : noError
    const found = known === undefined || known === 'servfail' ? [] : recordsOf(names, { name, type })
    socket.send(answer(query, code, found), peer.port, peer.address)
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

interface Question {
  name: string
  type: number
}

/** RFC 1035, 4.1.2: labels behind the header of 12 bytes. */
function questionIn(query: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (; query[at]; at += (query[at] ?? 0) + 1)
    labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString('latin1'))
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1) }
}

/** As a resolver answers: the name that it stands for, and what that has. */
function recordsOf(names: NameServer['names'], { name, type }: Question): Buffer[] {
  const known = names.get(name.toLowerCase())
  if (known === undefined || typeof known === 'string') return []
  const { txt = [], mx = [], a = [], aaaa = [], ptr = [], cname } = Array.isArray(known) ? { txt: known } : known
  if (cname !== undefined)
    return [record(name, types.cname, wireName(cname)), ...recordsOf(names, { name: cname, type })]
  const data: Record<number, Buffer[]> = {
    [types.txt]: txt.map(wireText),
    [types.mx]: mx.map(wireMx),
    [types.a]: a.map(wireAddress),
    [types.aaaa]: aaaa.map(wireAddress),
    [types.ptr]: ptr.map(wireName),
  }
  return (data[type] ?? []).map((one) => record(name, type, one))
}

function answer(query: Buffer, code: number, records: Buffer[]): Buffer {
  let end = 12
  while (query[end]) end += (query[end] ?? 0) + 1
  const question = query.subarray(12, end + 5)
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  // An answer without any record would be kept for an hour by the resolver.
  const besides = record('', types.txt, wireText('nothing else'))
  header.writeUInt16BE(1, 10)
  return Buffer.concat([header, question, ...records, besides])
}

function record(name: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  // The resolver keeps an answer for its time to live; a test changes its mind at once.
  head.writeUInt32BE(0, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([wireName(name), head, data])
}

function wireName(name: string): Buffer {
  const labels = name.split('.').filter(Boolean)
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ])
}

/** Strings of at most 255 bytes (RFC 1035, 3.3.14). */
function wireText(text: string): Buffer {
  const strings = (text.match(/[\s\S]{1,255}/g) ?? ['']).map((part) => {
    return Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')])
  })
  return Buffer.concat(strings)
}

function wireMx(text: string): Buffer {
  const [preference, exchange = ''] = text.split(' ')
  return Buffer.concat([Buffer.of(0, Number(preference)), wireName(exchange)])
}

function wireAddress(text: string): Buffer {
  return Buffer.from(parseIp(text) ?? [])
}
