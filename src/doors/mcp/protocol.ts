// The MCP methods of one surface for one caller. The package implements all versions of the protocol; the transport is in transport.ts.

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { App } from '../../core/app.ts'
import { version } from '../../kit/version.ts'
import { noteRead } from './airlock.ts'
import type { CallTool } from './call.ts'
import { inputSchemaOf, outputSchemaOf } from './common-schema.ts'
import { exchangeOf } from './exchange.ts'
import { type Caller, type Prompt, type Report, requireRight, type Surface } from './surface.ts'

/** The caller, and the request. */
export interface CallerRequest<C> {
  caller: C
  requestId: string
}

interface Conversation<C> {
  /** Looked up for each call, because a session may outlive what was known when it opened. */
  asked(): CallerRequest<C>
  call: CallTool<C>
}

/** Creates the server of one request or one session. */
export function mcpServer<C extends Caller>(app: App, surface: Surface<C>, { asked, call }: Conversation<C>): Server {
  const { title, instructions, tools, resources, reports, prompts } = surface
  const identity = { name: 'paquebot', title, version, websiteUrl: app.config.baseUrl }
  const server = new Server(identity, { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, title, description, input, output, hints }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchemaOf(input), type: 'object' as const },
      outputSchema: { ...outputSchemaOf(output), type: 'object' as const },
      annotations: { title, ...hints },
    })),
  }))
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw unknown('tool', params.name)
    const { caller, requestId } = asked()
    return call(caller, { requestId, tool, input: params.arguments ?? {}, exchange: exchangeOf(server, context) })
  })
  server.setRequestHandler('resources/list', () => ({
    resources: resources.map(({ text: _, ...resource }) => resource),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: reports.map(({ prefix, scope: _scope, text: _, ...report }) => ({
      ...report,
      uriTemplate: `${prefix}{id}`,
    })),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const resource = resources.find((one) => one.uri === uri)
    if (resource) return { contents: [{ uri, mimeType: resource.mimeType, text: resource.text() }] }
    const report = reports.find(({ prefix }) => uri.startsWith(prefix))
    const { caller } = asked()
    if (report) {
      refuseWithoutScope(surface, caller, report)
      await noteRead(app, caller)
    }
    const text = await report?.text(app, caller, uri.slice(report.prefix.length))
    if (!report || text === undefined) throw unknown('resource', uri)
    return { contents: [{ uri, mimeType: report.mimeType, text }] }
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(({ text: _, ...prompt }) => prompt) }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name)
    if (!prompt) throw unknown('prompt', params.name)
    const text = prompt.text(argumentsOf(prompt, params.arguments ?? {}))
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  return server
}

function refuseWithoutScope<C extends Caller>(surface: Surface<C>, caller: C, { scope }: Report<C>): void {
  try {
    requireRight(surface, caller, { scope, least: 'viewer' })
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, error instanceof Error ? error.message : String(error))
  }
}

function argumentsOf(prompt: Prompt, given: Record<string, string>): Record<string, string> {
  const missing = prompt.arguments.find(({ name, required }) => required && given[name] === undefined)
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `the prompt needs ${missing.name}`)
  return given
}

function unknown(what: string, name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no ${what} ${JSON.stringify(name.slice(0, 100))}`)
}
