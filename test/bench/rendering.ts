// What a mail costs to render, beside the floor: replacing the same placeholders by plain String.replaceAll, unescaped.
// `bun test/bench/rendering.ts` prints microseconds and the ratio. Results are read to the last byte, so ropes pay their way.

import { compileContent, placeholders } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { checkVariables } from '../../src/features/content/rendering/variables.ts'
import { orderMail, orderValues } from '../rendering/samples.ts'

const rounds = 20_000
const repeats = 7

/** The best of seven runs: the machine can only make it slower. */
function microseconds(work: () => number): number {
  let best = Number.POSITIVE_INFINITY
  let read = 0
  for (let repeat = 0; repeat < repeats; repeat++) {
    const start = Bun.nanoseconds()
    for (let round = 0; round < rounds; round++) read += work()
    best = Math.min(best, (Bun.nanoseconds() - start) / 1_000 / rounds)
  }
  if (read === 0) throw new Error('nothing was rendered')
  return best
}

const compiled = compileContent(orderMail)
const { htmlBody } = placeholders(compiled)
const flat: [string, string][] = [
  ['{{order_number}}', orderValues.order_number],
  ['{{delivery_day|soon}}', orderValues.delivery_day],
  ['{{contact.firstName|friend}}', orderValues.contact.firstName],
  ['{{tracking_url}}', orderValues.tracking_url],
  ['{{shipping_address}}', orderValues.shipping_address],
  ['{{total}}', orderValues.total],
  ['{{support_email}}', orderValues.support_email],
  ['{{company_name}}', orderValues.company_name],
  ['{{company_address}}', orderValues.company_address],
]
const bytes = (text: string) => Buffer.byteLength(text)
const { order_number, delivery_day, tracking_url, shipping_address, total, order_items } = orderValues
const dataVariables = { order_number, delivery_day, tracking_url, shipping_address, total, order_items }

const floor = microseconds(() => bytes(flat.reduce((html, [name, value]) => html.replaceAll(name, value), htmlBody)))
const results: [string, number][] = [
  ['floor: replaceAll of the HTML', floor],
  ['fill the HTML', microseconds(() => bytes(fill(compiled.html, orderValues)))],
  ['fill the text', microseconds(() => bytes(fill(compiled.text, orderValues)))],
  ['check the variables', microseconds(() => checkVariables(compiled, dataVariables).length + 1)],
  ['compile', microseconds(() => compileContent(orderMail).html.length)],
  ['parse the tree', microseconds(() => parseTree(orderMail.content).content.length)],
]

const lines = [
  `${(bytes(fill(compiled.html, orderValues)) / 1024).toFixed(1)} KB of HTML, ${compiled.html.length} segments`,
]
for (const [name, cost] of results) {
  lines.push(`${name.padEnd(32)} ${cost.toFixed(2).padStart(8)} µs   ${(cost / floor).toFixed(2).padStart(6)} × floor`)
}
process.stdout.write(`${lines.join('\n')}\n`)
