// The peer of deliver.ts: nodemailer with a pool of 10 sends the mails on stdin and prints how many a second.
// bun test/bench/nodemailer.ts PORT COUNT < {"html","text"}

import { createTransport } from 'nodemailer'

const [port = '', count = ''] = process.argv.slice(2)
const { html, text } = await Bun.stdin.json()
const connections = 10
const transport = createTransport({
  host: '127.0.0.1',
  port: Number(port),
  pool: true,
  maxConnections: connections,
  maxMessages: Number.POSITIVE_INFINITY,
  ignoreTLS: true,
})
const send = (n: number) => {
  const named = (body: string) => body.replaceAll('{{name}}', `Reader ${n}`)
  return transport.sendMail({
    from: 'Paquebot <paquebot@paquebot.localhost>',
    to: `r${n}@example.net`,
    subject: `Number ${n}`,
    html: named(html),
    text: named(text),
  })
}
let next = 0
const worker = async () => {
  while (next < Number(count)) await send(next++)
}
const began = performance.now()
await Promise.all(Array.from({ length: connections }, worker))
process.stdout.write(String((Number(count) / (performance.now() - began)) * 1_000))
transport.close()
