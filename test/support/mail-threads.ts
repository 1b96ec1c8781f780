// The threads beside the main one, lent to one app of this process after another: to start one takes longer than most tests do.

import type { FromInside, Thread, ToInside } from '../../src/kit/side-thread.ts'
import { startAttachmentThread } from '../../src/mail/attachment-reader.ts'
import { startMailThread } from '../../src/mail/mail-reader.ts'
import { startSideThread } from '../../src/operator/side-thread.ts'

/** Those that nobody has; each with the timer that ends it, so that a program that is done can end. */
const idle: { start: () => Worker; worker: Worker; end: ReturnType<typeof setTimeout> }[] = []
const idleMs = 5_000

function idleThread(start: () => Worker): Worker | null {
  const at = idle.findLastIndex((one) => one.start === start)
  const [found] = at < 0 ? [] : idle.splice(at, 1)
  if (!found) return null
  clearTimeout(found.end)
  return found.worker
}

/** To be given back by terminate(); one that is at work, or broke, is ended. */
export const lendMailThread = () => lend(startMailThread)
export const lendAttachmentThread = () => lend(startAttachmentThread)
export const lendSideThread = () => lend(startSideThread)

function lend(start: () => Worker): Thread {
  const worker = idleThread(start) ?? start()
  const undone = new Set<number>()
  const listeners: [type: string, listener: EventListener][] = []
  const listen = (type: string, listener: EventListener) => {
    listeners.push([type, listener])
    worker.addEventListener(type, listener)
  }
  let isBroken = false
  const broken = () => {
    isBroken = true
  }
  listen('error', broken)
  listen('close', broken)
  listen('message', (event) => {
    const { data } = event as MessageEvent<FromInside>
    if (data.kind === 'done' || data.kind === 'failed') undone.delete(data.id)
  })
  return {
    addEventListener: (type: string, listener: EventListenerOrEventListenerObject) =>
      listen(type, typeof listener === 'function' ? listener : (event) => listener.handleEvent(event)),
    postMessage(message: ToInside) {
      if (message.kind === 'job') undone.add(message.id)
      worker.postMessage(message)
    },
    terminate() {
      for (const [type, listener] of listeners) worker.removeEventListener(type, listener)
      if (isBroken || undone.size > 0) return worker.terminate()
      const one = { start, worker, end: setTimeout(() => end(one), idleMs) }
      idle.push(one)
    },
  }
}

function end(one: (typeof idle)[number]): void {
  idle.splice(idle.indexOf(one), 1)
  one.worker.terminate()
}
