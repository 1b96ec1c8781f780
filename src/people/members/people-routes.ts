// The people of a workspace: members, roles, invitations, and one's own sessions. Only signed-in owners decide about membership, because a
// key could have been created by somebody with fewer rights.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { invalidField } from '../../kit/error.ts'
import { realIdOf } from '../../kit/id.ts'
import { auth, type Credential, toActor, toGrantor } from '../access/auth.ts'
import { type Grantor, listGrants } from '../access/grants.ts'
import { roleSchema } from '../access/roles.ts'
import {
  grantList,
  memberList,
  settledBody,
  signedIn,
  signInList,
  successBody,
  toSignInView,
} from '../access/schema.ts'
import { endSessionById, endSignIns, listSessions } from '../access/sessions.ts'
import { getRole, listMembers, removeMember, setRole } from '../access/users.ts'
import { type Invitation, invite, listInvitations, revokeInvitation } from './invitations.ts'

const dateTime = (description: string) => t.String({ format: 'date-time', description })

const invitationView = t.Object({
  id: t.String(),
  email: t.String(),
  role: roleSchema,
  createdAt: dateTime('When it was created.'),
  expiresAt: dateTime('When its link expires.'),
})
const newInvitationView = t.Composite([
  invitationView,
  t.Object({
    url: t.String({ description: 'The invitation link for this person. It works once and is shown only once.' }),
    mailed: t.Boolean({ description: 'Whether an invitation was also mailed, with another link.' }),
  }),
])
const invitationBody = refusing(
  t.Object({
    email: t.String({ maxLength: 254, examples: ['grace@example.com'] }),
    role: roleSchema,
    sendEmail: t.Optional(
      t.Boolean({
        description: 'Default: true if the installation sends mail (SMTP_URL, or a relay), otherwise false.',
      }),
    ),
  }),
)

export function peopleRoutes(app: App) {
  return new Elysia({ prefix: '/v1' }).use(memberRoutes(app)).use(invitationRoutes(app)).use(ownSessionRoutes(app))
}

function memberRoutes(app: App) {
  return new Elysia({ prefix: '/members' })
    .use(auth)
    .get(
      '',
      async ({ workspace }) => {
        const rows = await listMembers(app, workspace.id)
        return { data: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) }
      },
      {
        auth: { scope: 'members.read', session: true },
        response: memberList,
        detail: extension(
          'listMembers',
          'List the people of the workspace',
          'Everybody who can sign in to this workspace, with their role.',
        ),
      },
    )
    .get(
      '/:userId/grants',
      async ({ workspace, params: { userId } }) => {
        const workspaceId = realIdOf(workspace.id)
        await getRole(app, workspaceId, userId)
        return { data: await listGrants(app, { workspaceId, userId }, app.clock.now()) }
      },
      {
        session: 'owner',
        response: grantList,
        detail: extension(
          'listMemberGrants',
          'List the access that a member has created',
          'API keys, open invitations, mailbox tokens, active webhook endpoints, subscription sources and inbound URLs for providers that this person created, here and in the test workspace. All of them are revoked when the person is removed or gets a lower role.',
        ),
      },
    )
    .patch(
      '/:userId',
      async ({ workspace, credential, params: { userId }, body: { role, keep } }) => {
        const keeper = keeperOf(credential, userId, keep)
        const member = { workspaceId: realIdOf(workspace.id), userId, role }
        const settled = await write(app, (tx) => setRole(tx, member, keeper))
        return { success: true as const, message: `The role is now ${role}.`, ...settled }
      },
      {
        session: 'owner',
        body: refusing(t.Object({ role: roleSchema, keep })),
        response: settledBody,
        detail: extension(
          'updateMember',
          'Give a member another role',
          'Takes effect with their next request. With a lower role, the access that they created (`GET /v1/members/{userId}/grants`) is revoked unless `keep` is true; `revoked` and `kept` list it. 409 for the last owner: a workspace always has one.',
          [409],
        ),
      },
    )
    .delete(
      '/:userId',
      async ({ workspace, credential, params: { userId }, query }) => {
        const keeper = keeperOf(credential, userId, query.keep)
        const settled = await write(app, (tx) => removeMember(tx, realIdOf(workspace.id), userId, keeper))
        return { success: true as const, message: 'Removed from the workspace.', ...settled }
      },
      {
        session: 'owner',
        query: t.Object({ keep }),
        response: settledBody,
        detail: extension(
          'removeMember',
          'Remove a person from the workspace',
          'Takes effect with their next request; their account and their other workspaces stay. The access that they created (`GET /v1/members/{userId}/grants`) is revoked unless `keep` is true; `revoked` and `kept` list it. 409 for the last owner: a workspace always has one.',
          [409],
        ),
      },
    )
}

