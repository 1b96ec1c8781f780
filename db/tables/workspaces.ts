// Workspaces, their members, and the credentials that open them. Secrets are stored only as SHA-256.

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { MailFont } from '../../src/kit/mail-fonts.ts'
import { at, createdAt, flag, json, madeBy, updatedAt, workspaceId } from './columns.ts'

/** Fills `company_name` and similar variables, and styles mail where a template does not. */
export interface Brand {
  companyName?: string
  companyAddress?: string
  website?: string
  supportEmail?: string
  senderName?: string
  logoUrl?: string
  darkLogoUrl?: string
  primaryColor?: string
  backgroundColor?: string
  fontFamily?: MailFont
  borderRadius?: number
}

export type TrustLevel = 'M0' | 'M1' | 'M2' | 'M3' | 'M4'

/** What a plan allows; null: as many as there are. */
export interface Limits {
  /** Of all kinds that are accepted, by days and months of UTC. */
  mailsPerDay: number | null
  mailsPerMonth: number | null
  mailsPerSecond: number | null
  contacts: number | null
}

export const limitNames = ['mailsPerDay', 'mailsPerMonth', 'mailsPerSecond', 'contacts'] as const
export type LimitName = (typeof limitNames)[number]

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull().unique(),
    name: text('name').notNull(),
    trustLevel: text('trust_level').$type<TrustLevel>().notNull(),
    primaryLocale: text('primary_locale').notNull().default('en'),
    timeZone: text('time_zone').notNull().default('UTC'),
    brand: json<Brand>('brand').notNull(),
    /** What may be attached beside what everybody may; null: nothing more (people/attachment-types.ts). */
    attachmentTypes: json<string[]>('attachment_types'),
    /** How many files a mail may have, where an owner allows more than everybody may. */
    maxAttachments: integer('max_attachments'),
    /** Null: none were ever given, and its mails are not counted by day. */
    limits: json<Limits>('limits'),
    /** The host of the links in its mails, while it is proved and leads here; null: that of BASE_URL (src/people/links/). */
    linkHost: text('link_host'),
    /** Since when it is suspended, and why, in the words of whoever did it. */
    suspendedAt: at('suspended_at'),
    suspendedReason: text('suspended_reason'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('workspaces_suspended').on(table.id).where(sql`suspended_at IS NOT NULL`)],
)

/** Of a workspace with limits: what it accepted on a day (UTC), counted in the transaction that accepts. */
export const workspaceDays = sqliteTable(
  'workspace_days',
  {
    workspaceId: workspaceId(),
    day: at('day').notNull(),
    mails: integer('mails').notNull(),
    /** Until when its rate is used up, in ms: no mail is accepted that would begin later than a second from now. */
    pacedUntil: integer('paced_until').notNull().default(0),
    /** What came in on it, counted by triggers (0074): events that were recorded, contacts that were made, and bytes of pictures that were
     * uploaded and of mails that were received. */
    events: integer('events').notNull().default(0),
    contactsMade: integer('contacts_made').notNull().default(0),
    mediaBytes: integer('media_bytes').notNull().default(0),
    receivedBytes: integer('received_bytes').notNull().default(0),
    /** Of the mails that a server took, as they were handed over. */
    sentBytes: integer('sent_bytes').notNull().default(0),
    /** The limits that were met on it: each is told once. */
    met: json<LimitName[]>('met').notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.day] })],
)

export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  email: text('email').notNull().unique(),
  name: text('name'),
  passwordHash: text('password_hash'),
  /** When this person proved that mail to the address reaches them; null = not proved. */
  emailProvenAt: at('email_proven_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const members = sqliteTable(
  'members',
  {
    workspaceId: workspaceId(),
    userId: text('user_id').notNull(),
    role: text('role').$type<'owner' | 'member' | 'viewer'>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index('members_user').on(table.userId)],
)

export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id').notNull(),
    createdAt: createdAt(),
    lastSeenAt: at('last_seen_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** How, from where and with what its owner signed in, for them to know it again. */
    signedInBy: text('signed_in_by').$type<'password' | 'passkey' | 'oidc' | 'link' | 'invitation' | 'set_up'>(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    /** When a passkey of its owner was removed in it: it confirms nothing in their place. */
    passkeyRemovedAt: at('passkey_removed_at'),
  },
  (table) => [index('sessions_user').on(table.userId)],
)

