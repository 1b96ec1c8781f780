// What a preview of an unsaved tree costs beside plain rendering (reading the tree, compiling, filling both parts): over HTTP, with all
// that it finds. `bun test/bench/preview.ts` prints milliseconds, medians of the same run, interleaved; the aim is 20 ms.

import { compileContent } from '../../src/features/content/rendering/compile.ts'
import { fill } from '../../src/features/content/rendering/fill.ts'
import { maxNodes } from '../../src/features/content/rendering/nodes.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { orderMail, orderValues } from '../rendering/samples.ts'
import { testApp } from '../support/app.ts'
import { median } from './figures.ts'

const rounds = 60
const aimMs = 20

const { order_number, delivery_day, tracking_url, shipping_address, total, order_items } = orderValues
const dataVariables = { order_number, delivery_day, tracking_url, shipping_address, total, order_items }
const words = 'Words that *somebody* wrote for [a shop](https://shop.example/{{order_number}}) and more of them. '
const large = Array.from({ length: maxNodes }, (_, n) =>
  n % 3
    ? { type: 'text', format: 'markdown', text: words + words }
    : { type: 'button', text: 'Go', href: '{{tracking_url}}' },
)

await using t = await testApp()

async function measure(name: string, content: object[]): Promise<void> {
  const { subject, previewText = '' } = orderMail
  const [plain, preview]: [number[], number[]] = [[], []]
  const body = JSON.stringify({ subject, previewText, content, dataVariables })
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    const compiled = compileContent({ ...orderMail, content: parseTree(content).content })
    bytes = Buffer.byteLength(fill(compiled.html, orderValues)) + Buffer.byteLength(fill(compiled.text, orderValues))
    const rendered = performance.now()
    await t.post('/v1/transactional/preview', body, 200)
    if (round < 10) continue
    plain.push(rendered - begun)
    preview.push(performance.now() - rendered)
  }
  const [floor, whole] = [median(plain), median(preview)]
  const said = `${(whole / floor).toFixed(1)} × plain rendering (${floor.toFixed(2)} ms), ${Math.round(bytes / 1024)} KB`
  process.stdout.write(
    `${name.padEnd(36)} ${whole.toFixed(2).padStart(7)} ms   ${said}${whole > aimMs ? '   MISSED' : ''}\n`,
  )
}

await measure('preview of an order', parseTree(orderMail.content).content)
await measure('preview of the largest tree', large)
