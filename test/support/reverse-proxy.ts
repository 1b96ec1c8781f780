// A small reverse proxy with TLS, as nginx is one by default: it takes the connection of the browser, and asks the server behind it under
// the server's own name (Host), with X-Forwarded-For and X-Forwarded-Proto.

import { selfSigned } from './certificate.ts'

export interface ReverseProxy extends AsyncDisposable {
  /** What browsers open: `https://localhost:PORT`. */
  url: string
  /** The server that it stands for. */
  leadTo(url: string): void
}

export function reverseProxy(): ReverseProxy {
  let target = ''
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: selfSigned(),
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('host', new URL(target).host)
      headers.set('x-forwarded-for', server.requestIP(request)?.address ?? '')
      headers.set('x-forwarded-proto', 'https')
      const { method } = request
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const body = hasBody ? { body: await request.arrayBuffer() } : {}
      // A browser may still ask for an icon when the server behind has been stopped.
      const gone = () => new Response(null, { status: 502 })
      return await fetch(target + pathname + search, { method, headers, redirect: 'manual', ...body }).catch(gone)
    },
  })
  return {
    url: `https://localhost:${server.port}`,
    leadTo: (url) => {
      target = url
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
