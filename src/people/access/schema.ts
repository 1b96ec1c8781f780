// Wire shapes of workspaces, people and keys, and how a row becomes one.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { refusing } from '../../core/http/unknown-fields.ts'
import { oneOf } from '../../core/http/wire.ts'
import { AppError } from '../../kit/error.ts'
import { isTestWorkspace } from '../../kit/id.ts'
import { mailFontNames } from '../../kit/mail-fonts.ts'
import {
  allowedAttachments,
  allowedAttachmentTypes,
  defaultMaxAttachments,
  mostAttachments,
} from '../attachment-types.ts'
import { mostRadius } from '../brand.ts'
import { linkDomainView } from '../links/schema.ts'
import type { Workspace } from '../workspaces.ts'
import type { ApiKey } from './api-keys.ts'
import type { Caller } from './auth.ts'
import { type GrantKind, grantKinds, isPerson } from './grants.ts'
import { type Role, roleSchema } from './roles.ts'
import { type Scope, scopes } from './scopes.ts'
import { type SessionRow, sessionId } from './sessions.ts'
import type { Membership } from './users.ts'

const dateTime = (description: string) => t.String({ format: 'date-time', description })
const brandText = (description: string) =>
  t.Optional(t.Union([t.String({ maxLength: 500 }), t.Null()], { description }))

export const successBody = t.Object({ success: t.Literal(true), message: t.String() })

export const loginBody = t.Object({
  email: t.String({ maxLength: 254, examples: ['ada@example.com'] }),
  password: t.String({ maxLength: 1024 }),
  code: t.Optional(
    t.String({
      maxLength: 40,
      description: 'Six digits from the authenticator app, or a recovery code, if the account requires one.',
    }),
  ),
})
export const passwordBody = refusing(
  t.Object({
    currentPassword: t.String({ maxLength: 1024, description: 'The current password.' }),
    newPassword: t.String({ maxLength: 1024, description: 'At least 8 characters.' }),
  }),
)

const userView = t.Object({ id: t.String(), email: t.String(), name: t.Union([t.String(), t.Null()]) })
const placeView = t.Object({
  id: t.String(),
  slug: t.String(),
  name: t.String(),
  role: roleSchema,
  test: t.Boolean({
    description: 'Whether it is the test workspace of another workspace: no mail from it is delivered.',
  }),
  operator: t.Boolean({
    description: 'Whether the installation is theirs here: they are an owner of its first workspace.',
  }),
})

export const sessionView = t.Object({
  user: userView,
  workspaceId: t.String({ description: 'The workspace of this request.' }),
  workspaces: t.Array(placeView, { description: 'Choose one with the header X-Workspace-Id.' }),
})
export const loginView = t.Object({
  success: t.Literal(true),
  user: userView,
  workspaces: t.Array(placeView),
})

export const signInList = t.Object({
  data: t.Array(
    t.Object({
      id: t.String(),
      current: t.Boolean({ description: 'Whether this request uses this session.' }),
      signedInBy: t.Union(
        [
          t.Literal('password'),
          t.Literal('passkey'),
          t.Literal('oidc'),
          t.Literal('link'),
          t.Literal('invitation'),
          t.Literal('set_up'),
          t.Null(),
        ],
        { description: 'How the session was started; null if that was not recorded.' },
      ),
      ip: t.Union([t.String(), t.Null()], { description: 'The IP address it was started from.' }),
      userAgent: t.Union([t.String(), t.Null()], { description: 'The browser it was started with.' }),
      createdAt: dateTime('When it began.'),
      lastSeenAt: dateTime('Its last use, to the minute.'),
      expiresAt: dateTime('When it ends at the latest; it also ends after 12 hours without use.'),
    }),
  ),
})

export const apiKeyTestView = t.Object({
  success: t.Literal(true),
  teamName: t.String({ description: 'The name of the workspace.' }),
})

const airlock = t.Boolean({
  description:
    'True: the key of an agent. It opens `/mcp` alone, and what it sends waits for a person once it has read what people outside the workspace wrote. Default: false.',
})

/** Of a key, a token or a connection. */
export const firstReadAt = t.Union([t.String({ format: 'date-time' }), t.Null()], {
  description: 'When its agent first read what people outside the workspace wrote; null: not yet.',
})

