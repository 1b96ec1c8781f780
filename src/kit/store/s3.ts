// Files in an S3-compatible store, asked by signed addresses. Bun's own client waits for a silent server without an end and cannot ask that
// a name be free, so it is not used. What is larger than a part travels in parts, so that memory stays small and a lost part is all that is
// sent again. Every request has a deadline and is tried three times.

import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { second } from '../duration.ts'
import { AppError, type ErrorCode } from '../error.ts'
import { isSame } from './same.ts'
import { encodePath, type Signed, sign } from './sign.ts'
import type { Part, S3Config, Store } from './store.ts'

export interface Patience {
  /** How long a server may be silent. */
  silentMs: number
  /** Between attempts; one more of them than of these. */
  pausesMs: number[]
  partBytes: number
}

const patient: Patience = { silentMs: 20 * second, pausesMs: [second, 5 * second], partBytes: 8_388_608 }
/** What a body adds to the deadline: a line that is slower is of no use. */
const bytesPerMs = 100
const signedForS = 3_600
const saidChars = 300
/** The status of a part. */
const partial = 206
/** The status where a name was to be free and is not. */
const preconditionFailed = 412

interface Request extends Pick<Signed, 'method'> {
  name: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer> | string
}

export class S3Store implements Store {
  readonly where: string
  readonly workFolder: string
  readonly #config: S3Config
  readonly #patience: Patience
  readonly #access: { keyId: string; secret: string }
  readonly #bucket: string
  readonly #prefix: string

  /** `place`: `s3://bucket/prefix`. */
  constructor(place: string, config: S3Config, workFolder: string, patience: Partial<Patience> = {}) {
    if (config.access === undefined)
      throw new AppError('conflict', `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set for ${place}`)
    const [bucket = '', ...folders] = place.slice('s3://'.length).split('/')
    this.where = place
    this.workFolder = workFolder
    this.#config = config
    this.#patience = { ...patient, ...patience }
    this.#access = config.access
    this.#bucket = bucket
    this.#prefix = folders.map((folder) => `${folder}/`).join('')
  }

  pathOf(): null {
    return null
  }

  async list(prefix: string): Promise<string[]> {
    const names: string[] = []
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const query = { 'list-type': '2', delimiter: '/', prefix: this.#prefix + prefix }
      const more = token === undefined ? {} : { 'continuation-token': token }
      const answer = await this.#text({ method: 'GET', name: '', query: { ...query, ...more } })
      names.push(...elements(answer, 'Key').map((key) => key.slice(this.#prefix.length)))
      token = elements(answer, 'IsTruncated')[0] === 'true' ? elements(answer, 'NextContinuationToken')[0] : undefined
    }
    return names.filter(Boolean).sort()
  }

  async put(name: string, path: string): Promise<'stored' | 'taken'> {
    const { size } = Bun.file(path)
    const isFree =
      size <= this.#patience.partBytes ? await this.#putWhole(name, path) : await this.#putInParts(name, path)
    return isFree || (await isSame(this.get(name), path)) ? 'stored' : 'taken'
  }

  async *get(name: string, part?: Part): AsyncIterable<Uint8Array> {
    const headers: Record<string, string> = part ? { range: `bytes=${part.from}-${part.to}` } : {}
    const { answer, deadline } = await this.#send({ method: 'GET', name, headers }, async (answer, deadline) => ({
      answer,
      deadline,
    }))
    const expected = answer.headers.get('content-length')
    let got = 0
    try {
      if (part && answer.status !== partial) throw new Error('the server sends no parts of files')
      for await (const chunk of answer.body ?? []) {
        deadline.extend()
        got += chunk.length
        yield chunk
      }
    } catch (error) {
      throw this.#failure(name, `was cut off after ${got} bytes: ${toReason(error)}`)
    } finally {
      deadline.end()
    }
    if (expected !== null && got !== Number(expected))
      throw this.#failure(name, `was cut off after ${got} of ${expected} bytes`)
  }

  async delete(name: string): Promise<void> {
    await this.#text({ method: 'DELETE', name })
  }

