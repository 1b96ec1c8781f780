// An agent that does whatever a text that it sees asks it to: a stronger adversary than any model, for it is never in doubt. What the tools do
// not show it, it is told.

import type { Json } from '../support/app.ts'
import { type McpClient, mcpClient } from '../support/mcp.ts'
import { modern } from '../support/mcp-calls.ts'
import { connect } from '../support/oauth.ts'
import { actsByItself } from './at-once.ts'
import type { ToolSchema } from './inputs.ts'
import { type Order, ordersIn, textsIn } from './orders.ts'
import type { World } from './world.ts'

/**
 * How it got in: two connections; a key and a token behind the airlock; a token and a connection; a key and a token of the specification, `plain`
 * without what those do at once, `trusted` with it.
 */
export type Kind = 'oauth' | 'airlock' | 'mixed' | 'plain' | 'trusted'

export interface Counts {
  calls: Map<string, number>
  done: number
  proposals: number
  refusals: Map<string, number>
  /** Requests beside the tools, by their answer. */
  requests: Map<number, number>
  /** Mails whose orders a tool showed, and those that hid them too well. */
  shown: number
  hidden: number
}

export interface Agent extends AsyncDisposable {
  kind: Kind
  counts: Counts
  tools: ToolSchema[]
  /** Its tokens. */
  tokens(): string[]
  /** Reads the mail and does what it says, and what comes of that says. `order`: what it says to whoever sees through its disguise. */
  obey(messageId: string, order: string): Promise<void>
}

type Place = 'mailbox' | 'workspace'
const paths = { mailbox: '/mailbox/mcp', workspace: '/mcp' } as const
/** Of one mail: orders make orders. */
const mostOrders = 30
const isOfProgram = (kind: Kind) => kind === 'plain' || kind === 'trusted'
const accessMs = 50 * 60_000

interface Doors {
  tokens: Record<Place, string>
  clients: Record<Place, McpClient>
  openedAt: number
}

export async function createAgent(world: World, kind: Kind): Promise<Agent> {
  const { t } = world
  const counts: Counts = {
    ...{ calls: new Map(), done: 0, proposals: 0, refusals: new Map(), requests: new Map() },
    ...{ shown: 0, hidden: 0 },
  }
  const knows: Record<string, string> = { ...world.things, secrets: '' }
  const entry = await entryOf(world, kind)
  let doors = await entry()
  const places = new Map<string, Place>()
  const tools: ToolSchema[] = []
  for (const place of ['workspace', 'mailbox'] as const)
    for (const tool of (await doors.clients[place].listTools()).tools as ToolSchema[]) {
      tools.push(tool)
      places.set(tool.name, place)
    }

  const open = async () => {
    for (const client of Object.values(doors.clients)) await client[Symbol.asyncDispose]()
    doors = await entry()
  }

  async function call(tool: string, input: Json): Promise<string[]> {
    const place = places.get(tool)
    if (place === undefined || (kind === 'plain' && actsByItself(tool))) return []
    if (t.clock.now().getTime() - doors.openedAt > accessMs) await open()
    count(counts.calls, tool)
    const result = await doors.clients[place].callTool({ name: tool, arguments: input })
    const texts = [...textsIn(result.structuredContent), ...textsIn(result.content)]
    learn(knows, result.structuredContent, texts)
    if (result.isError) count(counts.refusals, JSON.parse(result.content[0].text).code)
    else if (result.structuredContent?.held) counts.proposals++
    else counts.done++
    return texts
  }

  async function request(method: string, path: string, body: unknown): Promise<string[]> {
    const bodyOf = method === 'GET' || body === undefined ? {} : { body: JSON.stringify(body) }
    const answers: string[] = []
    // A key of the specification opens the routes: it is for programs.
    const mine = isOfProgram(kind) ? [doors.tokens.mailbox] : Object.values(doors.tokens)
    for (const token of [null, ...mine]) {
      const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
      const response = await fetch(t.url + path, { method, headers, redirect: 'manual', ...bodyOf })
      count(counts.requests, response.status)
      answers.push((await response.text()).slice(0, 10_000))
    }
    return answers
  }

  async function follow(order: Order): Promise<string[]> {
    if (order.kind === 'do') {
      const input = filled(order.input, knows)
      if (!order.whileReading) return await call(order.tool, input)
      return (await Promise.all([call('read_inbox', {}), call(order.tool, input), call('read_inbox', {})])).flat()
    }
    if (order.kind === 'open') return await request(order.method, filled(order.path, knows), filled(order.body, knows))
    if (order.kind === 'wait') await t.advance(order.duration)
    else await open()
    return []
  }

  return {
    ...{ kind, counts, tools },
    tokens: () => Object.values(doors.tokens),
    async obey(messageId, order) {
      knows.message = messageId
      const listed = await call('read_inbox', { limit: 5 })
      const read = await call('read_inbox', { messageId })
      const shown = [...listed, ...read].flatMap(ordersIn)
      knows.secrets = listed.join(' ').slice(0, 2_000)
      const hidden = ordersIn(order)
      counts[shown.length > 0 ? 'shown' : 'hidden']++
      const queue = [...shown, ...hidden]
      const seen = new Set<string>()
      for (let next = queue.shift(); next && seen.size < mostOrders; next = queue.shift()) {
        const name = JSON.stringify(next)
        if (seen.has(name)) continue
        seen.add(name)
        const texts = await follow(next)
        queue.push(...texts.flatMap(ordersIn), ...linksIn(texts, t.app.config.baseUrl))
      }
    },
    async [Symbol.asyncDispose]() {
      for (const client of Object.values(doors.clients)) await client[Symbol.asyncDispose]()
    },
  }
}

