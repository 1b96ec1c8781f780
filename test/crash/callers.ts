// Who calls a server all the time while something happens to it: contacts, single mails, a campaign for each round, people who leave. What
// was acknowledged is remembered, with when.

export const people = 150

/** Where to; may change from call to call. */
export interface Where {
  url: string
  /** Nobody listens at that URL any more: as a proxy learns it. */
  gone?(url: string): void
}

export interface Written {
  email: string
  acknowledgedAt: number
}

interface ContactPage {
  data: { email: string; subscribed: boolean }[]
  pagination: { nextCursor: string | null }
}

/** What callers do all the time: contacts, single mails, a campaign for each round, people who leave. */
export class Load {
  readonly #apiKey: string
  readonly #withinMs: number
  acknowledged = 0
  /** Single mails whose send was acknowledged. */
  sent: Written[] = []
  /** Answers that are no success, by status; 0: none came. */
  refused: Record<number, number> = {}
  unsubscribed: Written[] = []
  #count = 0
  #list = ''
  #people: string[] = []

  /** `withinMs`: how long a caller waits for an answer. */
  constructor(apiKey: string, withinMs = 2_000) {
    this.#apiKey = apiKey
    this.#withinMs = withinMs
  }

  async prepare(server: Where): Promise<void> {
    const content = [{ type: 'text', text: 'Hi' }]
    await this.#must(server, '/v1/transactional/create', { id: 'hi', name: 'Hi', subject: 'Hi', content })
  }

  /** People of the round's own: more than a few mails a day to one are held back. */
  async gather(server: Where, round: number): Promise<void> {
    this.unsubscribed = []
    this.#people = []
    this.#list = String((await this.#must(server, '/v1/mailing-lists', { name: 'Storm', optIn: 'single' })).id)
    const add = async (email: string) => {
      await this.#must(server, '/v1/contacts/create', { email, mailingLists: { [this.#list]: true } })
      this.#people.push(email)
    }
    for (let n = 0; n < people; n++) await add(`p${round}-${n}@example.net`)
  }

  async campaign(server: Where, round: number): Promise<void> {
    const content = [{ type: 'text', text: 'News' }]
    const body = {
      name: 'Letter',
      subject: `Letter ${round}`,
      mailingListId: this.#list,
      content,
    }
    const { id } = await this.#must(server, '/v1/campaigns', body)
    await this.#must(server, `/v1/campaigns/${id}/send`, {})
  }

  /** Returns how to end it: then what was acknowledged. */
  run(server: Where, round: number): () => Promise<Written[]> {
    const written: Written[] = []
    let isOver = false
    const repeat = async (work: () => Promise<void>, everyMs: number) => {
      while (!isOver) {
        await work().catch(() => {})
        await Bun.sleep(everyMs)
      }
    }
    const create = async () => {
      const email = `c${round}-${this.#count++}@example.net`
      if (!(await this.#post(server, '/v1/contacts/create', { email }))) return
      written.push({ email, acknowledgedAt: Date.now() })
    }
    const send = async () => {
      const email = `t${round}-${this.#count++}@example.net`
      if (await this.#post(server, '/v1/transactional/send', { transactionalId: 'hi', email }))
        this.sent.push({ email, acknowledgedAt: Date.now() })
    }
    const leave = async () => {
      const email = this.#people[Math.floor(Math.random() * this.#people.length)] ?? ''
      if (this.unsubscribed.length >= people / 2 || this.unsubscribed.some((one) => one.email === email)) return
      if (!(await this.#post(server, '/v1/contacts/update', { email, subscribed: false }, 'PUT'))) return
      this.unsubscribed.push({ email, acknowledgedAt: Date.now() })
    }
    const all = [repeat(create, 10), repeat(create, 10), repeat(send, 20), repeat(leave, 200)]
    return async () => {
      isOver = true
      await Promise.all(all)
      this.acknowledged += written.length
      return written
    }
  }

  async missing(server: Where, written: Written[]): Promise<Written[]> {
    const isSubscribed = await this.#contacts(server)
    const missing = written.filter(({ email }) => !isSubscribed.has(email))
    // Who left and was forgotten may leave again.
    const forgotten = this.unsubscribed.filter(({ email }) => isSubscribed.get(email) === true)
    this.unsubscribed = this.unsubscribed.filter((one) => !forgotten.includes(one))
    return [...missing, ...forgotten]
  }

  /** All of them, by pages: to be asked for each would be most of what a server does meanwhile. */
  async #contacts(server: Where): Promise<Map<string, boolean>> {
    const found = new Map<string, boolean>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const answer = await this.#ask(server, `/v1/contacts?perPage=100${from}`)
      if (!answer.ok) throw new Error(`the contacts: ${await answer.text()}`)
      const { data, pagination } = (await answer.json()) as ContactPage
      for (const { email, subscribed } of data) found.set(email, subscribed)
      cursor = pagination.nextCursor
    }
    return found
  }

  async #must(server: Where, path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await this.#ask(server, path, { method: 'POST', body })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }

  async #post(server: Where, path: string, body: object, method = 'POST'): Promise<boolean> {
    try {
      const answer = await this.#ask(server, path, { method, body })
      await answer.text()
      if (!answer.ok) this.#refuse(answer.status)
      return answer.ok
    } catch (error) {
      this.#refuse(0)
      throw error
    }
  }

  #refuse(status: number): void {
    this.refused[status] = (this.refused[status] ?? 0) + 1
  }

  async #ask(where: Where, path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) {
    const { url } = where
    const headers = { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(this.#withinMs)
    try {
      return await fetch(url + path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) })
    } catch (error) {
      if (
        error instanceof Error &&
        'code' in error &&
        ['ConnectionRefused', 'ECONNREFUSED'].includes(String(error.code))
      )
        where.gone?.(url)
      throw error
    }
  }
}
