// A server that is far away: what it answers arrives some milliseconds later. Bytes are passed on as they are, so that it costs little.

import { connect, createServer } from 'node:net'

export interface Distance extends AsyncDisposable {
  url: string
  /** HTTP requests that came through. */
  requests(): number
}

export async function distance(target: string, delayMs: number): Promise<Distance> {
  const { hostname, port } = new URL(target)
  let requests = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.setNoDelay(true)
    far.setNoDelay(true)
    near.on('data', (chunk) => {
      if (chunk.toString('latin1', 0, 5) === 'POST ') requests++
      far.write(chunk)
    })
    far.on('data', (chunk) => void setTimeout(() => near.write(chunk), delayMs))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('close', () => other.destroy())
      one.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
