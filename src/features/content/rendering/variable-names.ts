// What a placeholder's name says about it: who fills it, and with what. The list of names the platform fills is here, once.

import { ownValue } from '../../../kit/own-value.ts'

export type VariableKind = 'custom' | 'contact' | 'event' | 'workspace' | 'system' | 'collection'
export type DataType = 'string' | 'number' | 'boolean' | 'date' | 'url' | 'list' | 'object'

interface BuiltInVariable {
  kind: VariableKind
  dataType: DataType
}

const builtIn: Record<string, BuiltInVariable> = {
  company_name: { kind: 'workspace', dataType: 'string' },
  company_address: { kind: 'workspace', dataType: 'string' },
  company_website: { kind: 'workspace', dataType: 'url' },
  support_email: { kind: 'workspace', dataType: 'string' },
  sender_name: { kind: 'workspace', dataType: 'string' },
  'workspace.name': { kind: 'workspace', dataType: 'string' },
  'workspace.website_url': { kind: 'workspace', dataType: 'url' },
  date: { kind: 'system', dataType: 'date' },
  year: { kind: 'system', dataType: 'number' },
  time: { kind: 'system', dataType: 'string' },
  recipient_email: { kind: 'system', dataType: 'string' },
  locale: { kind: 'system', dataType: 'string' },
  message_id: { kind: 'system', dataType: 'string' },
  unsubscribe_url: { kind: 'system', dataType: 'url' },
  preferences_url: { kind: 'system', dataType: 'url' },
  view_in_browser_url: { kind: 'system', dataType: 'url' },
  confirm_url: { kind: 'system', dataType: 'url' },
}

const contactTypes: Record<string, DataType> = {
  subscribed: 'boolean',
  createdAt: 'date',
  updatedAt: 'date',
}

/** The names the platform fills at send time, beside every `contact.*`. */
export const autoResolvedNames = Object.keys(builtIn)

/** Names whose whole family is filled by the platform, so a caller may not pass them. */
const autoRoots = new Set(['contact', 'workspace'])

export interface VariableDescription extends BuiltInVariable {
  /** True when the platform fills it, and the caller must not. */
  auto: boolean
}

export function describeVariable(name: string): VariableDescription {
  const found = ownValue(builtIn, name)
  if (found) return { ...found, auto: true }
  const [root = '', field = ''] = name.split('.')
  if (root === 'contact') {
    return {
      kind: 'contact',
      dataType: ownValue(contactTypes, field) ?? 'string',
      auto: true,
    }
  }
  if (autoRoots.has(root)) return { kind: 'workspace', dataType: 'string', auto: true }
  return { kind: root === 'event' && field !== '' ? 'event' : 'custom', dataType: 'string', auto: false }
}

/** False for `workspace.nonsense`: a name in a family of ours that nothing fills. */
export function isFilledByUs(name: string): boolean {
  return Object.hasOwn(builtIn, name) || /^contact\.[A-Za-z_]/.test(name)
}
