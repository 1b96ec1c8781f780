// The finished mails, byte for byte. After a wanted change: UPDATE_GOLDEN=1 bun test test/rendering/golden.test.ts, and read the diff.

import { describe, expect, test } from 'bun:test'
import { compileContent, placeholders, type Source } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { marketingMail, orderMail, orderValues, receiptMail, rightToLeftMail } from './samples.ts'

const update = Bun.env.UPDATE_GOLDEN === '1'

async function expectGolden(name: string, actual: string): Promise<void> {
  const file = Bun.file(`${import.meta.dir}/golden/${name}`)
  if (update) await file.write(actual)
  expect(actual).toBe(await file.text())
}

describe.each<[string, Source]>([
  ['order', orderMail],
  ['marketing', marketingMail],
  ['receipt', receiptMail],
  ['right-to-left', rightToLeftMail],
])('the %s mail', (name, source) => {
  const compiled = compileContent(source)
  test('as HTML', () => expectGolden(`${name}.html`, fill(compiled.html, orderValues)))
  test('as text', () => expectGolden(`${name}.txt`, fill(compiled.text, orderValues)))
})

test('the listed bodies keep every placeholder', async () => {
  const { htmlBody, textBody } = placeholders(compileContent(orderMail))
  await expectGolden('order.placeholders.html', htmlBody)
  await expectGolden('order.placeholders.txt', textBody)
  for (const name of [
    '{{order_number}}',
    '{{delivery_day|soon}}',
    '{{tracking_url}}',
    '{{item.name}}',
    '{{company_name}}',
  ]) {
    expect(htmlBody).toContain(name)
    expect(textBody).toContain(name)
  }
})
