// The interface to the thread that reads attachments as text (attachment-work.ts). It reads one file at a time, in turn of the workspaces, so
// that who asks for many waits for their own. A file that takes too long or too much memory ends the thread; the next one gets a new one.

import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../kit/error.ts'
import { SideThread, type Thread } from '../kit/side-thread.ts'
import type { AttachmentReading, AttachmentWork, WhichAttachment } from './attachment-work.ts'
import type { RawMail } from './raw-mail.ts'

export interface AttachmentReader {
  /** Throws `overloaded` when the workspace has too many files waiting, or everybody together. */
  read(workspaceId: string, raw: RawMail, which: WhichAttachment): Promise<AttachmentReading>
  close(): void
}

export interface AttachmentReaderOptions {
  /** Default: startAttachmentThread(). */
  start?: () => Thread
  /** From when it is its turn, with the start of a thread. */
  fileMs?: number
  /** How long it may wait for its turn. */
  waitMs?: number
  /** By how much this process may grow meanwhile, other work included. */
  growthBytes?: number
}

/** The longest wait and the longest file are less than a request may be silent (src/doors/listen.ts). */
const defaults = { fileMs: 10_000, waitMs: 15_000, growthBytes: 256 * 1024 * 1024 }
/** How often the memory is looked at. */
const lookMs = 50
/** The longest wait for the memory of a thread that was ended. */
const returnMs = 2_000
const maxWaitingOfWorkspace = 4
const maxWaiting = 100

export function startAttachmentThread(): Worker {
  return new Worker(new URL('./attachment-work.ts', import.meta.url).href, { name: 'attachments' })
}

export function createAttachmentReader({
  start = startAttachmentThread,
  ...limits
}: AttachmentReaderOptions = {}): AttachmentReader {
  const { fileMs, waitMs, growthBytes } = { ...defaults, ...limits }
  const turns = createTurns(waitMs)
  // One job at a time, with its own limit: a stall is what that finds.
  const options = { start, answer: noQuestions, stallMs: 2 * fileMs, deadlineMs: 2 * fileMs }
  let thread = new SideThread<AttachmentWork>(options)
  let isClosed = false

  const read = async (raw: RawMail, which: WhichAttachment): Promise<AttachmentReading> => {
    const own = thread
    let fault: string | null = null
    const end = (reason: string) => {
      fault ??= reason
      if (thread === own && !isClosed) thread = new SideThread<AttachmentWork>(options)
      own.close()
    }
    const from = process.memoryUsage.rss()
    const look = setInterval(() => {
      if (process.memoryUsage.rss() - from > growthBytes) end('It takes too much memory to read.')
    }, lookMs)
    const late = setTimeout(() => end(`It takes longer than ${fileMs / 1000} s to read.`), fileMs)
    try {
      return await own.run('attachmentText', { raw, which }, raw.bytes)
    } catch (error) {
      if (fault !== null && !isClosed) return { outcome: 'refused', reason: fault }
      if (error instanceof AppError) throw error
      // It broke its thread, or a reader has a fault that this file finds.
      return { outcome: 'refused', reason: 'It cannot be read: it is damaged, or its reader has a fault.' }
    } finally {
      clearInterval(look)
      clearTimeout(late)
      if (fault !== null) await returned(from + growthBytes / 2)
    }
  }

  return {
    read: (workspaceId, raw, which) => turns(workspaceId, () => read(raw, which)),
    close() {
      isClosed = true
      thread.close()
    },
  }
}

/** An ended thread gives its memory back a moment later. Without waiting for it, several of them would add up. */
async function returned(enoughBytes: number): Promise<void> {
  const until = performance.now() + returnMs
  while (process.memoryUsage.rss() > enoughBytes && performance.now() < until) await sleep(lookMs)
}

async function noQuestions(): Promise<never> {
  throw new Error('this work has nothing to ask')
}

/** One piece of work at a time; workspaces take turns. */
function createTurns(waitMs: number) {
  /** The first has the next turn. */
  const waiting = new Map<string, (() => void)[]>()
  let count = 0
  let isBusy = false
  const next = () => {
    const [first] = waiting
    isBusy = first !== undefined
    if (first === undefined) return
    const [workspaceId, own] = first
    waiting.delete(workspaceId)
    const begin = own.shift()
    if (own.length > 0) waiting.set(workspaceId, own)
    count--
    begin?.()
  }
  return async <T>(workspaceId: string, work: () => Promise<T>): Promise<T> => {
    if (isBusy) {
      const own = waiting.get(workspaceId) ?? []
      if (own.length >= maxWaitingOfWorkspace || count >= maxWaiting) throw busy()
      waiting.set(workspaceId, own)
      count++
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      own.push(resolve)
      const late = setTimeout(() => {
        own.splice(own.indexOf(resolve), 1)
        if (own.length === 0) waiting.delete(workspaceId)
        count--
        reject(busy())
      }, waitMs)
      await promise.finally(() => clearTimeout(late))
    }
    isBusy = true
    try {
      return await work()
    } finally {
      next()
    }
  }
}

function busy(): AppError {
  return new AppError('overloaded', 'Too many attachments are waiting to be read; try again in a moment.', {
    retryAfterSeconds: 5,
  })
}
