// Whoever listens is told of every mail and each change of its state once, in order, whichever process wrote it.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messages } from '../db/tables/messages.ts'
import { createApp, write } from '../src/core/app.ts'
import { openTail } from '../src/features/sending/activity/live.ts'
import { deliverMessage } from '../src/features/sending/deliver-message.ts'
import { queueMessages } from '../src/features/sending/queue.ts'
import { newId } from '../src/kit/id.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'

interface Told {
  id: string
  data: Json
}

/** One who listens; take(n) waits until that many events have come. */
async function listening(t: TestApp, q = '', headers: Record<string, string> = {}) {
  const stop = new AbortController()
  const response = await fetch(`${t.url}/v1/activity?q=${encodeURIComponent(q)}`, {
    headers: {
      ...(headers.cookie ? {} : { authorization: `Bearer ${t.apiKey}` }),
      accept: 'text/event-stream',
      ...headers,
    },
    signal: stop.signal,
  })
  const told: Told[] = []
  let text = ''
  let beats = 0
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async (): Promise<boolean> => {
    const { done, value = '' } = (await reader?.read()) ?? { done: true }
    const events = (text + value).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, id = ''] = /^id: (.*)$/m.exec(event) ?? []
      const [, data] = /^data: (.*)$/m.exec(event) ?? []
      if (data === undefined && id !== '') beats++
      if (data !== undefined) told.push({ id, data: JSON.parse(data) })
    }
    return !done
  }
  return {
    response,
    take: async (count: number) => {
      while (told.length < count && (await read()));
      return told.splice(0)
    },
    beat: async () => {
      while (beats === 0 && (await read()));
    },
    ended: async () => {
      while (await read());
    },
    [Symbol.dispose]: () => stop.abort(),
  }
}

async function sending(t: TestApp): Promise<(email: string) => Promise<string>> {
  await t.template()
  return async (email) => (await t.mail({ email })).messageId
}

const stateOf = ({ data }: Told) => `${data.email} ${data.status}`

describe('a live tail of the activity', () => {
  test('tells of each mail and each change of its state that the search finds, and of no other workspace', async () => {
    await using t = await testApp()
    const send = await sending(t)
    const other = await t.stranger()
    using all = await listening(t)
    using some = await listening(t, 'to:ada@example.net status:sent')
    using theirs = await listening(t, '', { authorization: `Bearer ${other.apiKey}` })
    expect(all.response.headers.get('content-type')).toBe('text/event-stream')
    expect(all.response.headers.get('x-accel-buffering')).toBe('no')
    const messageId = await send('ada@example.net')
    await send('bob@example.net')
    expect((await all.take(2)).map(stateOf)).toEqual(['ada@example.net queued', 'bob@example.net queued'])
    await t.settle()
    expect((await all.take(2)).map(stateOf).toSorted()).toEqual(['ada@example.net sent', 'bob@example.net sent'])
    const [only] = await some.take(1)
    expect(only?.data).toMatchObject({ messageId, status: 'sent', code: '250', templateId: 'hello', subject: 'Hello' })
    const as = { as: { apiKey: other.apiKey } }
    await t.template({ id: 'theirs', name: 'A', subject: 'A' }, as)
    await t.mail({ email: 'carl@example.net', templateId: 'theirs' }, as)
    expect((await theirs.take(1)).map(stateOf)).toEqual(['carl@example.net queued'])
  })

  test('goes on behind the last event that was seen, without a gap or a repeat', async () => {
    await using t = await testApp()
    const send = await sending(t)
    using whole = await listening(t)
    const seen: Told[] = []
    for (let round = 0, id = ''; round < 4; round++) {
      using part = await listening(t, '', id === '' ? {} : { 'last-event-id': id })
      for (let n = 0; n < 3; n++) await send(`a${round}${n}@example.net`)
      await t.settle()
      // Cut off before all of it was read; the rest is told to the next.
      seen.push(...(await part.take(2 + round)).slice(0, 2 + round))
      id = seen.at(-1)?.id ?? ''
    }
    using last = await listening(t, '', { 'last-event-id': seen.at(-1)?.id ?? '' })
    seen.push(...(await last.take(24 - seen.length)))
    const told = await whole.take(24)
    expect(seen.map(stateOf).toSorted()).toEqual(told.map(stateOf).toSorted())
    expect(new Set(seen.map(stateOf)).size).toBe(24)
    const wrong = await t.request('GET', '/v1/activity', undefined, {
      headers: { accept: 'text/event-stream', 'last-event-id': 'made up' },
    })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_cursor'])
  })

  test('tells of what another process wrote', async () => {
    await using t = await testApp()
    using tail = await listening(t)
    const other = await createApp(t.app.config, { clock: t.clock, log: t.app.log })
    await write(other, async (tx) => {
      const id = newId(tx, 'msg', tx.now)
      const revisionId = null
      const mail = {
        id,
        workspaceId: t.workspace.id,
        kind: 'test',
        email: 'else@example.net',
        contactId: null,
      } as const
      const words = { templateId: null, revisionId, subject: 'A', locale: 'en', fromName: null, replyTo: null }
      const runAt = new Date(tx.now.getTime() + 60_000)
      await queueMessages(tx, deliverMessage, [
        { ...mail, ...words, fromEmail: 'a@b.test', payload: { messageId: id }, runAt },
      ])
    })
    await other.close()
    expect((await tail.take(1)).map(stateOf)).toEqual(['else@example.net queued'])
  })

  test('ends with the key or the session that opened it', async () => {
    await using t = await testApp()
    const key = await t.post('/v1/api-keys', { name: 'tail', scopes: ['activity.read'] }, 201, { as: 'session' })
    using byKey = await listening(t, '', { authorization: `Bearer ${key.apiKey}` })
    using bySession = await listening(t, '', { cookie: t.sessionCookie, origin: t.url })
    await t.delete(`/v1/api-keys/${key.id}`, undefined, 200, { as: 'session' })
    await byKey.ended()
    await t.post('/v1/auth/logout', undefined, 200, { as: 'session' })
    await bySession.ended()
  })

  test('is limited to twenty for a workspace, and cuts off who does not read', async () => {
    await using t = await testApp()
    const send = await sending(t)
    const search = null
    const options = { workspaceId: t.workspace.id, search, lastEventId: null, admit: async () => {} }
    const unread = await openTail(t.app, options)
    const tails = await Promise.all(Array.from({ length: 19 }, () => listening(t)))
    const { status, body } = await t.request('GET', '/v1/activity', undefined, {
      headers: { accept: 'text/event-stream' },
    })
    expect([status, body.code]).toEqual([429, 'rate_limit_exceeded'])
    for (const tail of tails) tail[Symbol.dispose]()
    const id = await send('ada@example.net')
    await write(t.app, (tx) =>
      tx.db
        .update(messages)
        .set({ subject: 'x'.repeat(70_000) })
        .where(eq(messages.id, id)),
    )
    // It is told of the mail, has no more room, and is given ten seconds.
    await t.settle()
    await send('bob@example.net')
    using last = await listening(t)
    // A heartbeat comes each fifteen.
    await last.beat()
    expect((await new Response(unread.body).text()).match(/^data: /gm)?.length ?? 0).toBeLessThan(4)
  })
})
