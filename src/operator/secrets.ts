// Every value that is stored sealed with SECRET_KEY, so that all of them can be resealed when it changes. Temporary sealed values (cursors,
// links in mail) are not stored, and open with the former secret as long as that is kept.

import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { providerHooks } from '../../db/tables/campaigns.ts'
import { messages, sendingDomains } from '../../db/tables/messages.ts'
import { workspaceMoves } from '../../db/tables/moves.ts'
import { paymentIntegrations } from '../../db/tables/payments.ts'
import { relays } from '../../db/tables/relays.ts'
import { webhookSecrets } from '../../db/tables/webhooks.ts'
import { installation, secondFactors } from '../../db/tables/workspaces.ts'
import { type App, write } from '../core/app.ts'
import { relayContext } from '../core/relays.ts'
import { sealContext as checkContext, checkName } from '../core/secret-check.ts'
import { sealContext as paymentsContext } from '../features/events/payments/settings.ts'
import { confirmContext } from '../features/sending/compose.ts'
import { sealContext as dkimContext } from '../features/sending/domains/keys.ts'
import { sealContext as hookContext } from '../features/sending/feedback/provider-hooks.ts'
import { sealContext as webhookContext } from '../features/webhooks/secrets.ts'
import { createPace } from '../kit/turn.ts'
import { linkContext } from '../people/moves.ts'
import { sealContext as secondFactorContext } from '../people/sign-in/second-factor.ts'

interface Sealed {
  what: string
  /** One value, where it is stored, and what it is sealed for. */
  find(app: App): Promise<{ sealed: string; context: string; at: SQL | undefined }[]>
  table: SQLiteTable
  set(sealed: string): Record<string, unknown>
}

const token = sql<string>`variables ->> '$.confirm_token_sealed'`

const dkimKeys = (kind: 'rsa' | 'ed25519'): Sealed => {
  const [name, column] =
    kind === 'rsa'
      ? (['rsaKeySealed', sendingDomains.rsaKeySealed] as const)
      : (['ed25519KeySealed', sendingDomains.ed25519KeySealed] as const)
  return {
    what: `DKIM keys (${kind})`,
    table: sendingDomains,
    set: (sealed) => ({ [name]: sealed }),
    find: async ({ db }) =>
      (await db.select().from(sendingDomains)).map(({ workspaceId, domain, id, [name]: sealed }) => {
        const at = and(eq(sendingDomains.id, id), eq(column, sealed))
        return { sealed, context: dkimContext(workspaceId, domain, kind), at }
      }),
  }
}

