// A whole thread to be read: what was received and what was answered, oldest first, in pages of a size that the reader chooses. Only own
// words: what a mail quotes is read where it was written.

import type { App } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { visible } from '../../kit/visible.ts'
import { readMessage } from './inbox.ts'
import { loadLabels } from './labels.ts'
import type { ReceivedMessage } from './receive.ts'
import { type Answer, listAnswers, listThread, mostShown } from './thread.ts'

/** A mail and its words, of which `cutChars` are left out. */
export type ThreadMail = ({ received: ReceivedMessage; labels: string[] } | { answer: Answer }) & {
  text: string
  cutChars: number
}

export interface ThreadPage {
  mails: ThreadMail[]
  /** Of each mail: where a page goes on behind it. */
  places: string[]
  /** Where the next page goes on; null at the end. */
  next: string | null
}

export interface ThreadReading {
  threadId: string
  /** `next` of the page before. */
  at: string | undefined
  /** Of all words of the page, in UTF-8; one mail takes at most half. */
  maxBytes: number
}

/** What ids of both kinds begin with: the rest sorts by time. */
const prefixChars = 'rcv_'.length

/** Throws `not_found`, also for another mailbox's. */
export async function readThread(
  app: App,
  { id: mailboxId, workspaceId }: { id: string; workspaceId: string },
  { threadId, at = '', maxBytes }: ThreadReading,
): Promise<ThreadPage> {
  const thread = { workspaceId, mailboxId, threadId }
  const received = await listThread(app, thread, `rcv_${at}`)
  const answers = await listAnswers(app, thread, `msg_${at}`)
  if (received.length + answers.length === 0 && at === '') throw noThread(threadId)
  const { steps, isAll } = merged(received, answers)
  const labels = await loadLabels(
    app,
    received.map(({ id }) => id),
  )
  const mails: ThreadMail[] = []
  const places = steps.map(({ key }) => key)
  let left = maxBytes
  for (const [index, { answer, row }] of steps.entries()) {
    const words = row ? visible((await readMessage(app, mailboxId, row.id)).own) : (answer?.text ?? '')
    const cut = cutAt(words, Math.floor(maxBytes / 2))
    left -= Buffer.byteLength(cut.text)
    if (left < 0) return { mails, places, next: places[index - 1] ?? null }
    if (row) mails.push({ received: row, labels: labels.get(row.id) ?? [], ...cut })
    else if (answer) mails.push({ answer, ...cut })
  }
  return { mails, places, next: isAll ? null : (places.at(-1) ?? null) }
}

function noThread(id: string): AppError {
  return new AppError('not_found', `there is no thread ${JSON.stringify(id.slice(0, 80))} in this mailbox`)
}

interface Step {
  key: string
  row?: ReceivedMessage
  answer?: Answer
}

/** In their order, as far as both lists are known. */
function merged(received: ReceivedMessage[], answers: Answer[]): { steps: Step[]; isAll: boolean } {
  const lists: Step[][] = [
    received.map((row) => ({ key: row.id.slice(prefixChars), row })),
    ...['sent', 'held'].map((kind) =>
      answers
        .filter(({ status }) => (status === 'sent') === (kind === 'sent'))
        .map((answer) => ({ key: answer.id.slice(prefixChars), answer })),
    ),
  ]
  const ends = lists.filter((list) => list.length >= mostShown).map((list) => list.at(-1)?.key ?? '')
  const end = ends.toSorted()[0] ?? '\x7f'
  const steps = lists.flat().filter(({ key }) => key <= end)
  return { steps: steps.sort((one, other) => (one.key < other.key ? -1 : 1)), isAll: ends.length === 0 }
}

function cutAt(text: string, maxBytes: number): { text: string; cutChars: number } {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return { text, cutChars: 0 }
  // A character that was cut in two is left out.
  const kept = new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\ufffd$/, '')
  return { text: kept, cutChars: text.length - kept.length }
}
