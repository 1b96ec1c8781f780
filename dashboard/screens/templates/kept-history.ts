// The steps of a mail's history, kept in this browser so that they can be undone after a reload: of one person, for each mail and tab, and
// only where the history ends with what the mail says. Gone when that person signs out, or somebody else uses the browser.

import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { historiesName } from '../../forget.ts'
import { saysTheSame } from '../../parts/same.ts'
import type { DraftText, History } from './history.ts'

const mostSteps = 100
/** Of the steps of one history. */
const mostChars = 1_000_000
const mostHistories = 20
const mostDays = 30

interface KeptHistory {
  /** Of which tab. */
  key: string
  mail: string
  member: string
  at: number
  /** Each a text of the mail, as JSON: a step is written once, however often the history is kept. */
  past: string[]
  now: string
  future: string[]
}

interface Histories extends DBSchema {
  histories: { key: string; value: KeptHistory; indexes: { mail: string; at: number } }
}

export interface WrittenMail {
  member: string
  /** With its workspace and locale. */
  mail: string
}

let opened: { member: string; db: Promise<IDBPDatabase<Histories>> } | null = null

function open(member: string): Promise<IDBPDatabase<Histories>> {
  if (opened?.member !== member) opened = { member, db: openFor(member) }
  return opened.db
}

async function openFor(member: string): Promise<IDBPDatabase<Histories>> {
  const db = await openDB<Histories>(historiesName, 1, {
    upgrade(fresh) {
      const store = fresh.createObjectStore('histories', { keyPath: 'key' })
      store.createIndex('mail', 'mail')
      store.createIndex('at', 'at')
    },
    // Another tab signs out.
    blocking: (_, __, { target }) => target instanceof IDBDatabase && target.close(),
  })
  const oldest = Date.now() - mostDays * 86_400_000
  for (let one = await db.transaction('histories', 'readwrite').store.openCursor(); one; one = await one.continue())
    if (one.value.member !== member || one.value.at < oldest) await one.delete()
  return db
}

/** Names this tab also after a reload. */
function tab(): string {
  const known = sessionStorage.getItem('tab') ?? crypto.randomUUID()
  sessionStorage.setItem('tab', known)
  return known
}

/** The steps around what the mail says now. Null where none are known, or the browser keeps nothing. */
export async function findSteps(
  { member, mail }: WrittenMail,
  now: DraftText,
): Promise<Pick<History, 'past' | 'future'> | null> {
  try {
    const db = await open(member)
    const kept = await db.getAllFromIndex('histories', 'mail', mail)
    const own = (one: KeptHistory) => Number(one.key.endsWith(tab()))
    const found = kept
      .toSorted((one, other) => own(other) - own(one) || other.at - one.at)
      .find((one) => saysTheSame(read(one.now), now))
    return found ? { past: found.past.map(read), future: found.future.map(read) } : null
  } catch {
    return null
  }
}

export async function keepSteps({ member, mail }: WrittenMail, { past, now, future }: History): Promise<void> {
  try {
    const db = await open(member)
    const kept = { past: past.slice(-mostSteps).map(write), future: future.slice(0, mostSteps).map(write) }
    while (length(kept.past) + length(kept.future) > mostChars) (kept.past.length > 0 ? kept.past : kept.future).shift()
    await db.put('histories', { key: `${mail} ${tab()}`, mail, member, at: Date.now(), now: write(now), ...kept })
    const keys = await db.getAllKeysFromIndex('histories', 'at')
    for (const key of keys.slice(0, -mostHistories)) await db.delete('histories', key)
  } catch {
    // A browser that keeps nothing, or has no room: undo works until the page is left.
  }
}

const length = (texts: string[]) => texts.reduce((sum, text) => sum + text.length, 0)

const texts = new WeakMap<DraftText, string>()

function write(text: DraftText): string {
  const known = texts.get(text) ?? JSON.stringify(text)
  texts.set(text, known)
  return known
}

const read = (text: string): DraftText => JSON.parse(text)
