// The way to a libSQL server, with what happens to ways: answers take time, are lost, or never come.

import { setTimeout as passing } from 'node:timers/promises'

export interface DatabaseLink extends AsyncDisposable {
  url: string
  /** What reaches the server from now on is answered `ms` later. */
  delay(ms: number): void
  /** Each answer for which `isLost` says so is replaced by a gateway's 504, after the server has done its work. */
  lose(isLost: (body: string) => boolean): void
  /** Each answer for which `isSwallowed` says so never comes, after the server has done its work. */
  swallow(isSwallowed: (body: string) => boolean): void
  /** What is asked from now on is never answered, until open(). */
  shut(): void
  open(): void
  /** Requests that came through. */
  requests(): number
}

/** A proxy before the server at `target`, in this process. */
export function databaseLink(target: string): DatabaseLink {
  let opened = Promise.withResolvers<void>()
  opened.resolve()
  let delayMs = 0
  let isLost: (body: string) => boolean = () => false
  let isSwallowed: (body: string) => boolean = () => false
  let requests = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      requests++
      await opened.promise
      if (request.signal.aborted) return new Response()
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'GET' ? null : await request.text()
      const { method, headers } = request
      // Who asked may have gone: the server does its work all the same.
      const answer = await fetch(`${target}${pathname}${search}`, { method, headers, body })
      const type = answer.headers.get('content-type') ?? 'application/json'
      const bytes = await answer.arrayBuffer()
      if (isSwallowed(body ?? '')) await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      if (isLost(body ?? '')) return new Response('', { status: 504 })
      if (delayMs > 0) await passing(delayMs)
      return new Response(bytes, { status: answer.status, headers: { 'content-type': type } })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    delay(ms) {
      delayMs = ms
    },
    lose(next) {
      isLost = next
    },
    swallow(next) {
      isSwallowed = next
    },
    shut() {
      opened = Promise.withResolvers<void>()
    },
    open: () => opened.resolve(),
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      opened.resolve()
      await server.stop(true)
    },
  }
}
