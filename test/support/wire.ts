// Requests whose every byte the test chooses.

import type { TestApp } from './app.ts'

/** Sends bytes as they are and returns everything that comes back until the peer closes or `enough` is there. */
export async function onTheWire(t: TestApp, parts: (string | Uint8Array)[], enough = /\r\n\r\n/): Promise<string> {
  const { hostname, port } = new URL(t.url)
  const reply = Promise.withResolvers<string>()
  let text = ''
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        text += bytes.toString()
        if (enough.test(text)) reply.resolve(text)
      },
      close: () => reply.resolve(text),
      error: () => reply.resolve(text),
    },
  })
  for (const part of parts) socket.write(part)
  const answer = await reply.promise
  socket.terminate()
  return answer
}
