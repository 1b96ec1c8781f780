// A mail server of somebody else, the package smtp-server: with TLS, with AUTH, as its options say. It keeps what it takes.

import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export async function startRelay(options: SMTPServerOptions) {
  const bodies: string[] = []
  const server = new SMTPServer({
    disableReverseLookup: true,
    logger: false,
    ...options,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  server.on('error', () => {})
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    bodies,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
