// The floor of campaign.ts, and what feeds the peer of postfix.ts: SMTP over ten bare sockets, commands pipelined, the body filled by
// replacing one word. No TLS, no errors, nothing remembered. bun test/bench/socket-client.ts PORT COUNT [DOMAIN] [AUTH] < {"html","text"}

const [port = '', count = '', domain = 'paquebot.localhost', auth = ''] = process.argv.slice(2)
const { html, text } = await Bun.stdin.json()
const connections = 10
const total = Number(count)
/** The banner; the answers to EHLO and AUTH. */
const greetings = auth === '' ? 1 : 3
const body = `MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n${text}`.replaceAll(
  /\r?\n/g,
  '\r\n',
)
let next = 0
let left = total
const rests = new Map<Writable, Buffer>()
const done = Promise.withResolvers<void>()

function mail(n: number): string {
  const head = `From: paquebot@${domain}\r\nTo: r${n}@example.net\r\nSubject: Number ${n}\r\nMessage-ID: <${n}.${process.pid}@bench>\r\n`
  return `${head}${body.replaceAll('{{name}}', `Reader ${n}`)}\r\n.\r\n`
}

const began = performance.now()
for (let one = 0; one < connections; one++) {
  let replies = 0
  await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      data(socket, chunk) {
        for (const line of chunk.toString().split('\r\n')) {
          if (!/^\d{3} /.test(line)) continue
          replies++
          if (replies < greetings) socket.write(replies === 1 ? 'EHLO bench\r\n' : `AUTH PLAIN ${auth}\r\n`)
          // Then for each mail MAIL, RCPT, 354 and the final reply.
          const ofMails = replies - greetings
          if (ofMails > 0 && ofMails % 4 === 0 && --left === 0) done.resolve()
          if (ofMails >= 0 && ofMails % 4 === 0) {
            if (next >= total) continue
            socket.write(`MAIL FROM:<a@${domain}>\r\nRCPT TO:<r${next++}@example.net>\r\nDATA\r\n`)
          } else if (line.startsWith('354')) write(socket, mail(total - left))
        }
      },
      drain(socket) {
        flush(socket)
      },
    },
  })
}
await done.promise
process.stdout.write(String((total / (performance.now() - began)) * 1_000))
process.exit(0)

interface Writable {
  write(data: Uint8Array): number
}

function write(socket: Writable, text: string): void {
  const bytes = Buffer.from(text)
  const written = socket.write(bytes)
  if (written < bytes.length) rests.set(socket, bytes.subarray(written))
}

function flush(socket: Writable): void {
  const rest = rests.get(socket)
  if (!rest) return
  const written = socket.write(rest)
  if (written < rest.length) rests.set(socket, rest.subarray(written))
  else rests.delete(socket)
}
