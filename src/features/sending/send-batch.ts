// Accepts many sends of one request: each has its own result, and all that are acceptable are one transaction under one Idempotency-Key.

import { isUnavailable } from '../../../db/faults.ts'
import type { App } from '../../core/app.ts'
import { below, findFaults } from '../../core/http/body-check.ts'
import { type Answer, idempotentBy, type RequestKey } from '../../core/http/idempotency.ts'
import { toRefusal } from '../../core/http/validation.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { createPace } from '../../kit/turn.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Evidence } from '../contacts/consent/ledger.ts'
import { acceptTogether, type SendRequest, type SendResult } from './accept.ts'
import { type BatchAnswer, type BatchBody, type BatchResult, type SendBody, sendBody } from './schema.ts'
import { checkRequest, forgetAhead, linkRecipients, storeAhead, wantsContacts } from './send.ts'

const batchRoute = 'POST /v1/transactional/send-batch'
const maxRecipientsInAll = 1_000
/** Checked side by side. */
const atOnce = 32

type Checked = SendRequest | AppError

interface BatchItem {
  /** `messages[3]`, or `[3]` of a bare list. */
  path: string
  item: unknown
}

/** Throws AppError for what is wrong with the request as a whole. */
export async function acceptBatch(
  app: App,
  workspace: Workspace,
  body: BatchBody,
  { key, evidence }: { key: string | null; evidence: Evidence },
): Promise<Answer<BatchAnswer> & { replayed: boolean }> {
  const items = toItems(body)
  const request = { workspaceId: workspace.id, route: batchRoute, key, body }
  let checked: Checked[] = []
  let isKnown = true
  const prepare = async () => {
    checked = await checkAll(app, workspace, items, key)
    return checked
  }
  try {
    const answer = await idempotentBy(app, request, prepare, (checked, key) => commit(app, items, checked, key))
    if (!answer.replayed) await linkAll(app, workspace.id, { checked, answer: answer.response, evidence })
    return answer
  } catch (error) {
    isKnown = !(error instanceof AppError && error.code === 'outcome_unknown')
    throw error
  } finally {
    if (isKnown) for (const one of checked) if (!(one instanceof AppError)) await forgetAhead(app, one.ahead)
  }
}

function toItems(body: BatchBody): BatchItem[] {
  const [list, within] = Array.isArray(body) ? [body, ''] : [body.messages, 'messages']
  return list.map((item, index) => ({ path: `${within}[${index}]`, item }))
}

async function checkAll(app: App, workspace: Workspace, items: BatchItem[], key: string | null): Promise<Checked[]> {
  const pace = createPace(workspace.id)
  const checked: Checked[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    const some = items.slice(from, from + atOnce)
    checked.push(...(await Promise.all(some.map((item) => checkOne(app, workspace, item, key)))))
    await pace()
  }
  const all = checked.reduce((sum, one) => sum + (one instanceof AppError ? 0 : one.recipients.length), 0)
  if (all <= maxRecipientsInAll) return checked
  const message = `the messages name ${all} recipients; the limit is ${maxRecipientsInAll} in one request`
  throw invalidField('messages', message, 'too_many')
}

async function checkOne(
  app: App,
  workspace: Workspace,
  { path, item }: BatchItem,
  key: string | null,
): Promise<Checked> {
  try {
    const faults = findFaults(sendBody, item, path)
    if (faults.length > 0) return toRefusal(faults)
    const request = await checkRequest(app, workspace, item as SendBody, key)
    // Those of a whole batch would be too much for its transaction.
    return { ...request, ahead: request.attachments.length > 0 ? await storeAhead(app, request) : null }
  } catch (error) {
    if (!(error instanceof AppError) || isUnavailable(error)) throw error
    return withPath(path, error)
  }
}

function withPath(path: string, { code, message, details }: AppError): AppError {
  const errors = details.errors?.map((one) => ({ ...one, path: below(path, one.path) }))
  return new AppError(code, message, { ...details, ...(errors ? { errors } : {}) })
}

async function commit(app: App, items: BatchItem[], checked: Checked[], key: RequestKey | null) {
  const requests = checked.flatMap((one) => (one instanceof AppError ? [] : [one]))
  const answer = (sendResults: SendResult[]): Answer<BatchAnswer> => {
    const byRequest = new Map<Checked, SendResult | undefined>(requests.map((one, index) => [one, sendResults[index]]))
    const results = checked.map((one, index) => {
      const result = one instanceof AppError ? one : byRequest.get(one)
      if (result === undefined) throw new Error('a message of a batch was neither accepted nor refused')
      return one instanceof AppError ? refused(one) : toBatchResult(result, items[index]?.path ?? '')
    })
    return { status: 200, response: { success: true, accepted: results.filter((one) => one.success).length, results } }
  }
  return await acceptTogether(app, { requests, key, answer })
}

function toBatchResult(result: SendResult, path: string): BatchResult {
  if (result instanceof AppError) return refused(withPath(path, result))
  return 'refusal' in result ? refused(withPath(path, result.refusal)) : result.response
}

function refused({ code, message, details }: AppError): BatchResult {
  return { ...details.extra, success: false, code, message, errors: details.errors ?? [] }
}

async function linkAll(
  app: App,
  workspaceId: string,
  { checked, answer, evidence }: { checked: Checked[]; answer: BatchAnswer; evidence: Evidence },
): Promise<void> {
  for (const [index, one] of checked.entries()) {
    const { success, messageId, messages } = answer.results[index] ?? {}
    if (one instanceof AppError || success !== true || messageId === undefined || !wantsContacts(one.body)) continue
    const accepted = { success, messageId, ...(messages ? { messages } : {}) }
    await linkRecipients(app, workspaceId, one.body, { answer: accepted, evidence })
  }
}
