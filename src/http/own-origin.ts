// Whether an origin is ours: that of BASE_URL, or where that is this machine, this machine under another of its names at the same port.

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A name that always means the machine that asks: `localhost`, `127.0.0.1`, `[::1]`. */
function isLoopbackName(hostname: string): boolean {
  return loopback.test(hostname)
}

export function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const own = new URL(baseUrl)
  if (origin === own.origin) return true
  const asked = URL.canParse(origin) ? new URL(origin) : null
  return asked !== null && asked.origin === origin && isOtherName(asked, own)
}

/** Two names of this machine, at the same port. */
export function isOtherName(asked: URL, own: URL): boolean {
  const isLocal = isLoopbackName(asked.hostname) && isLoopbackName(own.hostname)
  return isLocal && asked.protocol === own.protocol && asked.port === own.port
}