export const apiKeyBody = refusing(
  t.Object({
    name: t.Optional(t.String({ maxLength: 100 })),
    scopes: t.Optional(
      t.Array(t.Unsafe<Scope>(t.Union(scopes.map((scope) => t.Literal(scope)))), {
        minItems: 1,
        maxItems: scopes.length,
        description: 'What the key may do. Default: `full`.',
      }),
    ),
    test: t.Optional(
      t.Boolean({
        description:
          'True: a key of the test workspace, `pqk_test_…`: mail sent with it is not delivered. Default: a key of the requesting workspace.',
      }),
    ),
    airlock: t.Optional(airlock),
  }),
)
/** Of what rests on the right of whoever made it. */
export const makerFields = {
  maker: oneOf(
    ['person', 'operator', 'unknown'] as const,
    'Whose permissions it depends on. `operator`: created on the command line. `unknown`: created before this was recorded.',
  ),
  madeBy: t.Union([t.Object({ userId: t.String(), email: t.String() }), t.Null()], {
    description:
      'The id of the person: the key cannot do what they may not do, and it is revoked when they are removed.',
  }),
}

export function toMakerFields({ madeBy, maker: email }: { madeBy: string | null; maker: string | null }) {
  if (isPerson(madeBy)) return { maker: 'person' as const, madeBy: { userId: madeBy, email: email ?? '' } }
  return { maker: madeBy === null ? ('unknown' as const) : ('operator' as const), madeBy: null }
}

const apiKeyView = t.Object({
  id: t.String(),
  name: t.String(),
  prefix: t.String({ description: 'The first characters of the key, to tell keys apart.' }),
  scopes: t.Array(t.String()),
  airlock,
  firstReadAt,
  test: t.Boolean({ description: 'Whether it is a key of the test workspace.' }),
  ...makerFields,
  role: t.Unsafe<Role>({
    ...roleSchema,
    description: 'The role of its creator at that time; the key never allows more.',
  }),
  createdAt: dateTime('When the key was made.'),
  lastUsedAt: t.Union([t.String({ format: 'date-time' }), t.Null()], { description: 'Its last use, to the minute.' }),
})
export const newApiKeyView = t.Composite([
  apiKeyView,
  t.Object({ apiKey: t.String({ description: 'The key itself, shown only once.' }) }),
])
export const apiKeyList = t.Object({ data: t.Array(apiKeyView) })

export const brandBody = t.Object({
  companyName: brandText('Fills company_name.'),
  companyAddress: brandText('Fills company_address; required by law for campaigns.'),
  website: brandText('Fills company_website and workspace.website_url.'),
  supportEmail: brandText('Fills support_email.'),
  senderName: brandText('Fills sender_name.'),
  logoUrl: brandText('The logo of header nodes that have none of their own.'),
  darkLogoUrl: brandText('The logo where the client of the reader is dark.'),
  primaryColor: brandText('The colour of buttons and links, as hex.'),
  backgroundColor: brandText(
    'The colour of the page, as hex: nearly white or very dark, so that the footer can be read.',
  ),
  fontFamily: t.Optional(
    t.Union([oneOf(mailFontNames), t.Null()], {
      description: 'The typeface; those that a reader does not have are replaced by a similar one. Default: `system`.',
    }),
  ),
  borderRadius: t.Optional(
    t.Union([Type.Integer({ minimum: 0, maximum: mostRadius }), t.Null()], {
      description: 'How round the corners of cards, panels and buttons are, in pixels. Default: what suits each.',
    }),
  ),
})
const shownText = t.Optional(t.String())
const brandView = t.Object({
  companyName: shownText,
  companyAddress: shownText,
  website: shownText,
  supportEmail: shownText,
  senderName: shownText,
  logoUrl: shownText,
  darkLogoUrl: shownText,
  primaryColor: shownText,
  backgroundColor: shownText,
  fontFamily: shownText,
  borderRadius: t.Optional(Type.Integer()),
})
export const workspaceBody = refusing(
  t.Object({
    name: t.Optional(t.String({ maxLength: 200 })),
    primaryLocale: t.Optional(t.String({ maxLength: 35, description: 'BCP 47, e.g. pt-BR.' })),
    timeZone: t.Optional(t.String({ maxLength: 64, description: 'IANA name, e.g. Europe/Paris.' })),
    brand: t.Optional(brandBody),
    attachmentTypes: t.Optional(
      t.Union([t.Array(t.String({ maxLength: 160 }), { maxItems: 50 }), t.Null()], {
        description:
          'Content types that may be attached in addition to PDF, PNG, JPEG, text and CSV, without parameters; executable files are never allowed. `null`: none. Only a signed-in owner can change it.',
        examples: [['application/zip', 'text/calendar']],
      }),
    ),
    maxAttachments: t.Optional(
      t.Union([Type.Integer({ minimum: defaultMaxAttachments, maximum: mostAttachments }), t.Null()], {
        description:
          'How many attachments a mail may have, including images with a `contentId`. `null`: 3. Only a signed-in owner can change it.',
      }),
    ),
    linkDomain: t.Optional(
      t.Union([t.String({ maxLength: 253 }), t.Null()], {
        description:
          'The host of the links, pages and pictures in mails of the workspace, once the DNS proves it (`POST /v1/workspace/link-domain/verify`). `null`: that of the installation. One that was proved before goes on answering.',
        examples: ['links.example.com'],
      }),
    ),
  }),
)
export const workspaceView = t.Object({
  id: t.String(),
  slug: t.String({ description: 'Its name on the command line.' }),
  name: t.String(),
  trustLevel: t.String({ description: 'M0 to M4: how many campaign mails may be sent in 24 h.' }),
  primaryLocale: t.String(),
  timeZone: t.String(),
  brand: brandView,
  attachmentTypes: t.Array(t.String(), { description: 'Content types that may be attached.' }),
  maxAttachments: Type.Integer({ description: 'How many attachments a mail may have, including inline images.' }),
  publicUrl: t.String({
    description:
      'Where its public pages are (forms, archives, what mails lead to): the link domain while it is in use, else the installation.',
  }),
  linkDomain: t.Union([linkDomainView, t.Null()], {
    description: 'Where the links in its mails are, and what to publish for it; null: at the host of the installation.',
  }),
  createdAt: dateTime('When it was created.'),
  updatedAt: dateTime('When it last changed.'),
})

