// Bytes that come in parts are what they would be in one, wherever they are divided, searched and taken.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Gathered } from '../../src/kit/gathered.ts'

const steps = fc.array(
  fc.oneof(
    fc.record({ add: fc.stringMatching(/^[ab\r\n]{0,9}$/) }),
    fc.record({ take: fc.nat(12) }),
    fc.record({ cut: fc.nat(30) }),
    fc.record({ find: fc.constantFrom('\n', '\r\n', '\r\n\r\n', 'ab') }),
  ),
  { maxLength: 60 },
)

test('whatever is done with them', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const gathered = new Gathered()
      let plain = ''
      for (const step of all) {
        if ('add' in step) {
          gathered.add(Buffer.from(step.add))
          plain += step.add
        } else if ('take' in step) {
          expect(gathered.take(step.take).toString()).toBe(plain.slice(0, step.take))
          plain = plain.slice(step.take)
        } else if ('cut' in step) {
          gathered.cut(step.cut)
          plain = plain.slice(0, step.cut)
        } else expect(gathered.indexOf(step.find)).toBe(plain.indexOf(step.find))
        expect([gathered.length, gathered.bytes.toString()]).toEqual([plain.length, plain])
      }
    }),
    { numRuns: 300 },
  )
})
