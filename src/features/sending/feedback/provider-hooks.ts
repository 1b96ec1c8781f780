// Where a provider reports to: an address with a secret in it, one per workspace and provider. A wrong secret, a wrong signature and a
// message of somebody else all change nothing and are answered alike, so that nobody learns which it was.

import { and, eq, lte, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { providerHooks, providerTokens } from '../../../../db/tables/campaigns.ts'
import { messages } from '../../../../db/tables/messages.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { maxCallbackBytes, readBody } from '../../../core/http/body.ts'
import { extension } from '../../../core/http/operation.ts'
import { callback } from '../../../core/http/surface.ts'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { oneOf } from '../../../core/http/wire.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { invalidField } from '../../../kit/error.ts'
import { isSigningSecret } from '../../../kit/signature.ts'
import { newSecretToken } from '../../../kit/token.ts'
import { auth, type Caller, toGrantor } from '../../../people/access/auth.ts'
import { applyFeedback, type FeedbackHandler, leaveByMessage } from './bounces.ts'
import { type ProviderReport, readProviderReport } from './provider-events.ts'
import type { ProviderEvent } from './provider-fields.ts'
import { type Provider, providers, type SignedToken, topicPattern, unsigned } from './provider-signatures.ts'

const topicArnView = t.Union([t.String(), t.Null()], { description: 'SES: the only topic that counts.' })

const hookView = t.Object({
  provider: t.String(),
  url: t.String({ description: 'To enter at the provider. It is shown only once.' }),
  topicArn: topicArnView,
  createdAt: t.String({ format: 'date-time' }),
})

const listedHook = t.Object({
  provider: t.String(),
  topicArn: topicArnView,
  confirmUrl: t.Union([t.String(), t.Null()], {
    description: 'SES: open it to confirm the SNS subscription. Null if there is none to confirm.',
  }),
  createdAt: t.String({ format: 'date-time' }),
})

const hookBody = t.Object({
  provider: oneOf(providers),
  verifyWith: t.Optional(
    t.String({
      maxLength: 10_000,
      description:
        'The key that verifies the reports. Mailgun: the webhook signing key. SendGrid: the public key. SES: the PEM certificate of SNS. Resend: its signing secret `whsec_…`. generic: a secret of your own, `whsec_` and 24 to 64 bytes in base64. Postmark, Brevo, Mailjet, SparkPost: none, the URL itself is the secret.',
    }),
  ),
  topicArn: t.Optional(
    t.String({
      pattern: topicPattern,
      description: 'SES: the ARN of the SNS topic. Notifications from other topics are ignored.',
    }),
  ),
})

export function providerHookRoutes(app: App, handle: FeedbackHandler) {
  return new Elysia()
    .use(auth)
    .get('/v1/provider-hooks', async ({ workspace }) => ({ data: await listHooks(app, workspace.id) }), {
      session: true,
      response: t.Object({ data: t.Array(listedHook) }),
      detail: extension(
        'listProviderHooks',
        'List the mail providers that report here, and SNS subscriptions to confirm',
        'The URL that each one posts to is not shown again: create a new one if it is lost.',
      ),
    })
    .put('/v1/provider-hooks', ({ body, caller }) => setHook(app, caller, checkedHook(body)), {
      session: true,
      body: refusing(hookBody),
      response: hookView,
      detail: extension(
        'setProviderHook',
        'Create the URL that a mail provider reports bounces to',
        'For a mail provider that reports bounces and complaints by HTTP. The URL contains a secret and is shown only once; the previous one stops working.',
      ),
    })
    .post(
      '/hooks/:provider/:token',
      async ({ params, request }) => {
        const body = Buffer.from(await readBody(request, maxCallbackBytes)).toString('utf8')
        await takeReport(app, params, { body, headers: request.headers, handle })
        return { received: true }
      },
      { parse: 'none', detail: { hide: true, ...callback } },
    )
}

interface HookSettings {
  provider: Provider
  verifyWith: string | null
  topicArn: string | null
}

/** Throws validation_failed. */
function checkedHook({ provider, verifyWith, topicArn }: typeof hookBody.static): HookSettings {
  if (!unsigned.includes(provider) && !verifyWith)
    throw invalidField('verifyWith', `is needed for ${provider}: what its signatures are checked with`, 'required')
  if ((provider === 'resend' || provider === 'generic') && !isSigningSecret(verifyWith ?? ''))
    throw invalidField('verifyWith', 'must be a secret whsec_ and 24 to 64 bytes in base64', 'invalid')
  if (provider === 'ses' && topicArn === undefined)
    throw invalidField('topicArn', 'is needed for ses: SNS signs the topics of all accounts with one key', 'required')
  if (provider !== 'ses' && topicArn !== undefined) throw invalidField('topicArn', 'is for ses only')
  return { provider, verifyWith: verifyWith ?? null, topicArn: topicArn ?? null }
}

/** What the key that checks a provider's reports is sealed for. */
export const sealContext = (workspaceId: string, provider: Provider) => `provider hook ${workspaceId} ${provider}`

async function setHook(app: App, { workspace, credential }: Caller, { provider, verifyWith, topicArn }: HookSettings) {
  const workspaceId = workspace.id
  const madeBy = toGrantor(credential).userId
  const token = newSecretToken(app)
  const sealed = verifyWith === null ? null : await app.sealer.seal(verifyWith, sealContext(workspaceId, provider))
  return await write(app, async (tx) => {
    const row = {
      tokenHash: sha256Hex(token),
      verifyWith: sealed,
      topicArn,
      confirmUrl: null,
      madeBy,
      createdAt: tx.now,
    }
    await tx.db
      .insert(providerHooks)
      .values({ workspaceId, provider, ...row })
      .onConflictDoUpdate({ target: [providerHooks.workspaceId, providerHooks.provider], set: row })
    const url = `${app.config.baseUrl}/hooks/${provider}/${token}`
    return { provider, url, topicArn, createdAt: tx.now.toISOString() }
  })
}

async function listHooks(reader: Reader, workspaceId: string) {
  const rows = await reader.db.select().from(providerHooks).where(eq(providerHooks.workspaceId, workspaceId))
  return rows.map(({ provider, topicArn, confirmUrl, createdAt }) => {
    return { provider, topicArn, confirmUrl, createdAt: createdAt.toISOString() }
  })
}

type Hook = typeof providerHooks.$inferSelect

async function findHook(reader: Reader, { provider, token }: { provider: string; token: string }) {
  const named = and(eq(providerHooks.tokenHash, sha256Hex(token)), eq(providerHooks.provider, provider as Provider))
  const [row] = await reader.db.select().from(providerHooks).where(named)
  return row ?? null
}

async function takeReport(
  app: App,
  params: { provider: string; token: string },
  { body, headers, handle }: { body: string; headers: Headers; handle: FeedbackHandler },
): Promise<void> {
  const hook = await findHook(app, params)
  if (!hook) return
  const { workspaceId, provider, topicArn } = hook
  const verifyWith = hook.verifyWith && (await app.sealer.open(hook.verifyWith, sealContext(workspaceId, provider)))
  const report = await readProviderReport(app, provider, { body, headers, verifyWith, topicArn, now: app.clock.now() })
  if (report === null) return
  if (report.confirmUrl !== hook.confirmUrl) await write(app, (tx) => keepConfirmUrl(tx, hook, report.confirmUrl))
  await actOn(app, hook, report, handle)
}

/** The first notification says that the subscription is confirmed. */
async function keepConfirmUrl(tx: Tx, { workspaceId, provider, tokenHash }: Hook, confirmUrl: string | null) {
  const one = and(eq(providerHooks.workspaceId, workspaceId), eq(providerHooks.provider, provider))
  await tx.db
    .update(providerHooks)
    .set({ confirmUrl })
    .where(and(one, eq(providerHooks.tokenHash, tokenHash)))
}

async function actOn(
  app: App,
  { workspaceId }: Hook,
  { events, token }: ProviderReport,
  handle: FeedbackHandler,
): Promise<void> {
  const act = async (tx: Tx, { messageId, feedback }: ProviderEvent) => {
    if (feedback.kind !== 'unsubscribe') await applyFeedback(tx, { messageId, workspaceId }, feedback, handle)
  }
  if (token?.coversReport === false) {
    await write(app, async (tx) => {
      if (!(await takeToken(tx, workspaceId, token))) return
      for (const event of events) await act(tx, event)
    })
    return
  }
  if (token !== null && (await isTaken(app, workspaceId, token))) return
  let isOurs = false
  for (let start = 0; start < events.length; start += eventsAtOnce)
    for (const event of await ofWorkspace(app, workspaceId, events.slice(start, start + eventsAtOnce))) {
      isOurs = true
      if (event.feedback.kind === 'unsubscribe') await leaveByMessage(app, event.messageId, 'provider')
      else await write(app, (tx) => act(tx, event))
    }
  // At the end, so that one that was cut off half way goes on when it comes again.
  if (token !== null && isOurs) await write(app, (tx) => takeToken(tx, workspaceId, token))
}

const eventsAtOnce = 500

/** Those about messages of the workspace: what is about others costs no transaction. */
async function ofWorkspace(reader: Reader, workspaceId: string, events: ProviderEvent[]): Promise<ProviderEvent[]> {
  const ids = JSON.stringify(events.map(({ messageId }) => messageId))
  const rows = await reader.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.workspaceId, workspaceId), sql`id IN (SELECT value FROM json_each(${ids}))`))
  const known = new Set(rows.map(({ id }) => id))
  return events.filter(({ messageId }) => known.has(messageId))
}

