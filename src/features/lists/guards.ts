// Guards the form of a source against programs: a field that only programs fill in, a minimum time between showing and submitting the form,
// and proof of work in the browser (the ALTCHA protocol). No guard looks at the address, so none reveals anything about it.

import { type App, write } from '../../core/app.ts'
import { keyOf, takeStored } from '../../core/http/rate-limit.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { hour, minute, second } from '../../kit/duration.ts'
import { parseForeignJson } from '../../kit/json.ts'
import { noGuards, type Source } from './sources.ts'

/** What a form may say besides its fields. */
export interface GuardInput {
  honeypot: string
  /** When the form was seen, as seenNow() said it. */
  seen: string
  /** What the browser worked out. */
  altcha: string
}

/** `caught`: answered as everybody else is, and dropped. `early`: not yet, or without a time that we gave. */
export type GuardResult = 'passed' | 'caught' | 'early' | 'no_work'

const seenForMs = 24 * hour
const challengeForMs = 20 * minute
/** About a second of work. */
const maxNumber = 100_000
/** A solution counts once. */
const onceRate = { burst: 1, perSecond: 1 / (challengeForMs / second) }

/** A time that nobody else can make. */
export function seenNow(app: App, sourceId: string): string {
  const at = String(app.clock.now().getTime())
  return `${at}.${app.sealer.mac(at, `form ${sourceId}`)}`
}

export async function checkGuards(app: App, { id, guards }: Source, input: GuardInput): Promise<GuardResult> {
  const { honeypot, leastSeconds, proofOfWork } = guards ?? noGuards
  if (honeypot !== null && input.honeypot !== '') return 'caught'
  if (leastSeconds > 0 && !wasSeen(app, id, input.seen, leastSeconds)) return 'early'
  return !proofOfWork || (await hasWorked(app, id, input.altcha)) ? 'passed' : 'no_work'
}

function wasSeen(app: App, sourceId: string, seen: string, leastSeconds: number): boolean {
  const age = formAge(app, sourceId, seen)
  return age !== null && age >= leastSeconds * second && age <= seenForMs
}

/** Null for a time that is not ours. */
export function formAge(app: App, sourceId: string, seen: string): number | null {
  const [at = '', mac = ''] = seen.split('.')
  const isOurs = /^\d{1,15}$/.test(at) && mac.length === fullMac && app.sealer.isMac(mac, at, `form ${sourceId}`)
  return isOurs ? app.clock.now().getTime() - Number(at) : null
}

/** Hexadecimal digits of a SHA-256. */
const fullMac = 64

/** The challenge that the widget of ALTCHA asks for: which number, after this salt, has this hash? */
export function newChallenge(app: App, sourceId: string) {
  const expires = Math.floor((app.clock.now().getTime() + challengeForMs) / second)
  const salt = `${Buffer.from(app.random.bytes(12)).toString('hex')}?expires=${expires}`
  const number = Buffer.from(app.random.bytes(4)).readUInt32BE() % maxNumber
  const challenge = sha256Hex(salt + number)
  const signature = app.sealer.mac(challenge, `work ${sourceId}`)
  return { algorithm: 'SHA-256', challenge, maxnumber: maxNumber, salt, signature }
}

interface Solution {
  algorithm: string
  challenge: string
  number: number
  salt: string
  signature: string
}

async function hasWorked(app: App, sourceId: string, payload: string): Promise<boolean> {
  const solution = readSolution(payload)
  if (solution === null) return false
  const { algorithm, challenge, number, salt, signature } = solution
  const expires = Number(/\?expires=(\d{1,12})$/.exec(salt)?.[1] ?? 0) * second
  const isRight = algorithm === 'SHA-256' && sha256Hex(salt + number) === challenge && signature.length === fullMac
  if (!isRight || expires < app.clock.now().getTime() || !app.sealer.isMac(signature, challenge, `work ${sourceId}`))
    return false
  const { allowed } = await write(app, (tx) => takeStored(tx, keyOf.id('work', sha256Hex(challenge)), onceRate))
  return allowed
}

/** Base64 of JSON. */
function readSolution(payload: string): Solution | null {
  try {
    const json = Buffer.from(payload.slice(0, 2_000), 'base64').toString('utf8')
    const given = parseForeignJson(json) as Partial<Solution> | null
    const { algorithm, challenge, number, salt, signature } = given ?? {}
    const texts = [algorithm, challenge, salt, signature].every((one) => typeof one === 'string')
    if (!texts || typeof number !== 'number' || !Number.isSafeInteger(number)) return null
    return given as Solution
  } catch {
    return null
  }
}
