// Endpoints of webhooks, by their routes, and something to tell them.

import { setSystemTime } from 'bun:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { write } from '../../src/core/app.ts'
import type { EventType } from '../../src/features/webhooks/event-types.ts'
import { publish } from '../../src/features/webhooks/publish.ts'
import { type Json, session, type TestApp, type TestAppOptions, testApp } from './app.ts'
import { type ReceivedWebhook, sinkEnvironment } from './webhook-sink.ts'

export const path = '/v1/webhook-endpoints'
export const start = (options: TestAppOptions = {}) => testApp({ environment: sinkEnvironment, ...options })
export const someone = { contactIdentity: { id: 'con_1', email: 'ada@example.com', userId: null } }

export const create = (t: TestApp, url: string, more: object = {}): Promise<Json> =>
  t.post(path, { url, status: 'active', maxPerSecond: null, ...more }, 201, session)
export const rotate = (t: TestApp, id: string, body?: object): Promise<Json> =>
  t.post(`${path}/${id}/signing-secret`, body, 200, session)
export const say = (t: TestApp, type: EventType = 'contact.created') =>
  write(t.app, (tx) => publish(tx, t.workspace.id, type, someone as never))
export const deliveries = async (t: TestApp, id: string, query = ''): Promise<Json[]> =>
  (await t.get(`${path}/${id}/deliveries${query}`, 200, session)).data

/** The verifiers read the machine's clock: for a moment it is the test's. */
export function verifies(t: TestApp, secret: string, { body, headers }: ReceivedWebhook): boolean {
  setSystemTime(t.clock.now())
  try {
    new StandardWebhook(secret).verify(body, headers)
    new SvixWebhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  } finally {
    setSystemTime()
  }
}