async function isTaken(reader: Reader, workspaceId: string, { text }: SignedToken): Promise<boolean> {
  const one = and(eq(providerTokens.workspaceId, workspaceId), eq(providerTokens.tokenHash, sha256Hex(text)))
  return (
    (await reader.db.select({ workspaceId: providerTokens.workspaceId }).from(providerTokens).where(one)).length > 0
  )
}

/** False when it was processed before. */
async function takeToken(tx: Tx, workspaceId: string, { text, expiresAt }: SignedToken): Promise<boolean> {
  const row = { workspaceId, tokenHash: sha256Hex(text), expiresAt }
  const { tokenHash } = providerTokens
  return (await tx.db.insert(providerTokens).values(row).onConflictDoNothing().returning({ tokenHash })).length > 0
}

const retentionBatch = 200

/** Signatures that are too old to count. */
export async function deleteOldTokens(tx: Tx): Promise<number> {
  const old = tx.db
    .select({ key: sql`workspace_id, token_hash` })
    .from(providerTokens)
    .where(lte(providerTokens.expiresAt, tx.now))
    .limit(retentionBatch)
  const gone = await tx.db
    .delete(providerTokens)
    .where(sql`(workspace_id, token_hash) IN ${old}`)
    .returning({ tokenHash: providerTokens.tokenHash })
  return gone.length
}
