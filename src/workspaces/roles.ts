// What a person may do in a workspace: a viewer looks, a member changes things, an owner also decides who is in it. Each may do what
// those before may.

import { t } from 'elysia'

export const roles = ['viewer', 'member', 'owner'] as const
export type Role = (typeof roles)[number]

export const roleSchema = t.Union([t.Literal('viewer'), t.Literal('member'), t.Literal('owner')], {
  description: '`viewer` looks, `member` changes things, `owner` also decides who is in the workspace.',
})

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}

/** True when a person with `granted` may do what asks for `least`. */
export function mayAct(granted: Role, least: Role): boolean {
  return roles.indexOf(granted) >= roles.indexOf(least)
}

/** What a route asks for that names no role: looking is for everybody, changing is not. */
export function leastRole(method: string): Role {
  return method === 'GET' || method === 'HEAD' ? 'viewer' : 'member'
}
