// Addresses that may only look like one that a person knows.

import { expect, test } from 'bun:test'
import { mayLookLikeAnother } from '../src/kit/lookalike.ts'

test('letters of two alphabets that are drawn alike are told, and so is a domain in its encoded form', () => {
  for (const address of [
    'ada@\u0430pple.com',
    'a\u0434a@example.com',
    'ada@xn--80ak6aa92e.com',
    'ada@mail.XN--80ak6aa92e.com',
    '\u03bfscar@example.com',
  ])
    expect(mayLookLikeAnother(address), address).toBe(true)
  for (const address of [
    'ada@example.com',
    "o'brien+news@mail-1.example.co.uk",
    'xn--ada@example.com',
    'ada@examplexn--.com',
    '\u0430\u0434\u0430@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444',
    'yui@\u65e5\u672c.jp',
    '',
  ])
    expect(mayLookLikeAnother(address), address).toBe(false)
})