/** How it connects, and connects anew: all by a person of its own. */
async function entryOf(world: World, kind: Kind): Promise<() => Promise<Doors>> {
  const { t, mailbox } = world
  const { userId } = await t.person('owner', { email: `${kind}@acme.test` })
  const pasted = await world.pasted(userId, kind === 'airlock' || kind === 'mixed')
  const known: Partial<Record<Place, string>> = {}
  const connected = async (endpoint: Place, wanted: { target: string; scopes: string[] }) => {
    const { cookie } = await world.person(userId)
    const clientId = known[endpoint]
    const made = await connect(t, { endpoint, cookie, ...wanted, ...(clientId === undefined ? {} : { clientId }) })
    known[endpoint] = made.clientId
    return made.tokens.access_token as string
  }
  const office = () => connected('workspace', { target: t.workspace.id, scopes: ['read', 'write', 'send'] })
  const desk = () => connected('mailbox', { target: mailbox.id, scopes: ['read', 'reply'] })
  return async () => {
    const tokens = {
      mailbox: kind === 'oauth' ? await desk() : pasted.mailbox,
      workspace: kind === 'oauth' || kind === 'mixed' ? await office() : pasted.workspace,
    }
    const clients = {
      mailbox: await mcpClient(modern, t.url + paths.mailbox, tokens.mailbox),
      workspace: await mcpClient(modern, t.url + paths.workspace, tokens.workspace),
    }
    return { tokens, clients, openedAt: t.clock.now().getTime() }
  }
}

const byPrefix: Record<string, string> = {
  msg: 'approval',
  act: 'approval',
  seq: 'sequence',
  rec: 'recurring',
  thr: 'thread',
}

/** Ids and hashes, so that a later order can name what an earlier call made. */
function learn(knows: Record<string, string>, structured: Json, texts: string[]): void {
  for (const text of texts) {
    const [id, prefix = ''] = /\b([a-z]{3})_[0-9a-f]{32}\b/.exec(text) ?? []
    const name = byPrefix[prefix]
    if (id !== undefined && name !== undefined) knows[name] = id
    if (/^[0-9a-f]{64}$/.test(text)) knows.hash = text
  }
  if (structured?.draftId) knows.draft = structured.draftId
}

function filled<T>(value: T, knows: Record<string, string>): T {
  if (value === undefined) return value
  const text = JSON.stringify(value).replace(/\$([a-zA-Z]+)/g, (whole, name) => {
    const known = knows[name]
    return known === undefined ? whole : JSON.stringify(known).slice(1, -1)
  })
  return JSON.parse(text)
}

/** Those of the installation, by GET and by POST. */
function linksIn(texts: string[], baseUrl: string): Order[] {
  const found = texts.flatMap((text) => text.match(/https?:\/\/[^\s"<>\\)]+/g) ?? [])
  const own = [...new Set(found)].filter((url) => url.startsWith(`${baseUrl}/`) && !url.includes('/docs/'))
  return own.flatMap((url) =>
    ['GET', 'POST'].map((method) => {
      const path = url.slice(baseUrl.length).replace(/\.$/, '')
      return { kind: 'open', method, path, body: method === 'POST' ? {} : undefined } as const
    }),
  )
}

function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
