// What a limit per address counts by: a mailbox, however it is spelled; a network, however its address is written.

import { expect, test } from 'bun:test'
import { createLimiter } from '../src/core/http/limiter.ts'
import { keyOf } from '../src/core/http/rate-limit.ts'
import { mailboxOf } from '../src/kit/email-address.ts'
import { networkAround, networkOf } from '../src/kit/network.ts'
import { createPlaces } from '../src/mail/smtp-places.ts'
import { testApp } from './support/app.ts'

test('a mailbox is one, however its address is spelled', () => {
  const table: Record<string, string[]> = {
    'ada@gmail.com': ['ada@gmail.com', 'A.D.A@GMail.com', 'ada+1@gmail.com', 'a.da+x.y+z@googlemail.com'],
    'ada@example.net': ['ada@example.net', 'ada+@example.net', 'Ada+news@EXAMPLE.net'],
    'a.da@example.net': ['a.da@example.net', 'a.da+1@example.net'],
    '+ada@example.net': ['+ada@example.net', '+ada+1@example.net'],
  }
  for (const [mailbox, spellings] of Object.entries(table))
    expect<string[]>(spellings.map(mailboxOf), mailbox).toEqual(spellings.map(() => mailbox))
})

test('a network is one, however its address is written', () => {
  const table: [string[], string, string | null][] = [
    [
      ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107', '0:0:0:0:0:ffff:cb00:7107', '64:ff9b::203.0.113.7'],
      '203.0.113.7',
      '203.0.113.0/24',
    ],
    [
      ['2001:db8:7:1::1', '2001:0DB8:0007:0001:ffff:ffff:ffff:ffff', '2001:db8:7:1:0:5efe:203.0.113.7'],
      '2001:db8:7:1::/64',
      '2001:db8:7::/48',
    ],
    [['2001:db8:7:2::1'], '2001:db8:7:2::/64', '2001:db8:7::/48'],
    [['fe80::1%eth0', 'fe80::2'], 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    [['', 'nobody', '203.0.113'], '', null],
  ]
  for (const [written, network, around] of table)
    for (const address of written)
      expect<[string, string, string | null]>([address, networkOf(address), networkAround(address)]).toEqual([
        address,
        network,
        around,
      ])
})

test('no limit counts by an address as it was written', async () => {
  await using t = await testApp()
  const limiter = createLimiter(t.app, { burst: 1, perSecond: 1 })
  // @ts-expect-error: a string is no key.
  expect((await limiter.take('2001:db8:7:1::1')).allowed).toBe(true)
  // @ts-expect-error: an address is no network.
  expect(keyOf.network('x', '2001:db8:7:1::1')).toBeString()
  const allowed: boolean[] = []
  for (const address of ['2001:db8:7:1::1', '2001:db8:7:1::2', '203.0.113.7', '::ffff:203.0.113.7'])
    allowed.push((await limiter.take(keyOf.network('x', networkOf(address)))).allowed)
  expect(allowed).toEqual([true, false, true, false])
})

test('no network takes all connections of a listener, and a new one always finds a place', () => {
  const limits = { connections: 200, connectionsPerNetwork: 20 }
  const takeAll = (places: ReturnType<typeof createPlaces>, addresses: string[], each: number) =>
    addresses
      .flatMap((address) => Array.from({ length: each }, () => places.take(address)))
      .filter((one) => one !== null)
  const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n))
  const attacks: [string, string[], number][] = [
    ['ten addresses of one /64', lines(10, (n) => `2001:db8:7:1::${n}`), 20],
    ['one IPv4 address in ten spellings', lines(10, (n) => (n % 2 ? '203.0.113.7' : '::ffff:203.0.113.7')), 20],
    ['a thousand /64 of one /48', lines(1_000, (n) => `2001:db8:7:${n.toString(16)}::1`), 150],
    ['a whole /24', lines(256, (n) => `203.0.113.${n}`), 150],
    ['ten networks, of which two find the reserve', lines(10, (n) => `203.0.${n}.7`), 152],
  ]
  for (const [name, addresses, most] of attacks) {
    const places = createPlaces(limits)
    expect(takeAll(places, addresses, 30).length, name).toBe(most)
    const honest = lines(50, (n) => `198.51.${n}.20`)
    expect(takeAll(places, honest, 1).length, name).toBe(Math.min(50, 200 - most))
    expect(places.take('192.0.2.1') === null, name).toBe(most >= 150)
  }
  const places = createPlaces(limits)
  for (const giveBack of takeAll(places, ['203.0.113.7'], 20)) giveBack()
  expect(takeAll(places, ['203.0.113.7'], 30)).toHaveLength(20)
})