/**
 * An invitation to a workspace: one person, one link. The mailed link differs from the one shown on the page, because using it proves the
 * address.
 */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    email: text('email').notNull(),
    role: text('role').$type<'owner' | 'member' | 'viewer'>().notNull(),
    shownHash: text('shown_hash').notNull().unique(),
    mailedHash: text('mailed_hash').unique(),
    /** The id of a person, or `operator`. */
    invitedBy: text('invited_by').notNull(),
    createdAt: createdAt(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [uniqueIndex('invitations_address').on(table.workspaceId, table.email)],
)

/** A second factor beside the password: an authenticator app (RFC 6238). Required at sign-in once it is confirmed. */
export const secondFactors = sqliteTable('second_factors', {
  userId: text('user_id').primaryKey(),
  secretSealed: text('secret_sealed').notNull(),
  createdAt: createdAt(),
  confirmedAt: at('confirmed_at'),
  /** The last time step whose code was used: each code works once. */
  lastStep: integer('last_step').notNull().default(0),
})

/** Recovery codes, each usable once in place of the app. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { userId: text('user_id').notNull(), codeHash: text('code_hash').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** Keys that devices of a person hold, to sign in without a password (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull().unique(),
    publicKey: json<JsonWebKey>('public_key').notNull(),
    /** What the authenticator counted at its last use; many never count. */
    counter: integer('counter').notNull(),
    /** Whether the key may leave the device that made it: this never changes. */
    isBackupEligible: flag('is_backup_eligible').notNull(),
    isBackedUp: flag('is_backed_up').notNull(),
    transports: json<string[]>('transports').notNull(),
    createdAt: createdAt(),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

/** A person's identity at an OpenID provider: its subject, which stays when the address changes. */
export const identities = sqliteTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id').notNull(),
    createdAt: createdAt(),
    lastUsedAt: at('last_used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('identities_user').on(table.userId, table.issuer),
  ],
)

/** Challenges of passkeys that were answered rightly, for as long as they could be answered again. */
export const usedChallenges = sqliteTable('used_challenges', {
  challengeHash: text('challenge_hash').primaryKey(),
  expiresAt: at('expires_at').notNull(),
})

/** One-time sign-in links, created on the command line, so that mail is never needed to sign in. */
export const loginLinks = sqliteTable('login_links', {
  tokenHash: text('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: createdAt(),
  expiresAt: at('expires_at').notNull(),
  usedAt: at('used_at'),
})

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    name: text('name').notNull(),
    /** The first characters, for people to tell keys apart. */
    prefix: text('prefix').notNull(),
    keyHash: text('key_hash').notNull(),
    scopes: json<string[]>('scopes').notNull(),
    /** What it sends as an agent waits for a person once it has read what strangers wrote. */
    airlock: flag('airlock').notNull().default(false),
    madeBy: madeBy(),
    /** The role of the person who created it, at that time: it never allows more. */
    role: text('role').$type<'owner' | 'member' | 'viewer'>().notNull().default('owner'),
    createdAt: createdAt(),
    lastUsedAt: at('last_used_at'),
    revokedAt: at('revoked_at'),
  },
  (table) => [uniqueIndex('api_keys_hash').on(table.keyHash), index('api_keys_workspace').on(table.workspaceId)],
)

/** Token buckets for limits that must survive a restart (sign-in), and on a server for those that processes share. Below 0: taken before it was told. */
export const rateBuckets = sqliteTable('rate_buckets', {
  bucket: text('bucket').primaryKey(),
  tokens: real('tokens').notNull(),
  updatedAt: updatedAt(),
})

/** Facts about this installation, e.g. the one-time set-up link of the dashboard. */
export const installation = sqliteTable('installation', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  updatedAt: updatedAt(),
})

/** Replies stored for repeats of the same Idempotency-Key, written in the transaction that they belong to. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    workspaceId: workspaceId(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    response: json<unknown>('response').notNull(),
    createdAt: createdAt(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.route, table.key] }),
    index('idempotency_keys_expiry').on(table.expiresAt),
  ],
)
