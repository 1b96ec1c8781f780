// A mail server of somebody else, the package smtp-server: with TLS, with AUTH, as its options say. It keeps what it takes.

import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export async function startRelay(options: SMTPServerOptions, { host = '127.0.0.1', port: at = 0 } = {}) {
  const bodies: string[] = []
  let secured = 0
  const server = new SMTPServer({
    disableReverseLookup: true,
    logger: false,
    ...options,
    onData(stream, session, done) {
      if (session.secure) secured++
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
  server.listen(at, host, resolve)
  await promise
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    bodies,
    /** How many of them came encrypted. */
    secured: () => secured,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