  /** Whether the name was free. */
  async #putWhole(name: string, path: string): Promise<boolean> {
    const body = await Bun.file(path).bytes()
    const headers = { ...checked(body), 'if-none-match': '*' }
    return await this.#text({ method: 'PUT', name, body, headers }).then(() => true, falseIfTaken)
  }

  async #putInParts(name: string, path: string): Promise<boolean> {
    const [uploadId] = elements(await this.#text({ method: 'POST', name, query: { uploads: '' } }), 'UploadId')
    if (uploadId === undefined) throw this.#failure(name, 'cannot be stored in parts: the server gave no UploadId')
    try {
      const parts = await this.#putParts(name, path, uploadId)
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const headers = { 'if-none-match': '*' }
      const answer = await this.#text({ method: 'POST', name, query: { uploadId }, body, headers })
      // Joining may fail after the status was sent.
      if (answer.includes('<Error>')) throw this.#failure(name, `was not stored: ${shortened(answer)}`)
      return true
    } catch (error) {
      await this.#text({ method: 'DELETE', name, query: { uploadId } }).catch(() => {})
      return falseIfTaken(error)
    }
  }

  /** Returns what the server wants to hear of each part when they are joined. */
  async #putParts(name: string, path: string, uploadId: string): Promise<string[]> {
    const file = Bun.file(path)
    const parts: string[] = []
    for (let at = 0; at < file.size; at += this.#patience.partBytes) {
      const body = await file.slice(at, at + this.#patience.partBytes).bytes()
      const number = parts.length + 1
      const query = { partNumber: String(number), uploadId }
      const tag = await this.#send(
        { method: 'PUT', name, query, body, headers: checked(body) },
        async (answer, deadline) => {
          await answer.text()
          deadline.end()
          return answer.headers.get('etag') ?? ''
        },
      )
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`)
    }
    return parts
  }

  #text(request: Request): Promise<string> {
    return this.#send(request, async (answer, deadline) => {
      const text = await answer.text()
      deadline.end()
      return text
    })
  }

  /** Asks until there is an answer that `read` could read, which also ends the deadline. */
  async #send<T>(request: Request, read: (answer: Response, deadline: Deadline) => Promise<T>): Promise<T> {
    const { silentMs, pausesMs } = this.#patience
    for (let attempt = 0; ; attempt++) {
      const deadline = new Deadline(silentMs, request.body?.length ?? 0)
      try {
        return await read(await this.#ask(request, deadline), deadline)
      } catch (error) {
        deadline.end()
        if (error instanceof Refused && error.status === preconditionFailed) throw error
        if (error instanceof Refused && error.status === 404)
          throw this.#failure(request.name, 'is not there', 'not_found')
        const pauseMs = isPassing(error) ? pausesMs[attempt] : undefined
        if (pauseMs === undefined) throw this.#failure(request.name, `cannot be reached: ${toReason(error)}`)
        await pause(pauseMs)
      }
    }
  }

  async #ask({ method, name, query = {}, headers = {}, body }: Request, { signal }: Deadline): Promise<Response> {
    const { endpoint, region } = this.#config
    const path = [this.#bucket, ...(name === '' ? [] : [this.#prefix + name])].join('/')
    const url = new URL(`${endpoint}/${encodePath(path)}`)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const signed = sign({ method, url, now: systemClock.now(), expiresS: signedForS }, { region, ...this.#access })
    const answer = await fetch(signed, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body !== undefined && { body }),
    })
    if (answer.ok) return answer
    throw new Refused(answer.status, await answer.text())
  }

  #failure(name: string, what: string, code: ErrorCode = 'conflict'): AppError {
    return new AppError(code, `${this.where}${name === '' ? '' : `/${name}`} ${what}`)
  }
}

/** Ends a request whose server is silent. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #silentMs: number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(silentMs: number, bytes: number) {
    this.#silentMs = silentMs
    this.extend(bytes)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The server has been heard. */
  extend(bytes = 0): void {
    this.end()
    const silent = new Error('the server is silent')
    this.#timer = setTimeout(() => this.#controller.abort(silent), this.#silentMs + bytes / bytesPerMs)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

/** An answer that is none of success. */
class Refused extends Error {
  readonly status: number

  constructor(status: number, said: string) {
    const [code, message] = [elements(said, 'Code')[0], elements(said, 'Message')[0]]
    super(`the server answered ${status}: ${code ? `${code}, ${message ?? ''}` : shortened(said)}`)
    this.status = status
  }
}

/** What another attempt may mend: a lost connection, a server that is busy, or a name that somebody is writing right now (409). */
function isPassing(error: unknown): boolean {
  return !(error instanceof Refused) || error.status >= 500 || [408, 409, 429].includes(error.status)
}

/** An upload that is not known any more may be one that came through, so what is there is looked at in that case, too. */
function falseIfTaken(error: unknown): false {
  if (error instanceof Refused && error.status === preconditionFailed) return false
  if (error instanceof AppError && error.code === 'not_found') return false
  throw error
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function shortened(text: string): string {
  return text.slice(0, saidChars)
}

/** The server compares it with what it got. */
function checked(body: Uint8Array): Record<string, string> {
  return { 'content-md5': new Bun.MD5().update(body).digest('base64') }
}

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' }

/** The texts of all elements of that name, in the flat XML that S3 speaks. */
function elements(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))
  return [...found].map(([, text = '']) =>
    Object.entries(entities).reduce((plain, [entity, char]) => plain.replaceAll(entity, char), text),
  )
}
