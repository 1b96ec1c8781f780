// paquebot user create | invite | list | role | remove | login-link | set-password | reset-second-factor | reset-passkeys | reset-oidc

import { write } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { operator } from '../../people/access/grants.ts'
import { isRole, roles } from '../../people/access/roles.ts'
import { createLoginLink } from '../../people/access/sessions.ts'
import { createUser, getUser, listUsers, setPassword } from '../../people/access/users.ts'
import { invite } from '../../people/members/invitations.ts'
import { removeIdentities } from '../../people/sign-in/oidc/arrivals.ts'
import { removePasskeys } from '../../people/sign-in/passkeys/passkeys.ts'
import { removeSecondFactor } from '../../people/sign-in/second-factor.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { type Answer, type Api, cells, rowsOf, withApi } from './with-api.ts'
import { withApp } from './with-app.ts'

const emailFlag = { type: 'string', value: 'ADDRESS', required: true, says: 'the address they sign in with' } as const

const create = defineCommand({
  name: 'user create',
  says: 'Adds a person to a workspace and prints their one-time sign-in link.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    email: emailFlag,
    name: { type: 'string', value: 'NAME', says: 'their name' },
    role: { type: 'string', value: roles.join('|'), says: 'default member' },
    password: { type: 'string', value: 'PASSWORD', says: 'without a password, they sign in by link' },
  },
  run: ({ workspace: slug, email, name, role = 'member', password }, config) => {
    if (!isRole(role)) throw new UsageError(`a role is ${roles.join(', ')}, not ${role}`)
    return withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const passwordHash = password === undefined ? null : await app.passwords.hash(password)
      const { user, path } = await write(app, async (tx) => {
        const user = await createUser(tx, workspace, { email, name, passwordHash, role })
        return { user, path: await createLoginLink(tx, user.id) }
      })
      const loginLink = app.config.baseUrl + path
      return { json: { id: user.id, email: user.email, role, loginLink }, lines: [loginLink] }
    })
  },
})

const inviting = defineCommand({
  name: 'user invite',
  says: 'Prints an invitation link with which a person joins a workspace and chooses a password; it works once, within 7 days.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    email: emailFlag,
    role: { type: 'string', value: roles.join('|'), says: 'default member' },
    mail: { type: 'boolean', says: 'mail them a link too (needs SMTP_URL or a relay, and a running server)' },
  },
  run: ({ workspace: slug, email, role = 'member', mail = false }, config) => {
    if (!isRole(role)) throw new UsageError(`a role is ${roles.join(', ')}, not ${role}`)
    return withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const { invitation, path } = await invite(app, workspace.id, {
        email,
        role,
        invitedBy: operator,
        sendEmail: mail,
      })
      const url = app.config.baseUrl + path
      return { json: { id: invitation.id, email: invitation.email, role, url, mailed: mail }, lines: [url] }
    })
  },
})

const list = defineCommand({
  name: 'user list',
  says: 'Lists the people and their workspaces.',
  flags: {},
  run: (_, config) =>
    withApp(config(), async (app) => {
      const users = await listUsers(app)
      const lines = columns(users.map(({ email, name, workspaces }) => [email, name ?? '', workspaces.join(' ')]))
      return { json: { users }, lines }
    }),
})

const loginLink = defineCommand({
  name: 'user login-link',
  says: 'Prints a link that signs a person in; it works once, within 24 h.',
  flags: { email: emailFlag },
  run: ({ email }, config) =>
    withApp(config(), async (app) => {
      const user = await getUser(app, email)
      const loginLink = app.config.baseUrl + (await write(app, (tx) => createLoginLink(tx, user.id)))
      return { json: { email: user.email, loginLink }, lines: [loginLink] }
    }),
})

const password = defineCommand({
  name: 'user set-password',
  says: 'Sets a password, and ends the sessions and login links of the person. Without --password, it is read from stdin.',
  flags: {
    email: emailFlag,
    password: { type: 'string', value: 'PASSWORD', says: 'other users of the machine can see it while this runs' },
  },
  run: ({ email, password }, config) =>
    withApp(config(), async (app) => {
      const user = await getUser(app, email)
      const passwordHash = await app.passwords.hash(password ?? (await readLine()))
      await write(app, (tx) => setPassword(tx, user.id, passwordHash))
      return { json: { id: user.id, email: user.email }, lines: [`The password of ${user.email} is set.`] }
    }),
})

