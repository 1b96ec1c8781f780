// What a limit per address counts by: a mailbox, however it is spelled; a network, however its address is written.

import { expect, test } from 'bun:test'
import { mailboxKey } from '../src/lib/email-address.ts'
import { networkAround, networkOf } from '../src/lib/network.ts'

test('a mailbox is one, however its address is spelled', () => {
  const table: Record<string, string[]> = {
    'ada@gmail.com': ['ada@gmail.com', 'A.D.A@GMail.com', 'ada+1@gmail.com', 'a.da+x.y+z@googlemail.com'],
    'ada@example.net': ['ada@example.net', 'ada+@example.net', 'Ada+news@EXAMPLE.net'],
    'a.da@example.net': ['a.da@example.net', 'a.da+1@example.net'],
    '+ada@example.net': ['+ada@example.net', '+ada+1@example.net'],
  }
  for (const [mailbox, spellings] of Object.entries(table))
    expect(spellings.map(mailboxKey), mailbox).toEqual(spellings.map(() => mailbox))
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
