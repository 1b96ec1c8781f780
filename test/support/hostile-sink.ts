// A server that speaks bytes, not HTTP: each connection gets what the test's script writes. Also counts who came.

import type { Socket } from 'bun'

export type Script = (socket: Socket<SinkConnection>, request: string) => void

export interface SinkConnection {
  received: string
  timer: ReturnType<typeof setInterval> | undefined
}

export interface HostileSink extends AsyncDisposable {
  port: number
  url: string
  connections(): number
}

/** `script` runs once the head of a request is there; without one the connection is taken and nothing is ever said. */
export function hostileSink(script: Script = () => {}): HostileSink {
  let connections = 0
  const server = Bun.listen<SinkConnection>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        connections++
        socket.data = { received: '', timer: undefined }
      },
      data(socket, chunk) {
        socket.data.received += chunk.toString('latin1')
        if (!socket.data.received.includes('\r\n\r\n')) return
        const { received } = socket.data
        socket.data.received = ''
        script(socket, received)
      },
      close: (socket) => clearInterval(socket.data?.timer),
      error: () => {},
    },
  })
  return {
    port: server.port,
    url: `http://127.0.0.1:${server.port}/`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.stop(true)
    },
  }
}

/** Writes `piece` again and again until the other side goes away. */
export function flood(socket: Socket<SinkConnection>, piece: string | Uint8Array, everyMs = 0): void {
  socket.data.timer = setInterval(() => {
    for (let count = 0; count < (everyMs === 0 ? 64 : 1); count++) if (socket.write(piece) <= 0) return
  }, everyMs)
}
