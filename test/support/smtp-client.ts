// A sending server whose every byte the test chooses.

import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface SmtpClient extends Disposable {
  /** The next reply, its lines joined by "\n"; what was said last when the server closes instead. */
  reply(): Promise<string>
  /** Writes bytes as they are. */
  write(bytes: string | Uint8Array): void
  /** Writes a line and waits for its reply. */
  say(line: string): Promise<string>
  /** EHLO to the 354 of DATA, for these recipients. */
  toData(...recipients: string[]): Promise<void>
  /** Goes on inside TLS. */
  upgrade(): Promise<void>
  /** Resolves with everything the server still said when it has closed. */
  closed: Promise<string>
}

const wholeReply = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3} [^\r\n]*\r\n/

/** `tls`: from the first byte. `from`: an address of this machine; each 127.x.y.z is one where the system is Linux. */
export async function smtpClient(port: number, { tls = false, from = '127.0.0.1' } = {}): Promise<SmtpClient> {
  const place = { port, host: '127.0.0.1', localAddress: from }
  let socket: Socket = tls ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place)
  let heard = ''
  let isClosed = false
  let wake = () => {}
  const closed = Promise.withResolvers<string>()
  const listen = () => {
    socket.on('data', (data: Buffer) => {
      heard += data.toString('latin1')
      wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      isClosed = true
      closed.resolve(heard)
      wake()
    })
  }
  listen()
  const client: SmtpClient = {
    async reply() {
      for (;;) {
        const match = wholeReply.exec(heard)
        if (match) {
          heard = heard.slice(match[0].length)
          return match[0].trimEnd().replaceAll('\r\n', '\n')
        }
        if (isClosed) throw new Error(`the server closed after ${JSON.stringify(heard)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    write: (bytes) => void socket.write(bytes),
    async say(line) {
      socket.write(`${line}\r\n`)
      return client.reply()
    },
    async toData(...recipients) {
      await expectCode(client.reply(), '220')
      await expectCode(client.say('EHLO sender.example.net'), '250')
      await expectCode(client.say('MAIL FROM:<ada@example.net>'), '250')
      for (const recipient of recipients) await expectCode(client.say(`RCPT TO:<${recipient}>`), '250')
      await expectCode(client.say('DATA'), '354')
    },
    async upgrade() {
      socket.removeAllListeners('data')
      const plain = socket
      socket = connectTls({ socket: plain, rejectUnauthorized: false })
      await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
      listen()
    },
    closed: closed.promise,
    [Symbol.dispose]: () => void socket.destroy(),
  }
  return client
}

async function expectCode(reply: Promise<string>, code: string): Promise<void> {
  const text = await reply
  if (!text.startsWith(code)) throw new Error(`expected ${code}, got ${text}`)
}
