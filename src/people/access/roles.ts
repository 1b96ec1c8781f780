// The roles in a workspace: a viewer reads, a member also changes things, an owner also decides about membership.

import { t } from 'elysia'

export const roles = ['viewer', 'member', 'owner'] as const
export type Role = (typeof roles)[number]

export const roleSchema = t.Union([t.Literal('viewer'), t.Literal('member'), t.Literal('owner')], {
  description: '`viewer` can read, `member` can also change things, `owner` can also manage members.',
})

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}

/** True when a person with the role `granted` has the rights of `least`. */
export function mayAct(granted: Role, least: Role): boolean {
  return roles.indexOf(granted) >= roles.indexOf(least)
}

export function lesserRole(one: Role, other: Role): Role {
  return mayAct(one, other) ? other : one
}

/** The role required by a route that names none: anybody may read, changing needs a member. */
export function leastRole(method: string): Role {
  return method === 'GET' || method === 'HEAD' ? 'viewer' : 'member'
}
