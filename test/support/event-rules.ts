// A rule that mails whoever signs up, and events that set it off.

import type { Json, TestApp } from './app.ts'

export const path = '/v1/event-rules'

export const welcome = { id: 'welcome', text: 'Hi {{name}}' }

export const mailing = {
  eventName: 'signup',
  action: 'send_template',
  templateId: 'welcome',
  delay: { amount: 1, unit: 'd' },
  variables: { name: 'you' },
}

export const owner = { as: 'session' } as const

export const makeRule = async (t: TestApp, more: object = {}): Promise<string> =>
  (await t.post(path, { ...mailing, ...more }, 201, 'purpose' in more ? owner : {})).id

export const tell = (t: TestApp, more: object = {}): Promise<Json> =>
  t.post('/v1/events/send', { eventName: 'signup', email: 'ada@example.net', ...more }, 200)
