// What the package exports.

export { createPaquebot, type Paquebot } from './client.ts'
export { ConnectionError, type Issue, PaquebotError, type Problem } from './errors.ts'
export type { components, operations, paths, webhooks } from './generated/schema.ts'
export { type Page, Pages } from './pages.ts'
export type { Answer, Body, Query } from './shapes.ts'
export type { CallOptions, TransportOptions } from './transport.ts'
export { type VerifyOptions, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhook.ts'
