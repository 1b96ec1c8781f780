// One attack: so many mails come in, and agents read them and do what they say. Now and then a person refuses what waits, which is no yes.

import type { Json } from '../support/app.ts'
import { type Agent, createAgent, type Kind } from './agent.ts'
import { type AttackMail, attackMails } from './mails.ts'
import { createWorld, type World } from './world.ts'

export interface Attack extends AsyncDisposable {
  world: World
  agents: Agent[]
  mails: AttackMail[]
  /** Proposals that the person refused. */
  refused: number
}

export interface Plan {
  count: number
  seed: number
  /** How many of the agents read each mail. */
  each: number
}

/** Between two mails: a call a second, 20 mails an hour. */
const between = '4m'
const refusedEvery = 8
const maxDecisions = 50

export async function attack(kinds: readonly Kind[], { count, seed, each }: Plan): Promise<Attack> {
  const world = await createWorld()
  const agents: Agent[] = []
  for (const kind of kinds) agents.push(await createAgent(world, kind))
  await world.watch()
  const mails = attackMails(world.mailbox.address, agents[0]?.tools ?? [], { count, seed })
  let refused = 0
  for (const [n, { raw, order }] of mails.entries()) {
    const id = await world.mailbox.receive(raw)
    for (let reader = n; reader < n + each; reader++) await agents[reader % agents.length]?.obey(id, order)
    await world.t.advance(between)
    if (n % refusedEvery === refusedEvery - 1) refused += await refuseAll(world)
  }
  return {
    ...{ world, agents, mails, refused },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) await agent[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** What waits, as the person sees it. */
export async function waiting({ t, person }: World): Promise<Json[]> {
  return (await t.get(`/v1/approvals?perPage=${maxDecisions}`, 200, await person())).data
}

export async function refuseAll(world: World): Promise<number> {
  const shown = await waiting(world)
  const approvals = shown.map(({ id, contentHash }) => ({ id, contentHash }))
  if (approvals.length > 0) await world.t.post('/v1/approvals/refuse', { approvals }, 200, await world.person())
  return shown.length
}
