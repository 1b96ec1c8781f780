// paquebot message content | cancel | reschedule | resend

import { given } from '../../kit/given.ts'
import { defineCommand } from './command.ts'
import { withApi } from './with-api.ts'

const flags = {
  message: { type: 'string', value: 'MESSAGE_ID', operand: true, required: true, says: 'from `activity`' },
  workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
} as const

const pathOf = (message: string, verb: string) => `/v1/messages/${encodeURIComponent(message)}/${verb}`

const content = defineCommand({
  name: 'message content',
  says: 'Shows the content of a message that its caller gave.',
  flags,
  run: ({ message, workspace }, config) =>
    withApi(config(), workspace, async (api) => {
      const json = await api('GET', pathOf(message, 'content'))
      return { json, lines: [String(json['subject']), '', String(json['text'] ?? json['html'] ?? '')] }
    }),
})

const cancel = defineCommand({
  name: 'message cancel',
  says: 'Cancels a message that was not sent yet.',
  flags,
  run: ({ message, workspace }, config) =>
    withApi(config(), workspace, async (api) => {
      const json = await api('POST', pathOf(message, 'cancel'))
      const isCancelled = json['outcome'] === 'cancelled'
      return { json, lines: [isCancelled ? 'Cancelled.' : 'It is being sent; it stops if it is not too late.'] }
    }),
})

const reschedule = defineCommand({
  name: 'message reschedule',
  says: 'Moves a message that waits to another time.',
  flags: {
    ...flags,
    at: {
      type: 'string',
      value: 'TIME',
      required: true,
      says: 'like 2027-01-15T12:00:00Z; one that has passed means now',
    },
  },
  run: ({ message, workspace, at }, config) =>
    withApi(config(), workspace, async (api) => {
      const json = await api('POST', pathOf(message, 'reschedule'), given({ scheduledAt: at }))
      return { json, lines: [`It leaves at ${json['scheduledAt']}.`] }
    }),
})

const resend = defineCommand({
  name: 'message resend',
  says: 'Sends a message again that was sent or has failed, as a new one.',
  flags,
  run: ({ message, workspace }, config) =>
    withApi(config(), workspace, async (api) => {
      const json = await api('POST', pathOf(message, 'resend'))
      return { json, lines: [`Sent again as ${json['messageId']}.`] }
    }),
})

export const messageCommands = [content, cancel, reschedule, resend]