const sealedValues: Sealed[] = [
  {
    what: 'check of the secret',
    table: installation,
    set: (value) => ({ value }),
    find: async ({ db }) =>
      (await db.select().from(installation).where(eq(installation.name, checkName))).map(({ value: sealed }) => {
        const at = and(eq(installation.name, checkName), eq(installation.value, sealed))
        return { sealed, context: checkContext, at }
      }),
  },
  {
    what: 'second factors',
    table: secondFactors,
    set: (secretSealed) => ({ secretSealed }),
    find: async ({ db }) =>
      (await db.select().from(secondFactors)).map(({ userId, secretSealed: sealed }) => {
        const at = and(eq(secondFactors.userId, userId), eq(secondFactors.secretSealed, sealed))
        return { sealed, context: secondFactorContext(userId), at }
      }),
  },
  dkimKeys('rsa'),
  dkimKeys('ed25519'),
  {
    what: 'URLs of relays',
    table: relays,
    set: (urlSealed) => ({ urlSealed }),
    find: async ({ db }) =>
      (await db.select().from(relays)).map(({ id, urlSealed: sealed }) => {
        return { sealed, context: relayContext(id), at: and(eq(relays.id, id), eq(relays.urlSealed, sealed)) }
      }),
  },
  {
    what: 'signing secrets of webhooks',
    table: webhookSecrets,
    set: (secretSealed) => ({ secretSealed }),
    find: async ({ db }) =>
      (await db.select().from(webhookSecrets)).map(({ endpointId, secretSealed: sealed }) => {
        const at = and(eq(webhookSecrets.endpointId, endpointId), eq(webhookSecrets.secretSealed, sealed))
        return { sealed, context: webhookContext(endpointId), at }
      }),
  },
  {
    what: 'signing secrets of payments',
    table: paymentIntegrations,
    set: (signingSecretSealed) => ({ signingSecretSealed }),
    find: async ({ db }) =>
      (await db.select().from(paymentIntegrations)).flatMap(({ id, signingSecretSealed: sealed }) => {
        if (sealed === null) return []
        const at = and(eq(paymentIntegrations.id, id), eq(paymentIntegrations.signingSecretSealed, sealed))
        return { sealed, context: paymentsContext(id), at }
      }),
  },
  {
    what: 'keys of providers that report bounces',
    table: providerHooks,
    set: (verifyWith) => ({ verifyWith }),
    find: async ({ db }) =>
      (await db.select().from(providerHooks)).flatMap(({ workspaceId, provider, verifyWith: sealed }) => {
        if (sealed === null) return []
        const at = and(eq(providerHooks.workspaceId, workspaceId), eq(providerHooks.verifyWith, sealed))
        return { sealed, context: hookContext(workspaceId, provider), at }
      }),
  },
  {
    what: 'secrets of links of workspaces that moved',
    table: workspaceMoves,
    set: (linkSecretSealed) => ({ linkSecretSealed }),
    find: async ({ db }) =>
      (await db.select().from(workspaceMoves)).flatMap(({ workspaceId, linkSecretSealed: sealed }) => {
        if (sealed === null) return []
        const at = and(eq(workspaceMoves.workspaceId, workspaceId), eq(workspaceMoves.linkSecretSealed, sealed))
        return { sealed, context: linkContext(workspaceId), at }
      }),
  },
  {
    what: 'links of confirmation mails',
    table: messages,
    set: (sealed) => ({ variables: sql`json_set(variables, '$.confirm_token_sealed', ${sealed})` }),
    find: async ({ db }) => {
      const isConfirmation = and(eq(messages.kind, 'confirmation'), isNotNull(token))
      const rows = await db.select({ id: messages.id, sealed: token }).from(messages).where(isConfirmation)
      return rows.map(({ id, sealed }) => ({
        sealed,
        context: confirmContext(id),
        at: and(eq(messages.id, id), eq(token, sealed)),
      }))
    },
  },
]

/** How many values share a transaction. */
const atOnce = 500

export interface Resealed {
  what: string
  /** How many are stored, and how many of them were sealed with a former secret. */
  stored: number
  resealed: number
}

/**
 * Reseals every stored value with the current secret. May run next to a server that knows the former one too; a second run changes nothing.
 */
export async function resealAll(app: App): Promise<Resealed[]> {
  const done: Resealed[] = []
  for (const { what, table, set, find } of sealedValues) {
    const values = await find(app)
    const anew: { fresh: string; at: SQL | undefined }[] = []
    for (const { sealed, context, at } of values) {
      const fresh = await app.sealer.reseal(sealed, context).catch((cause) => {
        throw new Error(`${what}: a value cannot be opened; is SECRET_KEY_PREVIOUS the former secret?`, { cause })
      })
      if (fresh !== null) anew.push({ fresh, at })
    }
    for (let start = 0; start < anew.length; start += atOnce) {
      await write(app, async (tx) => {
        for (const { fresh, at } of anew.slice(start, start + atOnce))
          await tx.db.update(table).set(set(fresh)).where(at)
      })
    }
    done.push({ what, stored: values.length, resealed: anew.length })
  }
  return done
}

/** How many stored values are not sealed with the current secret: with a former one, and with an unknown one. */
export async function countOtherwiseSealed(app: App): Promise<{ former: number; unknown: number }> {
  const counts = { present: 0, former: 0, unknown: 0 }
  const pace = createPace()
  for (const { find } of sealedValues) {
    for (const { sealed, context } of await find(app)) {
      counts[app.sealer.sealedWith(sealed, context)]++
      await pace()
    }
  }
  return counts
}