export const memberList = t.Object({
  data: t.Array(
    t.Object({
      userId: t.String(),
      email: t.String(),
      name: t.Union([t.String(), t.Null()]),
      role: roleSchema,
      isEmailProven: t.Boolean({ description: 'Whether the address is verified.' }),
      createdAt: dateTime('When they joined.'),
    }),
  ),
})

const grant = t.Object({
  kind: t.Unsafe<GrantKind>(t.Union(grantKinds.map((kind) => t.Literal(kind)))),
  id: t.String({ description: 'For a provider hook: the provider.' }),
  name: t.String({ description: 'For an invitation: the address; for a webhook endpoint: the URL.' }),
})
export const grantList = t.Object({ data: t.Array(grant) })
export const settledBody = t.Composite([
  successBody,
  t.Object({
    revoked: t.Array(grant, { description: 'The access that this person had created, which was revoked.' }),
    kept: t.Array(grant, {
      description: 'The same with `keep`: it was kept, and depends on the permissions of the caller from now on.',
    }),
  }),
])

export function toApiKeyView(row: ApiKey) {
  const { id, name, prefix, scopes, airlock, role, createdAt, lastUsedAt } = row
  const test = isTestWorkspace(row.workspaceId)
  const used = lastUsedAt?.toISOString() ?? null
  const firstReadAt = row.firstReadAt?.toISOString() ?? null
  const at = { createdAt: createdAt.toISOString(), firstReadAt, lastUsedAt: used }
  return { id, name, prefix, scopes, airlock, test, ...toMakerFields(row), role, ...at }
}

export function toWorkspaceView(row: Workspace) {
  const { id, slug, name, trustLevel, primaryLocale, timeZone, brand, createdAt, updatedAt } = row
  return {
    id,
    slug,
    name,
    trustLevel,
    primaryLocale,
    timeZone,
    brand: { ...brand },
    attachmentTypes: allowedAttachmentTypes(row),
    maxAttachments: allowedAttachments(row),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function toPlaceViews(places: Membership[]) {
  return places.map(({ workspace: { id, slug, name }, role, operator }) => ({
    id,
    slug,
    name,
    role,
    test: isTestWorkspace(id),
    operator,
  }))
}

/** The session of a caller whose route accepts nothing else. */
export function signedIn({ credential }: Caller) {
  if (credential.kind !== 'session') throw new AppError('unauthorized', 'This requires a signed-in person.')
  return credential
}

/** The person behind a session. */
export function toUserView(caller: Caller) {
  const { userId, email, name } = signedIn(caller)
  return { id: userId, email, name }
}

export function toSignInView(row: SessionRow, currentHash: string) {
  const { tokenHash, signedInBy, ip, userAgent, createdAt, lastSeenAt, expiresAt } = row
  return {
    id: sessionId(tokenHash),
    current: tokenHash === currentHash,
    signedInBy,
    ip,
    userAgent,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}
