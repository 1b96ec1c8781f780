// Says goodbye to a client without waiting for it for ever.

import type { Socket } from 'node:net'

/** How long a client that was told goodbye may take to read it. */
const lingerMs = 2_000

/** Sends nothing more and ignores what still arrives; a client that does not hang up is disconnected. */
export function endSoon(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.resume()
  socket.end()
  const cut = setTimeout(() => socket.destroy(), lingerMs)
  socket.on('close', () => clearTimeout(cut))
}
