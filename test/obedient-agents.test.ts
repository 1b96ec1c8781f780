// The airlock against agents that do whatever a mail says (test/airlock): nothing happens outside without a person's yes, and what a yes lets go
// is what was shown. `bun run test:airlock` does the same with 1,000 mails.

import { expect, test } from 'bun:test'
import { signIn } from '../src/doors/smtp/sign-in.ts'
import { createAgent } from './airlock/agent.ts'
import { approveSome } from './airlock/approved.ts'
import { attack } from './airlock/attack.ts'
import { disguiseNames } from './airlock/mails.ts'
import { createWorld } from './airlock/world.ts'
import { operationsOf } from './support/listed-operations.ts'

test('100 mails of every kind make obedient agents propose, and do nothing outside; a yes lets go what was shown', async () => {
  await using done = await attack(['oauth', 'airlock', 'mixed', 'plain'], { count: 100, seed: 7, each: 1 })
  const { world, agents, mails, refused } = done
  expect(await world.effects()).toEqual([])
  expect(disguiseNames.length).toBeGreaterThanOrEqual(25)
  expect(new Set(mails.map(({ disguise }) => disguise)).size).toBe(disguiseNames.length)
  expect(new Set(world.hooks.types())).toEqual(new Set(['mailbox.email.received']))
  for (const { kind, tools, counts } of agents) {
    expect(counts.proposals, kind).toBeGreaterThan(0)
    expect(counts.refusals.get('internal_error') ?? 0, kind).toBe(0)
    expect(tools.length, kind).toBeGreaterThan(30)
  }
  // Every tool was called by somebody.
  const called = new Set(agents.flatMap(({ counts }) => [...counts.calls.keys()]))
  expect(agents[0]?.tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([])
  expect(refused).toBeGreaterThan(0)
  // Now a person says yes to some of what the same mails lead to.
  for (const { raw, order } of mails.slice(0, 12)) await agents[0]?.obey(await world.mailbox.receive(raw), order)
  const { approved, left, traced, faults } = await approveSome(world)
  expect(faults).toEqual([])
  expect(approved).toBeGreaterThan(3)
  expect(traced).toHaveLength(left)
  expect(new Set(traced.map(({ by }) => by))).toEqual(new Set(['owner@acme.test']))
})

test('the same attack on a key and a token of the specification is seen: mail leaves, and what is in use is changed', async () => {
  await using done = await attack(['trusted'], { count: 12, seed: 7, each: 1 })
  const effects = await done.world.effects()
  expect(effects.filter((effect) => effect.startsWith('a mail to')).length).toBeGreaterThan(0)
  expect(effects.some((effect) => effect.startsWith('changed: - templates'))).toBe(true)
  expect(effects.some((effect) => effect.startsWith('changed: - campaigns'))).toBe(true)
})

test('what opens the tools of agents opens no route and no mail server', async () => {
  await using world = await createWorld()
  const operations = (await operationsOf(world.t)).filter(({ open }) => !open)
  for (const kind of ['oauth', 'airlock'] as const) {
    await using agent = await createAgent(world, kind)
    for (const token of agent.tokens()) {
      for (const { method, path, hasBody } of operations) {
        const asked = path.replaceAll(/\{\w+\}/g, 'none')
        const { status } = await world.t.request(method, asked, hasBody ? {} : undefined, { as: { apiKey: token } })
        expect([401, 403], `${method} ${path} with ${kind}`).toContain(status)
      }
      expect(await signIn(world.t.app, token, '127.0.0.1')).toHaveProperty('refusal')
    }
  }
})