const keep = t.Optional(
  t.Boolean({
    description:
      'True: the access that this person created keeps working, under your permissions. Default: false, it is revoked. You cannot set it for yourself.',
  }),
)

/** Who takes over what somebody has passed on. Throws `validation_failed` for what one would keep of one's own. */
function keeperOf(credential: Credential, userId: string, keep = false): Grantor | null {
  const keeper = toGrantor(credential)
  if (keep && keeper.userId === userId)
    throw invalidField('keep', 'You cannot keep the access that you created yourself; another owner can.')
  return keep ? keeper : null
}

function invitationRoutes(app: App) {
  return new Elysia({ prefix: '/invitations' })
    .use(auth)
    .get(
      '',
      async ({ workspace }) => ({
        data: (await listInvitations(app, realIdOf(workspace.id), app.clock.now())).map(toInvitationView),
      }),
      {
        session: 'owner',
        response: t.Object({ data: t.Array(invitationView) }),
        detail: extension(
          'listInvitations',
          'List open invitations',
          'Invitations that can still be accepted, oldest first, without their links.',
        ),
      },
    )
    .post(
      '',
      async ({ workspace, credential, body, set }) => {
        const { invitation, path, isMailed } = await invite(app, realIdOf(workspace.id), {
          ...body,
          invitedBy: toActor(credential),
        })
        set.status = 201
        return { ...toInvitationView(invitation), url: app.config.baseUrl + path, mailed: isMailed }
      },
      {
        session: 'owner',
        body: invitationBody,
        response: { 201: newInvitationView },
        detail: extension(
          'createInvitation',
          'Invite a person to the workspace',
          'The response has the invitation link, which is shown only once; an invitation is also mailed if the installation sends mail. The link works once, within 7 days, for this address. A new invitation replaces an open one for the same address. 409 for an existing member, or if there are 100 open invitations already.',
          [409, 422],
        ),
      },
    )
    .delete(
      '/:invitationId',
      async ({ workspace, params }) => {
        await write(app, (tx) => revokeInvitation(tx, realIdOf(workspace.id), params.invitationId))
        return { success: true as const, message: 'Invitation revoked.' }
      },
      {
        session: 'owner',
        response: successBody,
        detail: extension('revokeInvitation', 'Revoke an invitation', 'Its links stop working.'),
      },
    )
}

/** Where the caller is signed in. */
function ownSessionRoutes(app: App) {
  return new Elysia({ prefix: '/auth/sessions' })
    .use(auth)
    .get(
      '',
      async ({ caller }) => {
        const { tokenHash } = signedIn(caller)
        const open = await listSessions(app, signedIn(caller).userId, app.clock.now())
        return { data: open.map((row) => toSignInView(row, tokenHash)) }
      },
      {
        session: 'viewer',
        response: signInList,
        detail: extension(
          'listSessions',
          'List your sessions',
          'Your open sessions, most recently used first, each with how, from where and with which browser it was started.',
        ),
      },
    )
    .delete(
      '/:sessionId',
      async ({ caller, params }) => {
        await write(app, (tx) => endSessionById(tx, signedIn(caller).userId, params.sessionId))
        return { success: true as const, message: 'That session has ended.' }
      },
      {
        session: 'viewer',
        response: successBody,
        detail: extension(
          'endSession',
          'End one of your sessions',
          'The browser of that session has to sign in again.',
        ),
      },
    )
    .delete(
      '',
      async ({ caller }) => {
        const asking = signedIn(caller)
        const ended = await write(app, (tx) => endSignIns(tx, asking.userId, asking))
        return { success: true as const, message: `Ended ${ended} other ${ended === 1 ? 'session' : 'sessions'}.` }
      },
      {
        session: 'viewer',
        response: successBody,
        detail: extension(
          'endOtherSessions',
          'End all your other sessions',
          'The current session continues. Unused login links become invalid, too.',
        ),
      },
    )
}

function toInvitationView({ id, email, role, createdAt, expiresAt }: Invitation) {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
