// Where a provider reports to: an address with a secret in it, one per workspace and provider. A wrong secret, a wrong signature and a
// message of somebody else all change nothing and are answered alike, so that nobody learns which it was.

import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { providerHooks } from '../../db/tables/campaigns.ts'
import { type App, type Reader, write } from '../app.ts'
import { readBody } from '../http/body.ts'
import { refusing } from '../http/unknown-fields.ts'
import { sha256Hex } from '../lib/digest.ts'
import { invalidField } from '../lib/error.ts'
import { newSecretToken } from '../lib/token.ts'
import { auth } from '../workspaces/auth.ts'
import { applyFate } from './bounces.ts'
import { type Provider, providers, readProviderEvents } from './provider-events.ts'

const maxBodyBytes = 1024 * 1024
/** Events of one request that are acted on. */
const maxEvents = 2_000

const hookView = t.Object({
  provider: t.String(),
  url: t.String({ description: 'To enter at the provider. It is shown this once.' }),
  createdAt: t.String({ format: 'date-time' }),
})

export function providerHookRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .put(
      '/v1/provider-hooks',
      async ({ workspace, body }) => {
        const provider = checkedProvider(body.provider)
        if (provider !== 'postmark' && !body.verifyWith)
          throw invalidField(
            'verifyWith',
            `is needed for ${provider}: what its signatures are checked with`,
            'required',
          )
        return await setHook(app, workspace.id, provider, body.verifyWith ?? null)
      },
      {
        session: true,
        body: refusing(
          t.Object({
            provider: t.String({ enum: [...providers] }),
            verifyWith: t.Optional(
              t.String({
                maxLength: 10_000,
                description:
                  'Mailgun: the webhook signing key. SendGrid: the public key. SES: the PEM certificate of SNS. Postmark: nothing.',
              }),
            ),
          }),
        ),
        response: hookView,
        detail: {
          operationId: 'setProviderHook',
          summary: 'Make the address that a provider reports bounces to',
          tags: ['Extensions'],
        },
      },
    )
    .post(
      '/hooks/:provider/:token',
      async ({ params, request }) => {
        const body = Buffer.from(await readBody(request, maxBodyBytes)).toString('utf8')
        await takeReport(app, params, { body, headers: request.headers })
        return { received: true }
      },
      { parse: 'none', detail: { hide: true } },
    )
}

function checkedProvider(name: string): Provider {
  const provider = providers.find((one) => one === name)
  if (!provider) throw invalidField('provider', `must be one of ${providers.join(', ')}`)
  return provider
}

/** What the key that checks a provider's reports is sealed for. */
export const sealContext = (workspaceId: string, provider: Provider) => `provider hook ${workspaceId} ${provider}`

async function setHook(app: App, workspaceId: string, provider: Provider, verifyWith: string | null) {
  const token = newSecretToken(app)
  const sealed = verifyWith === null ? null : await app.sealer.seal(verifyWith, sealContext(workspaceId, provider))
  return await write(app, async (tx) => {
    const row = { tokenHash: sha256Hex(token), verifyWith: sealed, createdAt: tx.now }
    await tx.db
      .insert(providerHooks)
      .values({ workspaceId, provider, ...row })
      .onConflictDoUpdate({ target: [providerHooks.workspaceId, providerHooks.provider], set: row })
    return { provider, url: `${app.config.baseUrl}/hooks/${provider}/${token}`, createdAt: tx.now.toISOString() }
  })
}

async function findHook(reader: Reader, { provider, token }: { provider: string; token: string }) {
  const named = and(eq(providerHooks.tokenHash, sha256Hex(token)), eq(providerHooks.provider, provider as Provider))
  const [row] = await reader.db.select().from(providerHooks).where(named)
  return row ?? null
}

async function takeReport(
  app: App,
  params: { provider: string; token: string },
  { body, headers }: { body: string; headers: Headers },
): Promise<void> {
  const hook = await findHook(app, params)
  if (!hook) return
  const { workspaceId, provider } = hook
  const verifyWith = hook.verifyWith && (await app.sealer.open(hook.verifyWith, sealContext(workspaceId, provider)))
  const events = readProviderEvents(provider, { body, headers, verifyWith, now: app.clock.now() })
  for (const { messageId, fate } of (events ?? []).slice(0, maxEvents))
    await write(app, (tx) => applyFate(tx, { messageId, workspaceId }, fate))
}
