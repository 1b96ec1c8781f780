// paquebot approval approve | refuse: one decision, as a person types it. The others of its commands are those of the operations.

import { AppError, type ErrorCode, errorCodes } from '../../kit/error.ts'
import { columns, defineCommand } from './command.ts'
import { fieldLines, withApi } from './with-api.ts'

const flags = {
  approval: {
    type: 'string',
    value: 'APPROVAL_ID',
    operand: true,
    required: true,
    says: 'which one, of `approval list`',
  },
  workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
  'content-hash': { type: 'string', value: 'HASH', required: true, says: 'the `contentHash` of what you read of it' },
} as const

const approve = decision(
  'approve',
  'Approves exactly what was read: mail leaves, a call is made, a campaign may be sent.',
)
const refuse = decision('refuse', 'Refuses what was read: mail never leaves, a call is never made.')

export const approvalCommands = [approve, refuse]

interface Result {
  approval: Record<string, unknown> | null
  error: { code: string; message: string; contentHash: string | null } | null
}

function decision(verb: 'approve' | 'refuse', says: string) {
  return defineCommand({
    name: `approval ${verb}`,
    says,
    flags,
    run: ({ approval: id, workspace, 'content-hash': contentHash }, config) =>
      withApi(config(), workspace, async (api) => {
        const answer = await api('POST', `/v1/approvals/${verb}`, { approvals: [{ id, contentHash }] })
        const [result] = answer['results'] as Result[]
        if (!result?.approval) throw refusal(result?.error ?? null)
        return { json: result.approval, lines: columns(fieldLines(result.approval)) }
      }),
  })
}

function refusal(error: Result['error']): AppError {
  const code: ErrorCode = errorCodes.find((one) => one === error?.code) ?? 'internal_error'
  const now = error?.contentHash ? ` Its hash is now ${error.contentHash}.` : ''
  return new AppError(code, `${error?.message ?? 'there was no answer'}${now}`)
}