const secondFactor = defineCommand({
  name: 'user reset-second-factor',
  says: 'Removes the authenticator app of a person who has lost it and the recovery codes.',
  flags: { email: emailFlag },
  run: ({ email }, config) =>
    withApp(config(), async (app) => {
      const user = await getUser(app, email)
      await write(app, (tx) => removeSecondFactor(tx, { userId: user.id }))
      return {
        json: { id: user.id, email: user.email },
        lines: [`${user.email} now signs in with the password alone.`],
      }
    }),
})

const passkeys = defineCommand({
  name: 'user reset-passkeys',
  says: 'Removes the passkeys of a person who has lost a device. With a login link they can sign in and add another.',
  flags: { email: emailFlag },
  run: ({ email }, config) =>
    withApp(config(), async (app) => {
      const user = await getUser(app, email)
      const removed = await write(app, (tx) => removePasskeys(tx, user.id))
      const line = `${removed} ${removed === 1 ? 'passkey' : 'passkeys'} of ${user.email} removed.`
      return { json: { id: user.id, email: user.email, removed }, lines: [line] }
    }),
})

const oidc = defineCommand({
  name: 'user reset-oidc',
  says: 'Unlinks a person from their account at OIDC_ISSUER. At the next sign-in, their verified address links them again.',
  flags: { email: emailFlag },
  run: ({ email }, config) =>
    withApp(config(), async (app) => {
      const user = await getUser(app, email)
      const removed = await write(app, (tx) => removeIdentities(tx, user.id))
      const line =
        removed === 0
          ? `${user.email} was not linked to an account.`
          : `${user.email} is no longer linked to an account.`
      return { json: { id: user.id, email: user.email, removed }, lines: [line] }
    }),
})

const keepFlag = {
  type: 'boolean',
  says: 'keep the access that they created (keys, invitations, tokens, endpoints …); default: it is revoked',
} as const

const role = defineCommand({
  name: 'user role',
  says: 'Changes the role of a member. With a lower role, the access that they created is revoked.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    email: emailFlag,
    role: { type: 'string', value: roles.join('|'), required: true, says: 'the new role' },
    keep: keepFlag,
  },
  run: ({ workspace: slug, email, role, keep = false }, config) =>
    withApi(config(), slug, async (api) =>
      settled(await api('PATCH', await memberPath(api, email), { role, keep }), `${email} is now ${role}.`),
    ),
})

const remove = defineCommand({
  name: 'user remove',
  says: 'Removes a person from a workspace and revokes the access that they created in it.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    email: emailFlag,
    keep: keepFlag,
  },
  run: ({ workspace: slug, email, keep = false }, config) =>
    withApi(config(), slug, async (api) => {
      const path = `${await memberPath(api, email)}?keep=${keep}`
      return settled(await api('DELETE', path), `${email} is no longer in ${slug}.`)
    }),
})

/** Throws `not_found`. */
async function memberPath(api: Api, email: string): Promise<string> {
  const wanted = email.trim().toLowerCase()
  const member = rowsOf(await api('GET', '/v1/members')).find((one) => one['email'] === wanted)
  if (!member) throw new AppError('not_found', `${email} is not in this workspace.`)
  return `/v1/members/${member['userId']}`
}

/** With what ended, or goes on. */
function settled(json: Answer, line: string) {
  const grants = (['revoked', 'kept'] as const).flatMap((what) =>
    rowsOf({ data: json[what] }).map((one) => [what, ...cells(one, ['kind', 'id', 'name'])]),
  )
  return { json, lines: [line, ...columns(grants)] }
}

async function readLine(): Promise<string> {
  const text = await Bun.stdin.text()
  return text.split(/\r?\n/)[0] ?? ''
}

export const userCommands = [create, inviting, list, role, remove, loginLink, password, secondFactor, passkeys, oidc]
