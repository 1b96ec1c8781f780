// What a tool can ask during its call: a person (elicitation) or the client's own model (sampling). Clients of 2026-07-28 call again with
// the answer; for older ones the package asks over their stream and runs the tool again.

import {
  type ClientCapabilities,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** The key of the one question that a call may ask at a time. */
const key = 'answer'

export type Answer = ReturnType<typeof inputResponse>

export interface Exchange {
  /** Whether the client can show a form to a person. */
  canAskPerson: boolean
  /** Whether the client offers its model. */
  canAskModel: boolean
  answer: Answer
  /** The state that went out with the question. The client holds it meanwhile, so it must be sealed where that matters. */
  state: string | undefined
}

export interface Question {
  question: InputRequiredResult
}

export function isQuestion(result: object): result is Question {
  return 'question' in result
}

export function exchangeOf(server: Server, { mcpReq }: ServerContext): Exchange {
  const can: ClientCapabilities = server.getClientCapabilities() ?? {}
  return {
    canAskPerson: can.elicitation !== undefined && (can.elicitation.form !== undefined || !can.elicitation.url),
    canAskModel: can.sampling !== undefined,
    answer: inputResponse(mcpReq.inputResponses, key),
    state: mcpReq.requestState<string>(),
  }
}

/** Asks a person to confirm. */
export function askPerson(message: string, state: string): Question {
  const confirm = { type: 'boolean' as const, title: 'Go ahead', default: false }
  const request = inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { confirm }, required: ['confirm'] },
  })
  return ask(request, state)
}

/** The answer to askPerson(). */
export function saidYes(answer: Answer): boolean {
  return answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true
}

/** Asks the client's model for a text of at most `maxTokens`. */
export function askModel(systemPrompt: string, text: string, maxTokens: number): Question {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }]
  return ask(inputRequired.createMessage({ systemPrompt, messages, maxTokens }))
}

/** The answer to askModel(): all its text. */
export function writtenText(answer: Answer): string {
  if (answer.kind !== 'sampling') return ''
  return [answer.result.content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
}

function ask(request: InputRequest, state?: string): Question {
  const requestState = state === undefined ? {} : { requestState: state }
  return { question: inputRequired({ inputRequests: { [key]: request }, ...requestState }) }
}
